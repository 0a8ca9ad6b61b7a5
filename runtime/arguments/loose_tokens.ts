/**
 * The tokens of a text that is nearly JSON.
 * @module
 */

/** One token. */
export interface LooseToken {
  /** What it is: a bracket, colon or comma, a text in quotes, a number, a bare word. */
  readonly kind: "mark" | "text" | "number" | "word";
  /** The mark, the text without quotes and escapes, or the number or word as it is written. */
  readonly value: string;
  /** Where it ends. */
  readonly end: number;
}

const SKIPPED = /(?:[\s\uFEFF\u00A0]+|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /[A-Za-z_$][\w$-]*/y;
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["\u201C", "\u201D"],
  ["\u2018", "\u2019"],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/**
 * Reads the tokens of one object.
 *
 * @param text The text.
 * @param start Where the object begins.
 * @returns The tokens up to the bracket that closes it; `"cut"` when the text ends before, `"unclear"` when
 * something in it is no token or a bracket closes another one.
 */
export function readObjectTokens(text: string, start: number): LooseToken[] | "cut" | "unclear" {
  const tokens: LooseToken[] = [];
  const open: string[] = [];
  for (let at = start;;) {
    at = matchAt(SKIPPED, text, at)?.end ?? at;
    if (at >= text.length) return "cut";
    const token = readToken(text, at);
    if (typeof token === "string") return token;
    tokens.push(token);
    at = token.end;
    if (token.kind !== "mark") continue;
    if (token.value === "{") open.push("}");
    else if (token.value === "[") open.push("]");
    else if ("]}".includes(token.value) && open.pop() !== token.value) return "unclear";
    if (open.length === 0) return tokens;
  }
}

function readToken(text: string, at: number): LooseToken | "cut" | "unclear" {
  const first = text[at]!;
  if ("{}[]:,".includes(first)) return { kind: "mark", value: first, end: at + 1 };
  const closing = QUOTES.get(first);
  if (closing !== undefined) return readQuoted(text, at + 1, closing);
  const number = matchAt(NUMBER, text, at);
  if (number) return { kind: "number", ...number };
  const word = matchAt(WORD, text, at);
  return word ? { kind: "word", ...word } : "unclear";
}

function readQuoted(text: string, from: number, closing: string): LooseToken | "cut" | "unclear" {
  let value = "";
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === closing) return { kind: "text", value, end: at + 1 };
    if (char !== "\\") {
      value += char;
      continue;
    }
    const unicode = /^u([0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6));
    const escaped = unicode ? String.fromCharCode(parseInt(unicode[1]!, 16)) : undefined;
    const plain = escaped ?? ESCAPES.get(text[at + 1] ?? "");
    if (plain === undefined) return at + 1 >= text.length ? "cut" : "unclear";
    value += plain;
    at += unicode ? 5 : 1;
  }
  return "cut";
}

function matchAt(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly value: string; readonly end: number } | undefined {
  let end = at;
  // Space and comments follow each other in any number.
  do {
    pattern.lastIndex = end;
    if (!pattern.test(text)) break;
    end = pattern.lastIndex;
  } while (pattern === SKIPPED);
  return end === at ? undefined : { value: text.slice(at, end), end };
}
