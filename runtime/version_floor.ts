/**
 * The oldest version of Deno that the product's guarantees hold on.
 * @module
 */

/** Permission bypasses are fixed up to this version. */
export const VERSION_FLOOR = "2.8.1";

/**
 * Compares versions.
 *
 * @param version A version, `major.minor.patch`.
 * @param floor The oldest version that is good.
 * @returns Whether the version is the floor or newer.
 */
export function isAtLeast(version: string, floor: string): boolean {
  const parts = (text: string): number[] => text.split(/[.+-]/, 3).map(Number);
  const have = parts(version), need = parts(floor);
  for (let index = 0; index < 3; index++) {
    const difference = (have[index] ?? 0) - (need[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
