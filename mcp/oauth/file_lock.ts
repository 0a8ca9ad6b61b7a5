/**
 * One at a time, also between processes.
 * @module
 */

/**
 * Runs a function while this process alone holds a lock file. The system lets go of the lock when the process
 * ends, however it ends; the empty file stays.
 *
 * @param path The lock file; its folder exists.
 * @param run What to do meanwhile.
 * @returns What it returns.
 */
export async function withFileLock<T>(path: string, run: () => Promise<T>): Promise<T> {
  using file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  await file.lock(true);
  try {
    return await run();
  } finally {
    await file.unlock();
  }
}
