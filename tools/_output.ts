/**
 * What a command prints: kept whole up to a safety cap, and made plain text.
 * @module
 */

/** How many bytes of a command's output are kept. A fuse for the memory, not a limit for results. */
export const MAX_OUTPUT_BYTES = 50 * 1024 * 1024;

// An unterminated OSC or DCS may only eat its introducer: swallowing the rest would lose output.
const ANSI_SEQUENCE =
  // deno-lint-ignore no-control-regex
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g;

/**
 * Removes terminal control sequences: colours, cursor moves, titles, links.
 *
 * @param text What a program printed.
 * @returns The text alone.
 */
export function stripAnsi(text: string): string {
  return text.includes("\x1b") || text.includes("\x9b") ? text.replace(ANSI_SEQUENCE, "") : text;
}

/** Collects output in order of arrival; beyond the cap it only counts. */
export class OutputCollector {
  readonly #decoder = new TextDecoder();
  readonly #cap: number;
  readonly #parts: string[] = [];
  #kept = 0;
  #dropped = 0;

  /**
   * Makes an empty collector.
   *
   * @param cap How many bytes it keeps.
   */
  constructor(cap: number = MAX_OUTPUT_BYTES) {
    this.#cap = cap;
  }

  /** How many bytes came after the cap was reached. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Takes the next bytes.
   *
   * @param chunk What was read.
   */
  add(chunk: Uint8Array): void {
    const room = Math.min(this.#cap - this.#kept, chunk.length);
    this.#dropped += chunk.length - room;
    if (room === 0) return;
    this.#kept += room;
    this.#parts.push(this.#decoder.decode(chunk.subarray(0, room), { stream: true }));
  }

  /**
   * Ends the collecting.
   *
   * @returns The text, without terminal control sequences.
   */
  finish(): string {
    this.#parts.push(this.#decoder.decode());
    return stripAnsi(this.#parts.splice(0).join(""));
  }
}
