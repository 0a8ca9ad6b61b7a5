/**
 * Putting a member into an object of a JSON text with comments, without touching a character of anything else.
 * @module
 */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { JsonValue } from "../../core/json.ts";

const PARSE = { allowTrailingComma: true };
/** What may stand behind a member on its line and belongs to it. */
const REST_OF_LINE = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?=\r?\n|$)/y;
const BLANKS_AND_COMMENTS = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;

/**
 * Sets a member; the objects that lead to it are made where they are missing.
 *
 * @param text The JSON text.
 * @param path The keys that lead to the member.
 * @param value The member's value.
 * @returns The text with the member in it.
 * @throws {SyntaxError} If something other than an object stands on the way.
 */
export function setMember(text: string, path: readonly string[], value: JsonValue): string {
  const root = parseTree(text, [], PARSE);
  const present = root && findNodeAtLocation(root, [...path]);
  if (present !== undefined) return replaceValue(text, present, value);
  for (let length = path.length - 1; root !== undefined && length >= 0; length--) {
    const parent = length === 0 ? root : findNodeAtLocation(root, path.slice(0, length));
    if (parent === undefined) continue;
    if (parent.type !== "object") break;
    const inner = path.slice(length + 1).reduceRight<JsonValue>(
      (item, key) => ({ [key]: item }),
      value,
    );
    return insertMember(text, parent, path[length]!, inner);
  }
  throw new SyntaxError(`Cannot set "${path.join(".")}": its parent is not an object`);
}

function replaceValue(text: string, node: Node, value: JsonValue): string {
  const written = write(value, indentAt(text, node.offset), text);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

function insertMember(text: string, parent: Node, key: string, value: JsonValue): string {
  const eol = eolOf(text);
  const outer = indentAt(text, parent.offset);
  const last = parent.children?.at(-1);
  const first = parent.children?.[0];
  const inner = first !== undefined && startsLine(text, first.offset)
    ? indentAt(text, first.offset)
    : outer + unitOf(text);
  const member = `${eol}${inner}${JSON.stringify(key)}: ${write(value, inner, text)}`;
  if (last === undefined) {
    const at = parent.offset + 1;
    const rest = skip(text, at, REST_OF_LINE);
    const close = text.slice(at).trimStart().startsWith("}") ? eol + outer : "";
    const after = close === "" ? rest : skip(text, at, /\s*/y);
    return text.slice(0, close === "" ? rest : at) + member + close + text.slice(after);
  }
  return insertAfter(text, last, member, eol + outer);
}

function insertAfter(text: string, last: Node, member: string, close: string): string {
  const end = last.offset + last.length;
  const comma = skip(text, end, BLANKS_AND_COMMENTS);
  const hasComma = text[comma] === ",";
  const from = hasComma ? comma + 1 : end;
  REST_OF_LINE.lastIndex = from;
  const rest = REST_OF_LINE.exec(text);
  const at = rest === null ? from : from + rest[0].length;
  // The object ends on the same line: its brace goes to a line of its own.
  const closing = rest === null && /^[ \t]*\}/.test(text.slice(from)) ? close : "";
  const tail = closing === "" ? text.slice(at) : text.slice(at).trimStart();
  return text.slice(0, end) + (hasComma ? "" : ",") + text.slice(end, at) + member +
    (hasComma ? "," : "") + closing + tail;
}

function write(value: JsonValue, indent: string, text: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll("\n", eolOf(text) + indent);
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))![0];
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
