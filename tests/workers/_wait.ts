/** Waiting for what is about to happen, with a bound, and looking at processes. */
import process from "node:process";

/** Waits until something holds. Fails when it does not within the time. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 5_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!await holds()) {
    if (performance.now() > end) throw new Error(`Waited ${withinMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What a promise gives. Fails when it does not settle within the time. */
export async function soon<T>(what: string, promise: Promise<T>, withinMs = 5_000): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`Waited ${withinMs} ms in vain: ${what}`)),
    withinMs,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * What something with a deadline gives when it is cancelled at 0.7 of that time, and at 1.3. Timers of one process go
 * off in the order of their times, however late, so the deadline shows where it lies on a busy machine too.
 */
export async function cancelAround<T>(
  ms: number,
  run: (signal: AbortSignal, begun: () => void) => Promise<T>,
): Promise<readonly [before: T, after: T]> {
  const [early, late] = [new AbortController(), new AbortController()];
  const timers = [setTimeout(() => early.abort(), ms * 0.7)];
  const begun = (): void => void timers.push(setTimeout(() => late.abort(), ms * 1.3));
  try {
    return await Promise.all([run(early.signal, () => {}), run(late.signal, begun)]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
