/**
 * The one place that prints: results to stdout, everything else to stderr.
 * @module
 */
import { neutralise, neutraliseJson } from "../core/neutralise.ts";

/** Where bytes go. */
export interface Sink {
  /** Writes some of the bytes and says how many. */
  writeSync(bytes: Uint8Array): number;
  /** Whether a person sees it. */
  isTerminal(): boolean;
}

/** Options of {@linkcode Output}. */
export interface OutputOptions {
  /** Takes results. @default {Deno.stdout} */
  readonly stdout?: Sink;
  /** Takes everything else. @default {Deno.stderr} */
  readonly stderr?: Sink;
  /** Whether results are JSON. @default {false} */
  readonly json?: boolean;
  /** Whether only results and errors are printed. @default {false} */
  readonly quiet?: boolean;
  /** Whether colours are unwanted. @default {false} */
  readonly noColor?: boolean;
}

/** The colours and weights in use. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** The numbers that turn a style on and off (ECMA-48). */
const SGR: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Prints. A reader that goes away ends the printing, not the program. */
export class Output {
  readonly #stdout: Sink;
  readonly #stderr: Sink;
  readonly #noColor: boolean;
  readonly #closed = new AbortController();
  /** Whether results are JSON. */
  readonly json: boolean;
  /** Whether only results and errors are printed. */
  readonly quiet: boolean;

  /**
   * Makes the printer.
   *
   * @param options Where to print, and how.
   */
  constructor(options: OutputOptions = {}) {
    this.#stdout = options.stdout ?? Deno.stdout;
    this.#stderr = options.stderr ?? Deno.stderr;
    this.#noColor = options.noColor ?? false;
    this.json = options.json ?? false;
    this.quiet = options.quiet ?? false;
  }

  /** Aborts when the reader of the results went away. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Whether a person sees what goes to stderr. */
  get interactive(): boolean {
    return this.#stderr.isTerminal();
  }

  /**
   * Prints a line of a result. Its text is this program's own, or was made harmless.
   *
   * @param text The line, or several.
   */
  line(text: string): void {
    this.#write(this.#stdout, text + "\n");
  }

  /**
   * Prints a foreign text as it is; on a terminal, made harmless.
   *
   * @param text The text.
   */
  foreign(text: string): void {
    const shown = this.#stdout.isTerminal() ? neutralise(text) : text;
    this.#write(this.#stdout, shown.endsWith("\n") ? shown : shown + "\n");
  }

  /**
   * Prints a value as JSON.
   *
   * @param value The value.
   * @param space Spaces of indentation; 0 for one line.
   */
  value(value: unknown, space = 2): void {
    this.line(neutraliseJson(JSON.stringify(value, undefined, space)));
  }

  /**
   * Prints an error to stderr.
   *
   * @param text What went wrong; may be foreign.
   */
  error(text: string): void {
    this.#note(`${this.styleError("red", "error")}: ${neutralise(text)}`);
  }

  /**
   * Prints a warning to stderr, unless quiet.
   *
   * @param text What to look at; may be foreign.
   */
  warn(text: string): void {
    if (!this.quiet) this.#note(`${this.styleError("yellow", "warning")}: ${neutralise(text)}`);
  }

  /**
   * Prints a remark to stderr, unless quiet.
   *
   * @param text The remark; may be foreign.
   */
  info(text: string): void {
    if (!this.quiet) this.#note(neutralise(text));
  }

  /**
   * Puts a question on stderr, also when quiet; the answer is typed behind it.
   *
   * @param text The question; may be foreign.
   */
  ask(text: string): void {
    this.#write(this.#stderr, neutralise(text));
  }

  /**
   * Overwrites the last line of stderr; only for a terminal.
   *
   * @param text The new line, this program's own; empty to wipe it.
   */
  status(text: string): void {
    this.#write(this.#stderr, `\r\x1b[2K${text}`);
  }

  /**
   * Colours a text for stdout where that is wanted.
   *
   * @param style The colour or weight.
   * @param text The text.
   * @returns The text, coloured or not.
   */
  style(style: Style, text: string): string {
    return this.#styled(this.#stdout, style, text);
  }

  /**
   * Colours a text for stderr where that is wanted.
   *
   * @param style The colour or weight.
   * @param text The text.
   * @returns The text, coloured or not.
   */
  styleError(style: Style, text: string): string {
    return this.#styled(this.#stderr, style, text);
  }

  #styled(sink: Sink, style: Style, text: string): string {
    if (this.#noColor || !sink.isTerminal()) return text;
    const [on, off] = SGR[style];
    return `\x1b[${on}m${text}\x1b[${off}m`;
  }

  #note(text: string): void {
    this.#write(this.#stderr, text + "\n");
  }

  #write(sink: Sink, text: string): void {
    if (sink === this.#stdout && this.#closed.signal.aborted) return;
    const bytes = new TextEncoder().encode(text);
    try {
      for (let done = 0; done < bytes.length;) done += sink.writeSync(bytes.subarray(done));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      if (sink === this.#stdout) this.#closed.abort();
    }
  }
}
