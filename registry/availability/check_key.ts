/**
 * Which check functions are one and the same.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";

const numbers = new WeakMap<object, number>();
let count = 0;

/**
 * Tells which check a tool has. A check in a module is known by the module's content and the name that the tool
 * has in it, a check in this process by its function: tools that share one share its verdict.
 *
 * @param entry The tool.
 * @param setting What else decides what the check says, as a text. @default {""}
 * @returns The key.
 */
export function checkKeyOf(entry: ToolEntry, setting: string = ""): string {
  const { handler } = entry;
  return JSON.stringify(
    handler.kind === "module"
      ? [handler.integrity, entry.sharesCheckOf ?? handler.export, setting]
      : [numberOf(handler.checkFn ?? handler), setting],
  );
}

function numberOf(check: object): number {
  const known = numbers.get(check);
  if (known !== undefined) return known;
  numbers.set(check, ++count);
  return count;
}
