/**
 * Escapes and classes of a pattern, in both dialects.
 * @module
 */
import { ToolError } from "@cloister/cloister/tool";

/** A part of a pattern. */
export interface Part {
  /** For JavaScript, flag `v`. */
  readonly js: string;
  /** For ripgrep, or `undefined` when it has no such thing. */
  readonly rust: string | undefined;
  /** Whether a repetition may follow. */
  readonly repeatable: boolean;
}

/** What the class escapes stand for, as the inside of a JavaScript class. */
export const SETS: Readonly<Record<"d" | "w" | "s", string>> = {
  d: "\\p{Nd}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
  s: "\\p{White_Space}",
};

const BOUNDARY = `(?:(?<=[${SETS.w}])(?![${SETS.w}])|(?<![${SETS.w}])(?=[${SETS.w}]))`;
const NO_BOUNDARY = `(?:(?<=[${SETS.w}])(?=[${SETS.w}])|(?<![${SETS.w}])(?![${SETS.w}]))`;
const CONTROLS: Readonly<Record<string, number>> = { t: 9, v: 11, f: 12, a: 7 };
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t ",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  lower: "a-z",
  print: "\\x20-\\x7E",
  punct: "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
  space: "\\t\\x0B\\f ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** Walks through a pattern. */
export class Cursor {
  readonly #source: string;
  #at = 0;

  /**
   * Starts at the beginning.
   *
   * @param source The pattern.
   */
  constructor(source: string) {
    this.#source = source;
  }

  /** Whether the end is reached. */
  done(): boolean {
    return this.#at >= this.#source.length;
  }

