/**
 * The product's version and the least version of Deno that it runs on.
 * @module
 */
import manifest from "../deno.json" with { type: "json" };

/** The product's version. */
export const VERSION: string = manifest.version;

/** Permission bypasses of Deno are known up to the version before this one. */
export const DENO_FLOOR = "2.8.1";

/**
 * Whether a version of Deno is new enough.
 *
 * @param version A version, such as `2.9.6`.
 * @param floor The least version that will do.
 * @returns False when it is older. A pre-release counts as its release.
 */
export function isAtLeast(version: string, floor: string): boolean {
  const [have, need] = [version, floor].map((text) =>
    text.split(/[-+]/)[0]!.split(".").map(Number)
  );
  for (const [index, wanted] of need!.entries()) {
    const found = have![index] ?? 0;
    if (found !== wanted) return found > wanted;
  }
  return true;
}
