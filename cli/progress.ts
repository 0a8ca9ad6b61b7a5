/**
 * Says that something takes a while.
 * @module
 */
import type { Output } from "./output.ts";

/** Milliseconds before anything is said. */
const PATIENCE_MS = 300;
const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Waits for work, and shows on stderr that it goes on when it takes long and a person watches.
 *
 * @param output Prints.
 * @param label What is being done, such as `Discovering tools`.
 * @param work The work.
 * @returns What the work gives.
 */
export async function withProgress<T>(
  output: Output,
  label: string,
  work: Promise<T>,
): Promise<T> {
  if (!output.interactive || output.quiet) return await work;
  let frame = 0;
  let ticking: ReturnType<typeof setInterval> | undefined;
  const start = setTimeout(() => {
    ticking = setInterval(() => {
      output.status(`${FRAMES[frame++ % FRAMES.length]} ${label} …`);
    }, FRAME_MS);
  }, PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearTimeout(start);
    clearInterval(ticking);
    if (frame > 0) output.status("");
  }
}
