/**
 * Putting the words of a shell command together.
 * @module
 */
import type { ShellCommand, ShellWord } from "./shell_types.ts";

/** Collects what one stretch of text between blanks becomes: one word, several, or none. */
export class WordBuilder {
  #text = "";
  #isBegun = false;
  #isPlain = true;
  #isUnknown = false;
  #substitutions: ShellCommand[] = [];
  readonly #words: ShellWord[] = [];

  /** The text so far, since the last split. */
  get text(): string {
    return this.#text;
  }

  /** Whether everything so far was written as it is. */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /**
   * Adds text that is written as it is.
   *
   * @param text The text.
   */
  plain(text: string): void {
    this.#text += text;
    this.#isBegun = true;
  }

  /**
   * Adds text that was quoted or expanded, which is never split.
   *
   * @param text The text.
   */
  quoted(text: string): void {
    this.plain(text);
    this.#isPlain = false;
  }

  /**
   * Adds an expansion's text, split at blanks.
   *
   * @param text The text.
   */
  split(text: string): void {
    this.#isPlain = false;
    const parts = text.split(/[ \t\n]+/);
    parts.forEach((part, index) => {
      if (index > 0) this.#end();
      if (part !== "") this.plain(part);
    });
  }

  /** Says that part of the word is not known. */
  unknown(): void {
    this.#isUnknown = true;
  }

  /**
   * Adds commands whose output is part of the word.
   *
   * @param commands The commands.
   */
  substitute(commands: readonly ShellCommand[]): void {
    this.#isPlain = false;
    this.#substitutions.push(...commands.slice(0, 50));
  }

  /**
   * Ends the stretch.
   *
   * @returns The words.
   */
  finish(): readonly ShellWord[] {
    this.#end();
    return this.#words;
  }

  #end(): void {
    if (this.#isBegun) {
      this.#words.push({
        text: this.#text,
        isPlain: this.#isPlain,
        isUnknown: this.#isUnknown,
        substitutions: this.#substitutions,
      });
    }
    this.#text = "";
    this.#isBegun = false;
  }
}
