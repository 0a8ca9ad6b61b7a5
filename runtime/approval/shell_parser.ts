/**
 * Taking a shell script apart, as far as it must be to see which programs it starts with which arguments.
 * Reads each character once for each level of nesting; nesting is bounded; never throws.
 * @module
 */
import { CommandBuilder } from "./command_builder.ts";
import { type PendingInput, readDelimiter, takeInput } from "./here_documents.ts";
import type { ParsedScript, ShellCommand, ShellVariables, ShellWord } from "./shell_types.ts";
import { WordReader } from "./word_reader.ts";

const MAX_DEPTH = 40;
/** Words after which a command may begin. */
const LEADING: ReadonlySet<string> = new Set(
  "if then elif else do while until ! time -p coproc fi done esac".split(" "),
);
const DECLARING: ReadonlySet<string> = new Set("export declare typeset local readonly".split(" "));

/** How a list of commands ends. */
type Closer = "" | ")" | "esac";

/** Options of {@linkcode parseScript}. */
export interface ParseOptions {
  /** Variables whose values are known; gets those that the script sets. */
  readonly variables: ShellVariables;
  /** Whether `((` begins arithmetic, which has neither comments nor here-documents. @default {true} */
  readonly hasArithmetic?: boolean;
  /** How deep the script is nested in others. @default {0} */
  readonly depth?: number;
}

/**
 * Takes a script apart.
 *
 * @param text The script.
 * @param options What is known.
 * @returns Its commands.
 */
export function parseScript(text: string, options: ParseOptions): ParsedScript {
  return new ShellParser(text, options).parse();
}

/** Reads a script; its words are read by a reader that shares its place. */
export class ShellParser {
  readonly text: string;
  readonly commands: ShellCommand[] = [];
  readonly #words: WordReader;
  readonly #hasArithmetic: boolean;
  readonly #functions: string[] = [];
  readonly #braces: boolean[] = [];
  #pending: PendingInput[] = [];
  #comingFunction: string | undefined;
  #arithmetic = 0;
  #depth: number;
  /** Where it is. */
  at = 0;
  /** Whether part of the text cannot be told for sure. */
  isUnclear = false;

  constructor(text: string, options: ParseOptions) {
    this.text = text;
    this.#hasArithmetic = options.hasArithmetic ?? true;
    this.#depth = options.depth ?? 0;
    this.#words = new WordReader(this, options.variables);
  }

  /** How deep it is nested. */
  get depth(): number {
    return this.#depth;
  }

  /** Reads a script. */
  parse(): ParsedScript {
    // What is left over after a closing parenthesis too many is looked at as well.
    while (this.at < this.text.length) this.#list("");
    return { commands: this.commands, isUnclear: this.isUnclear };
  }

  /** Reads a here-document, of which only the expansions count. */
  parseDocument(): ParsedScript {
    this.#deeper(() => this.#words.readDocument());
    return { commands: this.commands, isUnclear: this.isUnclear };
  }

