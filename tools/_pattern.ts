/**
 * Regular expressions that mean the same to ripgrep and to JavaScript.
 *
 * A pattern is taken apart and written anew in both dialects. `\w`, `\d`, `\s` and `\b` know all of Unicode,
 * as in ripgrep. Look-around and back-references are JavaScript's alone; then there is no ripgrep form.
 * @module
 */
import { ToolError } from "@cloister/cloister/tool";
import { Cursor, readClass, readEscape } from "./_pattern_parts.ts";

/** A pattern in both dialects. */
export interface Pattern {
  /** For JavaScript; to be tested on a line without its line end. */
  readonly regexp: RegExp;
  /** For ripgrep, or `undefined` when only JavaScript can do it. */
  readonly rust: string | undefined;
}

/**
 * Reads a pattern.
 *
 * @param source The pattern as the model wrote it.
 * @returns It in both dialects.
 * @throws {ToolError} If it is no valid pattern, or could match over a line end; the message says where.
 */
export function readPattern(source: string): Pattern {
  const writer = new Writer(source);
  writer.run();
  try {
    return { regexp: new RegExp(writer.js, "v"), rust: writer.rustOnly() };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^.*\/v: /, "") : String(cause);
    throw new ToolError(`Cannot search for ${JSON.stringify(source)}: ${reason}`, { cause });
  }
}

interface Group {
  /** Inline flags such as `(?i)` that hold to the end of this group, each opened as a group of its own. */
  readonly flags: string[];
}

class Writer {
  js = "";
  #rust = "";
  #javascriptOnly = false;
  readonly #cursor: Cursor;
  readonly #groups: Group[] = [{ flags: [] }];
  #repeatable = false;

  constructor(source: string) {
    this.#cursor = new Cursor(source);
  }

  run(): void {
    while (!this.#cursor.done()) this.#next();
    if (this.#groups.length > 1) throw this.#cursor.fault('a "(" is not closed');
    this.#closeFlags();
  }

  rustOnly(): string | undefined {
    return this.#javascriptOnly ? undefined : this.#rust;
  }

  #next(): void {
    const char = this.#cursor.peek();
    if (char === "(") return this.#open();
    if (char === ")") return this.#close();
    if (char === "|") return this.#alternative();
    if ("*+?".includes(char) || this.#cursor.quantifier()) return this.#quantify();
    if (char === "^" || char === "$") return this.#lineEdge(this.#cursor.take());
    this.#atom(char);
  }

  #lineEdge(char: string): void {
    // Ripgrep 13 lets "$" take in a carriage return, which shows when something follows.
    if (char === "$" && !["", ")", "|"].includes(this.#cursor.peek())) this.#javascriptOnly = true;
    this.#put(char, char, false);
  }

  #atom(char: string): void {
    if (char === ".") {
      this.#cursor.take();
      return this.#put("[^\\n]", ".");
    }
    if (char === "\n" || char === "\r") {
      throw this.#cursor.fault("a pattern matches within one line only");
    }
    if (char !== "[" && char !== "\\") {
      const literal = escapeLiteral(this.#cursor.take());
      return this.#put(literal, literal);
    }
    const part = char === "[" ? readClass(this.#cursor) : readEscape(this.#cursor);
    if (part.rust === undefined) this.#javascriptOnly = true;
    this.#put(part.js, part.rust ?? "", part.repeatable);
  }

  #put(js: string, rust: string, repeatable = true): void {
    this.js += js;
    this.#rust += rust;
    this.#repeatable = repeatable;
  }

  #quantify(): void {
    if (!this.#repeatable) throw this.#cursor.fault("there is nothing to repeat");
    let text = this.#cursor.quantifier() ?? this.#cursor.peek();
    this.#cursor.skip(text.length);
    if (this.#cursor.peek() === "?") text += this.#cursor.take();
    if (this.#cursor.peek() === "+") {
      throw this.#cursor.fault("possessive repetition is not supported");
    }
    this.#put(text, text, false);
  }

  #open(): void {
    const opening = this.#cursor.match(
      /\((?:\?(?:P?<([A-Za-z_]\w*)>|<?[=!]|[ims]*(?:-[ims]+)?[:)]|:))?/y,
    );
    if (!opening || (opening[0] === "(" && this.#cursor.peek() === "?")) {
      throw this.#cursor.fault("this kind of group is not supported");
    }
    const [text, name] = opening;
    if (text.endsWith(")")) return this.#openFlags(text.slice(2, -1));
    this.#groups.push({ flags: [] });
    if (name !== undefined) return this.#put(`(?<${name}>`, `(?P<${name}>`, false);
    if (/[=!]$/.test(text)) this.#javascriptOnly = true;
    const flagged = text.endsWith(":") ? flagGroup(text.slice(2, -1)) : text;
    this.#put(flagged, flagged, false);
  }

  #openFlags(flags: string): void {
    const group = flagGroup(flags);
    this.#groups.at(-1)!.flags.push(group);
    this.#put(group, group, false);
  }

  #close(): void {
    if (this.#groups.length === 1) throw this.#cursor.fault('this ")" closes nothing');
    this.#closeFlags();
    this.#groups.pop();
    this.#put(this.#cursor.take(), ")");
  }

  #closeFlags(): void {
    const closing = ")".repeat(this.#groups.at(-1)!.flags.length);
    this.#put(closing, closing);
  }

  /** Inline flags hold over alternatives, so their groups are closed and opened again. */
  #alternative(): void {
    this.#closeFlags();
    const again = this.#cursor.take() + this.#groups.at(-1)!.flags.join("");
    this.#put(again, again, false);
  }
}

/** Only `i` matters within one line. */
function flagGroup(flags: string): string {
  const [on, off = ""] = flags.split("-");
  if (on!.includes("i")) return "(?i:";
  return off.includes("i") ? "(?-i:" : "(?:";
}

function escapeLiteral(char: string): string {
  if (!/[\^$\\.*+?()[\]{}|/]/.test(char)) return char;
  return char === "/" ? char : `\\${char}`;
}