  /** The next character, or an empty text. */
  peek(): string {
    const point = this.#source.codePointAt(this.#at);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  /** The next character; goes past it. */
  take(): string {
    const char = this.peek();
    this.#at += char.length;
    return char;
  }

  /** Goes past some code units. */
  skip(count: number): void {
    this.#at += count;
  }

  /** Goes past what a sticky expression matches here. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }

  /** The counted repetition that stands here, such as `{2,5}`; a brace that is none is a literal one. */
  quantifier(): string | undefined {
    const expression = /\{\d+(?:,\d*)?\}/y;
    expression.lastIndex = this.#at;
    return expression.exec(this.#source)?.[0];
  }

  /** The error for what stands here. */
  fault(reason: string): ToolError {
    const where = this.done() ? "its end" : `character ${this.#at + 1}`;
    return new ToolError(
      `Cannot search for ${JSON.stringify(this.#source)}: at ${where}, ${reason}`,
    );
  }
}

/**
 * Reads an escape outside of a class.
 *
 * @param cursor Stands on the backslash.
 * @returns The escape in both dialects.
 * @throws {ToolError} If there is no such escape.
 */
export function readEscape(cursor: Cursor): Part {
  const simple = cursor.match(/\\(?:([bBAz<>])|([1-9]\d*|k<\w+>))/y);
  if (!simple) {
    const item = readItem(cursor);
    const js = item.set ? `[${item.js}]` : item.js;
    return { js, rust: item.rust, repeatable: true };
  }
  const [text, anchor] = simple;
  if (anchor === undefined) return { js: text, rust: undefined, repeatable: true };
  if (anchor === "b") return { js: BOUNDARY, rust: "\\b", repeatable: false };
  // Ripgrep's \B may stand between the bytes of one character, so it stays with JavaScript.
  if (anchor === "B") return { js: NO_BOUNDARY, rust: undefined, repeatable: false };
  if (anchor === "<" || anchor === ">") {
    const side = anchor === "<"
      ? `(?<![${SETS.w}])(?=[${SETS.w}])`
      : `(?<=[${SETS.w}])(?![${SETS.w}])`;
    return { js: `(?:${side})`, rust: undefined, repeatable: false };
  }
  throw cursor.fault(`"\\${anchor}" is not supported; "^" and "$" are the ends of a line`);
}

/**
 * Reads a class in brackets. Within it `[` is a literal character, and so are `&&`, `--` and `~~`.
 *
 * @param cursor Stands on the opening bracket.
 * @returns The class in both dialects.
 * @throws {ToolError} If it is not closed or holds an unknown escape.
 */
export function readClass(cursor: Cursor): Part {
  const negated = cursor.match(/\[(\^?)/y)![1]!;
  let [js, rust] = ["", ""];
  for (let first = true; first || cursor.peek() !== "]"; first = false) {
    if (cursor.done()) throw cursor.fault('a "[" is not closed');
    const item = readRange(cursor);
    js += item.js;
    rust += item.rust;
  }
  cursor.take();
  return { js: `[${negated}${js}]`, rust: `[${negated}${rust}]`, repeatable: true };
}

interface Item {
  readonly js: string;
  readonly rust: string;
  /** Whether it stands for several characters. */
  readonly set: boolean;
}

function readRange(cursor: Cursor): Item {
  const posix = cursor.match(/\[:(\^?)(\w+):\]/y);
  if (posix) return posixItem(cursor, posix);
  const from = readItem(cursor);
  if (from.set || !cursor.match(/-(?!\])/y)) return from;
  const to = readItem(cursor);
  if (to.set) throw cursor.fault("a range of a class must end with a character");
  return { js: `${from.js}-${to.js}`, rust: `${from.rust}-${to.rust}`, set: true };
}

function posixItem(cursor: Cursor, [text, negated, name]: RegExpExecArray): Item {
  const set = POSIX[name!];
  if (set === undefined) throw cursor.fault(`there is no class "${text}"`);
  return { js: `[${negated}${set}]`, rust: text, set: true };
}

/** A single character or a class escape. */
function readItem(cursor: Cursor): Item {
  if (cursor.peek() !== "\\") return literal(cursor, cursor.take());
  const set = cursor.match(/\\([dws])/iy)?.[1];
  if (set !== undefined) return classEscape(set);
  const property = cursor.match(/\\([pP])(?:\{(\^?)([\w=]+)\}|([A-Za-z]))/y);
  if (property) return propertyItem(cursor, property);
  const code = cursor.match(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|[xu]\{([0-9a-f]{1,6})\})/iy);
  if (code) return numbered(cursor, Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16));
  cursor.take();
  const char = cursor.take();
  const control = CONTROLS[char];
  if (control !== undefined) return numbered(cursor, control);
  if (char === "n" || char === "r") throw cursor.fault("a pattern matches within one line only");
  if (char === "" || /[A-Za-z0-9]/.test(char)) throw cursor.fault(`"\\${char}" is no known escape`);
  return literal(cursor, char);
}

function classEscape(letter: string): Item {
  const inside = SETS[letter.toLowerCase() as keyof typeof SETS];
  const js = letter === letter.toLowerCase() ? inside : `[^${inside}]`;
  return { js, rust: `\\${letter}`, set: true };
}

function propertyItem(cursor: Cursor, found: RegExpExecArray): Item {
  const [, letter, caret, long, short] = found;
  const name = long ?? short!;
  const sign = (letter === "P") !== (caret === "^") ? "P" : "p";
  for (const js of [`\\${sign}{${name}}`, `\\${sign}{Script=${name}}`]) {
    if (compiles(js)) return { js, rust: `\\${sign}{${name}}`, set: true };
  }
  throw cursor.fault(`there is no Unicode property "${name}"`);
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, "v") !== undefined;
  } catch {
    return false;
  }
}

function numbered(cursor: Cursor, code: number): Item {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw cursor.fault(`there is no character ${code.toString(16)}`);
  }
  return literal(cursor, String.fromCodePoint(code));
}

function literal(cursor: Cursor, char: string): Item {
  const code = char.codePointAt(0)!;
  if (code === 10 || code === 13) throw cursor.fault("a pattern matches within one line only");
  if (/[\p{L}\p{N}_]/u.test(char)) return { js: char, rust: char, set: false };
  const hex = code.toString(16).toUpperCase();
  return { js: `\\u{${hex}}`, rust: `\\x{${hex}}`, set: false };
}
