/**
 * What is kept of an admitted closure.
 * @module
 */
import type { ModuleStore } from "./store.ts";
import type { ClosureRecord } from "./verdict.ts";

/**
 * Makes the record of a closure whose copies have just been written or read.
 *
 * @param store Where the copies are.
 * @param closure The closure's hash and files; an older stamp does not count.
 * @returns The record.
 */
export function recordOf(store: ModuleStore, closure: ClosureRecord): ClosureRecord {
  const { integrity, files, safe } = closure;
  const stamp = store.stamp(integrity, files);
  return stamp === undefined ? { integrity, files, safe } : { integrity, files, safe, stamp };
}
