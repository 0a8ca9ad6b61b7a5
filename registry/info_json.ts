/**
 * Reading what `deno info --json` prints.
 * @module
 */

/** One import that takes place at run time. */
export interface InfoDependency {
  /** The text between the quotes. */
  readonly specifier: string;
  /** The URL it resolves to; absent when it does not resolve. */
  readonly target?: string;
}

/** One module of the graph. */
export interface InfoModule {
  /** Its imports at run time. */
  readonly dependencies: readonly InfoDependency[];
  /** Why it could not be read. */
  readonly error?: string;
}

/**
 * Reads the JSON of `deno info`.
 *
 * @param text What it printed.
 * @returns Its modules by URL without query and fragment, or `undefined` when it is not that JSON.
 */
export function parseInfo(text: string): ReadonlyMap<string, InfoModule> | undefined {
  const modules = fieldOf(parseJson(text), "modules");
  if (!Array.isArray(modules)) return undefined;
  const found = new Map<string, InfoModule>();
  for (const module of modules) {
    const specifier = fieldOf(module, "specifier");
    if (typeof specifier !== "string") return undefined;
    merge(found, specifier.replace(/[?#].*$/s, ""), readModule(module));
  }
  return found;
}

/** One file may be listed several times, under different queries. */
function merge(found: Map<string, InfoModule>, key: string, module: InfoModule): void {
  const before = found.get(key);
  const error = module.error ?? before?.error;
  const dependencies = [...before?.dependencies ?? [], ...module.dependencies];
  found.set(key, error === undefined ? { dependencies } : { dependencies, error });
}

function readModule(module: unknown): InfoModule {
  const list = fieldOf(module, "dependencies");
  const error = fieldOf(module, "error");
  const dependencies = Array.isArray(list) ? list.flatMap(readDependency) : [];
  return typeof error === "string" ? { dependencies, error } : { dependencies };
}

function readDependency(dependency: unknown): InfoDependency[] {
  const specifier = fieldOf(dependency, "specifier");
  const code = fieldOf(dependency, "code");
  if (typeof specifier !== "string" || code === undefined) return [];
  const target = fieldOf(code, "specifier");
  return [typeof target === "string" ? { specifier, target } : { specifier }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
