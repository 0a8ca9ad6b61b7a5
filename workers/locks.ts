/**
 * Web Locks, which this version's types do not know.
 * @module
 */

interface LockManager {
  request(name: string, held: () => Promise<void> | void): Promise<void>;
}

/**
 * Waits for a lock of this process and holds it until the promise of `held` settles.
 *
 * @param name The lock's name.
 * @param held Called when the lock is held.
 * @returns Settles when the lock is released again.
 */
export function requestLock(name: string, held: () => Promise<void> | void): Promise<void> {
  return (navigator as unknown as { readonly locks: LockManager }).locks.request(name, held);
}
