/**
 * Temporary folders, and where things of the benchmark are.
 * @module
 */
import { fileURLToPath } from "node:url";

/** A folder that vanishes with its owner. */
export interface TempFolder extends AsyncDisposable {
  /** Its absolute real path. */
  readonly path: string;
}

/**
 * Makes a temporary folder.
 *
 * @returns The folder.
 */
export async function tempFolder(): Promise<TempFolder> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-bench-" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/**
 * The absolute path of a file of the project.
 *
 * @param name The file, relative to the project's folder.
 * @returns Its path.
 */
export function projectPath(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}
