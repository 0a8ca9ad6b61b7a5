/**
 * The arguments of a call, from the command line or from stdin.
 * @module
 */
import type { JsonObject } from "../core/json.ts";
import { UsageError } from "./command.ts";

/**
 * Reads a call's arguments.
 *
 * @param word The word on the command line: JSON text, `-` for stdin, or nothing for `{}`.
 * @param readStdin Reads stdin to its end.
 * @returns The arguments.
 * @throws {UsageError} If the text is not a JSON object.
 */
export async function readArguments(
  word: string | undefined,
  readStdin: () => Promise<string>,
): Promise<JsonObject> {
  if (word === undefined) return {};
  const text = word === "-" ? await readStdin() : word;
  const place = word === "-" ? "stdin" : "the command line";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The arguments on ${place} are not JSON: ${reason}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new UsageError(
    `The arguments on ${place} must be a JSON object, such as {"path": "README.md"}`,
  );
}
