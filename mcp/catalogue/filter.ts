/**
 * Which of a server's tools the operator lets in.
 * @module
 */

/** What the operator wrote. */
export interface ToolFilterOptions {
  /** Whitelist; absent means every tool, `[]` means none. */
  readonly include?: readonly string[];
  /** Blacklist; counts where there is no whitelist. */
  readonly exclude?: readonly string[];
}

/** Says whether a tool is let in, by the server's own name for it. */
export type ToolFilter = (name: string) => boolean;

type Test = (name: string) => boolean;

const GLOB = /[*?[\]{}()!+@]/;

/**
 * Makes a filter. A pattern is an exact name or a glob; both tell capitals from small letters, and `*` stands for any
 * characters, `/` and leading dots among them.
 *
 * @param options The whitelist, which goes before the blacklist.
 * @returns The filter.
 */
export async function createToolFilter(
  { include, exclude = [] }: ToolFilterOptions,
): Promise<ToolFilter> {
  if (include !== undefined) return await anyOf(include);
  const isExcluded = await anyOf(exclude);
  return (name) => !isExcluded(name);
}

async function anyOf(patterns: readonly string[]): Promise<Test> {
  const exact = new Set(patterns);
  const globs = patterns.filter((pattern) => GLOB.test(pattern));
  if (globs.length === 0) return (name) => exact.has(name);
  const { default: picomatch } = await import("picomatch");
  const matches: Test = picomatch(globs, { bash: true, dot: true });
  return (name) => exact.has(name) || matches(name);
}
