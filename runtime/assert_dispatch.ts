/**
 * What an embedding program may pass to `dispatch`.
 * @module
 */
import type { DispatchOptions } from "./runtime_types.ts";

/**
 * Refuses what is misuse, and not a fault of the model.
 *
 * @param name The tool's name.
 * @param args The arguments.
 * @param options The options.
 * @throws {TypeError} If the name is no text, or the arguments are neither an object nor a text.
 * @throws {RangeError} If the deadline is no positive number.
 */
export function assertDispatch(name: string, args: unknown, options: DispatchOptions): void {
  if (typeof name !== "string") {
    throw new TypeError(`Cannot dispatch: the name must be a text, got ${typeof name}`);
  }
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  if (!isObject && typeof args !== "string") {
    throw new TypeError(
      `Cannot dispatch "${name}": the arguments must be an object or JSON text, got ${
        args === null ? "null" : Array.isArray(args) ? "an array" : typeof args
      }`,
    );
  }
  const { timeoutMs } = options;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new RangeError(`Cannot dispatch "${name}": timeoutMs must be > 0, got ${timeoutMs}`);
  }
}
