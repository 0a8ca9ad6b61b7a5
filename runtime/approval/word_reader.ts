/**
 * Reading the words of a shell script: quotes, expansions, substitutions.
 * @module
 */
import { decodeAnsiQuoted } from "./ansi_quotes.ts";
import { knownOutput } from "./command_builder.ts";
import { parseScript, type ShellParser } from "./shell_parser.ts";
import { VariableExpander } from "./shell_variables.ts";
import type { ShellCommand, ShellVariables, ShellWord } from "./shell_types.ts";
import { WordBuilder } from "./word_builder.ts";

const NAME = /(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*])/y;
const OUTSIDE = /[^\s;&|<>()'"`\\$]+/y;
const QUOTED = /[^"`\\$]+/y;
const INSIDE = /[^}'"`\\$]+/y;
const MAX_LEVEL = 40;
const ENDS: ReadonlySet<string> = new Set(" \t\r\n;&|()");

/** Reads words for a parser, at its place. */
export class WordReader {
  readonly #parser: ShellParser;
  /** The variables whose values are known. */
  readonly known: ShellVariables;
  /** What is known of variables. */
  readonly variables: VariableExpander;
  #level = 0;

  /**
   * Makes a reader.
   *
   * @param parser Whose text and place are used.
   * @param variables What is known of variables.
   */
  constructor(parser: ShellParser, variables: ShellVariables) {
    this.#parser = parser;
    this.known = variables;
    this.variables = new VariableExpander(variables);
  }

  /**
   * Reads up to the next blank or operator.
   *
   * @returns The words; none when there is no word here.
   */
  read(): readonly ShellWord[] {
    const parser = this.#parser;
    const word = new WordBuilder();
    while (parser.at < parser.text.length) {
      const char = parser.text[parser.at]!;
      if (ENDS.has(char)) break;
      if (char === "<" || char === ">") {
        if (parser.text[parser.at + 1] !== "(") break;
        this.#process(word);
      } else if (char === "'") this.#single(word);
      else if (char === '"') this.#double(word);
      else if (!this.#special(word, false)) this.#run(word, OUTSIDE);
    }
    return word.finish();
  }

  /** Reads the parser's whole text as that of a here-document, in which quotes mean nothing. */
  readDocument(): void {
    const parser = this.#parser;
    const word = new WordBuilder();
    while (parser.at < parser.text.length) {
      if (parser.text[parser.at] === '"') parser.at++;
      else if (!this.#special(word, true)) this.#run(word, QUOTED);
    }
  }

  /**
   * Goes on behind what a pattern matches.
   *
   * @param pattern A sticky pattern that also matches nothing.
   */
  skip(pattern: RegExp): void {
    pattern.lastIndex = this.#parser.at;
    pattern.exec(this.#parser.text);
    this.#parser.at = pattern.lastIndex;
  }

  /**
   * Reads the values of an array, from its opening parenthesis to behind the closing one.
   *
   * @returns The values.
   */
  array(): readonly string[] {
    const parser = this.#parser;
    const values: string[] = [];
    for (parser.at++; parser.at < parser.text.length;) {
      this.#skipComments();
      if (parser.text[parser.at] === ")") break;
      const read = this.read();
      values.push(...read.map(({ text }) => text));
      if (read.length === 0) parser.at++;
    }
    parser.at++;
    return values;
  }

  /**
   * Reads a pattern of `case`, to behind its parenthesis.
   *
   * @returns Whether there was one; not at `esac`.
   */
  pattern(): boolean {
    const parser = this.#parser;
    this.#skipComments();
    if (parser.text[parser.at] === "(") parser.at++;
    while (parser.at < parser.text.length) {
      this.skip(/[\s|]*/y);
      if (parser.text[parser.at] === ")") {
        parser.at++;
        return true;
      }
      const [word] = this.read();
      if (word === undefined || word.text === "esac" && word.isPlain) return false;
    }
    return false;
  }

  #skipComments(): void {
    this.skip(/\s*/y);
    while (this.#parser.text[this.#parser.at] === "#") {
      this.skip(/[^\n]*/y);
      this.skip(/\s*/y);
    }
  }

  #run(word: WordBuilder, pattern: RegExp): void {
    pattern.lastIndex = this.#parser.at;
    const [text] = pattern.exec(this.#parser.text) ?? [this.#parser.text[this.#parser.at]!];
    this.#parser.at += text.length;
    if (pattern === OUTSIDE) word.plain(text);
    else word.quoted(text);
  }

  #single(word: WordBuilder): void {
    const { text, at } = this.#parser;
    const end = text.indexOf("'", at + 1);
    word.quoted(text.slice(at + 1, end < 0 ? text.length : end));
    this.#parser.at = end < 0 ? text.length : end + 1;
  }

  #double(word: WordBuilder): void {
    const parser = this.#parser;
    word.quoted("");
    parser.at++;
    while (parser.at < parser.text.length && parser.text[parser.at] !== '"') {
      if (!this.#special(word, true)) this.#run(word, QUOTED);
    }
    parser.at++;
  }

  // Backslash, dollar and backtick; tells whether one of them was there.
  #special(word: WordBuilder, isQuoted: boolean): boolean {
    const parser = this.#parser;
    const char = parser.text[parser.at]!;
    if (char === "\\") this.#escape(word, isQuoted);
    else if (char === "`") this.#backticks(word, isQuoted);
    else if (char === "$") this.#dollar(word, isQuoted);
    else return false;
    return true;
  }

  #escape(word: WordBuilder, isQuoted: boolean): void {
    const parser = this.#parser;
    const next = parser.text[parser.at + 1] ?? "";
    parser.at += 2;
    if (next === "\n") return;
    word.quoted(isQuoted && !/["\\$`]/.test(next) ? `\\${next}` : next);
  }

  #backticks(word: WordBuilder, isQuoted: boolean): void {
    const parser = this.#parser;
    const inside = /`((?:[^`\\]|\\[\s\S])*)`?/y;
    inside.lastIndex = parser.at;
    const written = inside.exec(parser.text)?.[1] ?? "";
    parser.at = Math.max(inside.lastIndex, parser.at + 1);
    const script = written.replace(isQuoted ? /\\([\\$`"])/g : /\\([\\$`])/g, "$1");
    const parsed = parser.depth >= MAX_LEVEL
      ? { commands: [], isUnclear: true }
      : parseScript(script, { variables: this.known, depth: parser.depth + 1 });
    parser.take(parsed);
    this.#putIn(word, parsed.commands, isQuoted);
  }

  #dollar(word: WordBuilder, isQuoted: boolean): void {
    const parser = this.#parser;
    const { text, at } = parser;
    const next = text[at + 1] ?? "";
    if (next === "(") {
      const isArithmetic = text[at + 2] === "(";
      parser.at += 2;
      this.#putIn(word, parser.nested(isArithmetic), isQuoted);
    } else if (next === "{") this.#braced(word, isQuoted);
    else if (next === "'" && !isQuoted) this.#ansi(word);
    else if (next === '"' && !isQuoted) parser.at++;
    else {
      NAME.lastIndex = at + 1;
      const name = NAME.exec(text)?.[0];
      parser.at += 1 + (name?.length ?? 0);
      if (name === undefined) word.quoted("$");
      else this.#value(word, name, `$${name}`, "", isQuoted);
    }
  }

  #ansi(word: WordBuilder): void {
    const inside = /\$'((?:[^'\\]|\\[\s\S])*)'?/y;
    inside.lastIndex = this.#parser.at;
    word.quoted(decodeAnsiQuoted(inside.exec(this.#parser.text)?.[1] ?? ""));
    this.#parser.at = Math.max(inside.lastIndex, this.#parser.at + 2);
  }

  #braced(word: WordBuilder, isQuoted: boolean): void {
    const parser = this.#parser;
    const begin = parser.at;
    parser.at += 2;
    if (/[#!]/.test(parser.text[parser.at] ?? "")) parser.at++;
    NAME.lastIndex = parser.at;
    const name = NAME.exec(parser.text)?.[0] ?? "";
    parser.at += name.length;
    const rest = new WordBuilder();
    if (this.#level < MAX_LEVEL) {
      this.#level++;
      this.#untilBrace(rest, isQuoted);
      this.#level--;
    } else {
      parser.isUnclear = true;
      parser.at = parser.text.length;
    }
    const [inner] = rest.finish();
    word.substitute(inner?.substitutions ?? []);
    const written = parser.text.slice(begin, Math.min(parser.at, begin + 200));
    this.#value(word, name, written, inner?.text ?? "", isQuoted);
  }

  #untilBrace(rest: WordBuilder, isQuoted: boolean): void {
    const parser = this.#parser;
    while (parser.at < parser.text.length && parser.text[parser.at] !== "}") {
      const char = parser.text[parser.at]!;
      // Whether these quote between double quotes depends on the shell and on the operator.
      if (char === "'" && isQuoted) parser.isUnclear = true;
      if (char === "'" && !isQuoted) this.#single(rest);
      else if (char === '"') this.#double(rest);
      else if (!this.#special(rest, true)) this.#run(rest, INSIDE);
    }
    parser.at++;
  }

  #value(
    word: WordBuilder,
    name: string,
    written: string,
    rest: string,
    isQuoted: boolean,
  ): void {
    const { text, isKnown, isList } = this.variables.expand(name, written, rest);
    if (!isKnown) word.unknown();
    if (!isKnown || isQuoted && !isList) word.quoted(text);
    else word.split(text);
  }

  #process(word: WordBuilder): void {
    this.#parser.at += 2;
    word.substitute(this.#parser.nested(false));
    word.quoted("/dev/fd/63");
  }

  #putIn(word: WordBuilder, commands: readonly ShellCommand[], isQuoted: boolean): void {
    word.substitute(commands);
    const output = knownOutput(commands);
    if (output === undefined || !this.variables.takes(output)) {
      word.unknown();
      word.quoted("$()");
    } else if (isQuoted) word.quoted(output);
    else word.split(output);
  }
}
