/**
 * Ctrl-C and its relatives.
 * @module
 */
import { EXIT } from "./command.ts";

/** Waits for a signal of the operating system while it is in scope. */
export interface Interrupt extends Disposable {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
}

/**
 * Turns SIGINT and SIGTERM into an abort. A second one ends the process at once.
 *
 * @returns The abort signal; disposing gives the signals back.
 */
export function watchInterrupt(): Interrupt {
  const controller = new AbortController();
  const names: readonly Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM"];
  const listener = () => {
    if (controller.signal.aborted) Deno.exit(EXIT.interrupted);
    controller.abort(new DOMException("Interrupted", "AbortError"));
  };
  for (const name of names) Deno.addSignalListener(name, listener);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) Deno.removeSignalListener(name, listener);
    },
  };
}
