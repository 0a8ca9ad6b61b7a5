/**
 * Where a value stands in a configuration file. Loaded only when there is something to say about it.
 * @module
 */
import { findNodeAtLocation, parseTree } from "jsonc-parser";

/** A place in a text, from 1. */
export interface TextPlace {
  /** The line. */
  readonly line: number;
  /** The column, in UTF-16 code units. */
  readonly column: number;
}

/**
 * Finds an element of a list.
 *
 * @param text The file's text.
 * @param path The keys that lead to the list.
 * @param value The element.
 * @returns Its place; that of the nearest parent where it is not there, the first one for want of any.
 */
export function locateElement(text: string, path: readonly string[], value: string): TextPlace {
  const root = parseTree(text, [], { allowTrailingComma: true });
  for (let length = path.length; root && length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node === undefined) continue;
    const element = node.children?.find((child) => child.value === value);
    return placeOf(text, (element ?? node).offset);
  }
  return { line: 1, column: 1 };
}

function placeOf(text: string, offset: number): TextPlace {
  const lines = text.slice(0, offset).split(/\r\n|[\n\r]/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
