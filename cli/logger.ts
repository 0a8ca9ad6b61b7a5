/**
 * Shows the runtime's warnings.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { RuntimeLogger } from "../runtime/runtime_types.ts";
import type { Output } from "./output.ts";

type Level = Parameters<RuntimeLogger["log"]>[0];

/**
 * Prints warnings and errors to stderr; less than that is left to the log file. What comes during discovery
 * waits, because findings are printed apart, with hint and code.
 */
export class ConsoleLogger implements RuntimeLogger {
  readonly #output: Output;
  #waiting: [Level, string][] | undefined = [];

  /**
   * Makes the logger.
   *
   * @param output Prints.
   */
  constructor(output: Output) {
    this.#output = output;
  }

  /**
   * Prints a record, or keeps it until {@linkcode ConsoleLogger.release}.
   *
   * @param level How bad it is.
   * @param message What happened.
   */
  log(level: Level, message: string): void {
    if (this.#waiting) this.#waiting.push([level, message]);
    else if (level === "warning") this.#output.warn(message);
    else if (level === "error") this.#output.error(message);
  }

  /**
   * Prints what has waited, and from now on every record at once.
   *
   * @param findings What is printed apart.
   */
  release(findings: readonly Diagnostic[]): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    const apart = new Set(
      findings.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`),
    );
    for (const [level, message] of waiting) if (!apart.has(message)) this.log(level, message);
  }
}
