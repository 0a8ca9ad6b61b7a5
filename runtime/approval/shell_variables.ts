/**
 * Variables of a shell script whose values can be told from its text.
 * @module
 */
import type { ShellVariables } from "./shell_types.ts";

/** How many characters expansions may add in all: a text that doubles itself must not grow for ever. */
const MAX_EXPANDED_CHARS = 100_000;
const MAX_VALUE_CHARS = 4_096;
const OPERATOR = /^:?[-=]/;

/** What an expansion gives. */
export interface Expansion {
  /** The text; what is not known stays as it was written. */
  readonly text: string;
  /** Whether the text is what the shell would put there. */
  readonly isKnown: boolean;
  /** Whether it is split into words even between quotes. */
  readonly isList: boolean;
}

/** Puts in the values of variables. */
export class VariableExpander {
  readonly #variables: ShellVariables;
  #left = MAX_EXPANDED_CHARS;

  /**
   * Makes an expander.
   *
   * @param variables What is known; new values go there.
   */
  constructor(variables: ShellVariables) {
    this.#variables = variables;
  }

  /**
   * Remembers a value.
   *
   * @param name The variable.
   * @param value Its value.
   */
  set(name: string, value: string): void {
    this.#variables.set(name, value.slice(0, MAX_VALUE_CHARS));
  }

  /**
   * Takes `NAME=value` apart and remembers it.
   *
   * @param text A word.
   * @returns Whether the word sets a variable.
   */
  assign(text: string): boolean {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?(\+?)=/.exec(text);
    if (!match) return false;
    const [whole, name, more] = match;
    const before = more === "+" ? this.#variables.get(name!) ?? "" : "";
    this.set(name!, before + text.slice(whole.length));
    return true;
  }

  /**
   * Remembers what a command sets: a loop's variable, or the positional ones.
   *
   * @param words The command.
   */
  learn(words: readonly string[]): void {
    const [program, name, third] = words;
    if ((program === "for" || program === "select") && third === "in") {
      this.set(name!, words.slice(3).join(" "));
    }
    if (program === "set") this.setPositional(words.slice(name === "--" ? 2 : 1));
  }

  /**
   * Remembers the positional variables.
   *
   * @param values What `$1` and the following are.
   */
  setPositional(values: readonly string[]): void {
    this.set("@", values.join(" "));
    values.slice(0, 9).forEach((value, index) => this.set(String(index + 1), value));
  }

  /**
   * The value of a variable.
   *
   * @param name Its name.
   * @param written The whole expansion as it was written.
   * @param rest What follows the name between braces.
   * @returns What the shell would put there, as far as that is known.
   */
  expand(name: string, written: string, rest = ""): Expansion {
    const isList = name === "@" || name === "*" || rest.startsWith("[");
    const value = this.#valueOf(name, rest.startsWith("[") ? "" : rest);
    if (value === undefined || value.length > this.#left) {
      return { text: written, isKnown: false, isList: false };
    }
    this.#left -= value.length;
    return { text: value, isKnown: true, isList };
  }

  /**
   * Counts text that a substitution puts in.
   *
   * @param text The text.
   * @returns Whether there is room for it.
   */
  takes(text: string): boolean {
    if (text.length > this.#left) return false;
    this.#left -= text.length;
    return true;
  }

  #valueOf(name: string, rest: string): string | undefined {
    if (name === "HOME") return "~";
    if (name === "IFS") return " ";
    const value = this.#variables.get(name);
    if (value !== undefined && value !== "") return value;
    const operator = OPERATOR.exec(rest)?.[0];
    return operator === undefined ? value : rest.slice(operator.length);
  }
}
