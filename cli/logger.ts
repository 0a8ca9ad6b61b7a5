/**
 * Shows the runtime's warnings.
 * @module
 */
import type { RuntimeLogger } from "../runtime/runtime_types.ts";
import type { Output } from "./output.ts";

/**
 * Makes a logger that prints warnings and errors to stderr; less than that is left to the log file.
 *
 * @param output Prints.
 * @returns The logger.
 */
export function createLogger(output: Output): RuntimeLogger {
  return {
    log(level, message) {
      if (level === "warning") output.warn(message);
      if (level === "error") output.error(message);
    },
  };
}
