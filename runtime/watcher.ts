/**
 * Discovers anew whenever a file in the roots changes.
 * @module
 */

/** How long the roots have to be quiet before they are looked through, in milliseconds. */
const QUIET_MS = 100;

/**
 * Watches folders.
 *
 * @param folders The folders; those that do not exist are left out.
 * @param onChange Called after a change, when the folders have been quiet for a moment.
 * @returns Stops watching.
 */
export function watchFolders(
  folders: readonly string[],
  onChange: () => Promise<unknown>,
): AsyncDisposable {
  const existing = folders.filter(isFolder);
  if (existing.length === 0) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const watcher = Deno.watchFs(existing);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const run = (): void => {
    last = onChange().catch(() => {});
  };
  const reading = (async () => {
    for await (const event of watcher) {
      if (event.kind === "access") continue;
      clearTimeout(timer);
      timer = setTimeout(run, QUIET_MS);
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      watcher.close();
      await reading.catch(() => {});
      clearTimeout(timer);
      await last;
    },
  };
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
