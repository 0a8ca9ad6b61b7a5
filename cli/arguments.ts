/**
 * The arguments of a call, from the command line or from stdin.
 * @module
 */
import { UsageError } from "./command.ts";

/**
 * Reads a call's arguments.
 *
 * @param word The word on the command line: JSON text, `-` for stdin, or nothing for `{}`.
 * @param readStdin Reads stdin to its end.
 * @returns The text of a JSON object. Its numbers are left to whoever checks the call: a value that was read
 * here could have lost some digits already.
 * @throws {UsageError} If the text is not a JSON object.
 */
export async function readArguments(
  word: string | undefined,
  readStdin: () => Promise<string>,
): Promise<string> {
  if (word === undefined) return "{}";
  const text = word === "-" ? await readStdin() : word;
  const place = word === "-" ? "stdin" : "the command line";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The arguments on ${place} are not JSON: ${reason}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  throw new UsageError(
    `The arguments on ${place} must be a JSON object, such as {"path": "README.md"}`,
  );
}
