/**
 * Messages as JSON text, where a list that was written before is not written again.
 * @module
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

const texts = new WeakMap<object, string>();

/**
 * The JSON text of a list that never changes.
 *
 * @param list The list, frozen.
 * @returns Its text, the same one each time.
 */
export function textOfList(list: readonly unknown[]): string {
  const known = texts.get(list);
  if (known !== undefined) return known;
  const text = JSON.stringify(list);
  texts.set(list, text);
  return text;
}

/**
 * A message as JSON text. Of a result that is a list of tools, only what surrounds the list is written.
 *
 * @param message The message.
 * @returns The text, on one line.
 */
export function textOfMessage(message: JSONRPCMessage): string {
  const result = "result" in message ? message.result as { readonly tools?: unknown } : undefined;
  const list = result?.tools;
  const known = Array.isArray(list) && Object.isFrozen(list) ? textOfList(list) : undefined;
  if (known === undefined) return JSON.stringify(message);
  const { result: _, ...head } = message as { readonly result: unknown };
  const { tools: _tools, ...rest } = result!;
  const others = JSON.stringify(rest);
  const tail = others === "{}" ? "" : `,${others.slice(1, -1)}`;
  return `${JSON.stringify(head).slice(0, -1)},"result":{"tools":${known}${tail}}}`;
}