  /** Reads the commands of a substitution, behind its opening parenthesis; gives its own commands. */
  nested(isArithmetic: boolean): readonly ShellCommand[] {
    const first = this.commands.length;
    const braces = this.#braces.length;
    if (isArithmetic && this.#hasArithmetic) this.#arithmetic++;
    this.#deeper(() => this.#list(")"));
    if (isArithmetic && this.#hasArithmetic) this.#arithmetic--;
    while (this.#braces.length > braces) this.#closeBrace();
    return this.commands.slice(first, first + 50);
  }

  /** Runs something one level deeper, unless that is too deep. */
  #deeper(read: () => void): void {
    if (this.#depth >= MAX_DEPTH) {
      this.isUnclear = true;
      this.at = this.text.length;
      return;
    }
    this.#depth++;
    read();
    this.#depth--;
  }

  // Tells whether a clause of "case" ended before its "esac".
  #list(closer: Closer): boolean {
    let current = new CommandBuilder([...this.#functions]);
    const end = (isPiped = false): void => {
      const before = current.isCommand ? current : undefined;
      if (before) this.#finish(before);
      const last = before ?? this.commands.at(-1);
      current = new CommandBuilder([...this.#functions], isPiped ? last : undefined);
    };
    while (this.at < this.text.length) {
      const char = this.text[this.at]!;
      const next = this.text[this.at + 1];
      if (char === " " || char === "\t" || char === "\r") this.at++;
      else if (char === "\n") {
        this.at++;
        end();
        this.#takeInputs();
      } else if (char === ";") {
        this.at++;
        end();
        if (closer === "esac" && (next === ";" || next === "&")) return true;
      } else if (char === "&" && next === ">") {
        this.at++;
        this.#redirect(current);
      } else if (char === "&") {
        current.isBackground = next !== "&";
        this.at += next === "&" ? 2 : 1;
        end();
      } else if (char === "|") {
        this.at += next === "|" || next === "&" ? 2 : 1;
        end(next !== "|");
      } else if (char === ")") {
        this.at++;
        end();
        if (closer === ")") return false;
      } else if (char === "(") this.#open(current);
      else if (char === "#" && this.#arithmetic === 0) this.#words.skip(/[^\n]*/y);
      else if ((char === "<" || char === ">") && next !== "(") this.#redirect(current);
      else if (this.#word(current, closer)) break;
    }
    end();
    return false;
  }

  // Tells whether the list is at its end.
  #word(current: CommandBuilder, closer: Closer): boolean {
    const read = this.#words.read();
    const isFirst = current.isEmpty;
    for (const word of read) {
      if (isFirst && current.isEmpty && word.isPlain && read.length === 1) {
        if (word.text === "esac" && closer === "esac") return true;
        if (this.#reserved(word.text)) return false;
      }
      this.#add(current, word);
    }
    if (/^\d+$/.test(read[0]?.text ?? "") && /[<>]/.test(this.text[this.at] ?? "")) {
      current.words.pop();
    }
    return false;
  }

  #add(current: CommandBuilder, word: ShellWord): void {
    const { text } = word;
    const [program] = current.words;
    if (program === undefined && this.#words.variables.assign(text)) {
      current.assignments.push(word);
      if (text.endsWith("=") && this.text[this.at] === "(") {
        this.#words.variables.assign(text + this.#words.array().join(" "));
      }
      return;
    }
    current.words.push(word);
    if (program && DECLARING.has(program.text)) this.#words.variables.assign(text);
  }

  #reserved(text: string): boolean {
    if (LEADING.has(text)) return true;
    if (text === "{") {
      this.#openBrace();
      return true;
    }
    if (text === "}") {
      this.#closeBrace();
      return true;
    }
    if (text === "case") this.#deeper(() => this.#case());
    else if (text === "function") this.#comingFunction = this.#plainWord();
    else return false;
    return true;
  }

  #open(current: CommandBuilder): void {
    const isArithmetic = this.text[this.at + 1] === "(";
    this.at++;
    const rest = /[ \t]{0,20}\)/y;
    rest.lastIndex = this.at;
    if (current.words.length === 1 && rest.test(this.text)) {
      this.at = rest.lastIndex;
      this.#comingFunction = current.words.pop()!.text;
    } else if (this.#comingFunction !== undefined && rest.test(this.text)) {
      this.at = this.text.indexOf(")", this.at) + 1;
    } else {
      const name = this.#comingFunction;
      this.#comingFunction = undefined;
      if (name !== undefined) this.#functions.push(name);
      this.nested(isArithmetic);
      if (name !== undefined) this.#functions.pop();
    }
  }

  #openBrace(): void {
    const name = this.#comingFunction;
    this.#comingFunction = undefined;
    this.#braces.push(name !== undefined);
    if (name !== undefined) this.#functions.push(name);
  }

  #closeBrace(): void {
    if (this.#braces.pop()) this.#functions.pop();
  }

  #finish(command: CommandBuilder): void {
    this.#words.variables.learn(command.words.map(({ text }) => text));
    this.commands.push(command);
  }

  #redirect(current: CommandBuilder): void {
    const operator = /(?:<<<|<<-?|<>|<&|>>|>\||>&|<|>)/y;
    operator.lastIndex = this.at;
    const [found] = operator.exec(this.text)!;
    this.at += found.length;
    if (found === "<<" || found === "<<-") {
      if (this.#arithmetic > 0) return;
      const { input, end } = readDelimiter(this.text, this.at, found, current);
      this.#pending.push(input);
      this.at = end;
      return;
    }
    this.#words.skip(/[ \t]*/y);
    const [target] = this.#words.read();
    if (target === undefined) return;
    if (found === "<<<") current.inputs.push(target.text);
    else current.redirects.push({ operator: found, target });
  }

  #takeInputs(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const input of pending) {
      const body = takeInput(this.text, this.at, input);
      input.command.inputs.push(body.text);
      if (!input.isQuoted) this.#document(body.text);
      // A delimiter that cannot be told must not hide commands.
      if (!input.isUnclear) this.at = body.end;
    }
  }

  #document(text: string): void {
    const options = { variables: this.#words.known, depth: this.#depth };
    this.take(new ShellParser(text, options).parseDocument());
  }

  /** Takes over what was found in a text of its own. */
  take({ commands, isUnclear }: ParsedScript): void {
    for (const command of commands) this.commands.push(command);
    if (isUnclear) this.isUnclear = true;
  }

  #case(): void {
    this.#plainWord();
    if (this.#plainWord() !== "in") return;
    while (this.#words.pattern() && this.#list("esac")) {
      while (this.text[this.at] === ";" || this.text[this.at] === "&") this.at++;
    }
  }

  #plainWord(): string | undefined {
    this.#words.skip(/\s*/y);
    return this.#words.read()[0]?.text;
  }
}
