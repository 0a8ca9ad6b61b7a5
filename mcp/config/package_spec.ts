/**
 * Packages of npm as a configuration names them.
 * @module
 */

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
const EXACT =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const MAX_NAME = 214;

/** What stands before a package's name in a command. */
export const PACKAGE_PREFIX = "npm:";

/** A package as it was named. */
export interface PackageSpec {
  /** Its name, such as `@modelcontextprotocol/server-memory`. */
  readonly name: string;
  /** What was named as its version; absent when nothing was. */
  readonly version?: string;
  /** Whether the version is exactly one. */
  readonly isExact: boolean;
}

/**
 * Reads `npm:<package>[@<version>]`.
 *
 * @param text The text.
 * @returns The package, or `undefined` when the text names none.
 */
export function parsePackage(text: string): PackageSpec | undefined {
  if (!text.startsWith(PACKAGE_PREFIX)) return undefined;
  const rest = text.slice(PACKAGE_PREFIX.length).replace(/^\//, "");
  const at = rest.indexOf("@", 1);
  const name = at < 0 ? rest : rest.slice(0, at);
  const version = at < 0 ? undefined : rest.slice(at + 1);
  if (name.length > MAX_NAME || !NAME.test(name)) return undefined;
  if (version === undefined) return { name, isExact: false };
  // A version ends where a path inside the package would begin; nothing but a version is accepted.
  if (!/^[0-9A-Za-z.^~<>=*|+ -]{1,128}$/.test(version)) return undefined;
  return { name, version, isExact: EXACT.test(version) };
}
