/**
 * Ending the process of a server.
 * @module
 */

const ASKED_BY_EOF_MS = 2_000;
const ASKED_BY_SIGNAL_MS = 3_000;
const KILLED_MS = 3_000;

/**
 * Ends a process: closes its input, waits, sends SIGTERM, waits, sends SIGKILL. Only this very process gets
 * signals, by its handle.
 *
 * @param child The process.
 * @param stdin Its input.
 */
export async function endProcess(
  child: Deno.ChildProcess,
  stdin: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  // Closing waits for what is still to be written, which a stuck server never reads.
  const closing = stdin.close().catch(() => {});
  if (await within(child.status, ASKED_BY_EOF_MS)) return await closing;
  signal(child, "SIGTERM");
  if (!await within(child.status, ASKED_BY_SIGNAL_MS)) {
    signal(child, "SIGKILL");
    await within(child.status, KILLED_MS);
  }
  await stdin.abort().catch(() => {});
}

/**
 * Waits for something, but not for ever.
 *
 * @param promise What is waited for.
 * @param ms For how many milliseconds.
 * @returns Whether it came to an end in time.
 */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  try {
    return await Promise.race([promise.then(() => true, () => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function signal(child: Deno.ChildProcess, name: Deno.Signal): void {
  try {
    child.kill(name);
  } catch {
    // It is gone already.
  }
}
