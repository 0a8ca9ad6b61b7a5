/**
 * What a server says, as lines for the log: plain, without secrets, bounded in length and number.
 * @module
 */
import { plainLine } from "../../core/plain_text.ts";
import type { Clock } from "../../registry/availability/clock.ts";
import { redactSecrets } from "../../runtime/redact.ts";
import type { ConnectionListener } from "./connection_types.ts";

/** The longest line of a server in the log. */
export const LOG_LINE_CHARS = 2_000;
const LINES_A_WINDOW = 200;
const WINDOW_MS = 10_000;

/** A level of the log. */
export type LogLevel = Parameters<ConnectionListener["onLog"]>[0];

/** Writes what a server says to the log. */
export class ServerLog {
  readonly #listener: ConnectionListener;
  readonly #clock: Clock;
  #windowEnd = 0;
  #lines = 0;

  /**
   * Makes a log.
   *
   * @param listener Takes the lines.
   * @param clock Tells the time.
   */
  constructor(listener: ConnectionListener, clock: Clock) {
    this.#listener = listener;
    this.#clock = clock;
  }

  /**
   * Writes what the connection itself does.
   *
   * @param level The level.
   * @param message What it does.
   */
  write(level: LogLevel, message: string): void {
    try {
      this.#listener.onLog(level, foreignLine(message));
    } catch {
      // A listener that throws must not end a connection.
    }
  }

  /**
   * Writes what the server says, unless it says too much.
   *
   * @param level The level.
   * @param message What it says.
   */
  relay(level: LogLevel, message: string): void {
    this.#turnWindow();
    if (++this.#lines > LINES_A_WINDOW) return;
    const line = foreignLine(message);
    if (line !== "") this.write(level, line);
  }

  #turnWindow(): void {
    const now = this.#clock.now();
    if (now < this.#windowEnd) return;
    const leftOut = this.#lines - LINES_A_WINDOW;
    this.#windowEnd = now + WINDOW_MS;
    this.#lines = 0;
    if (leftOut > 0) this.write("warning", `${leftOut} lines of the server were left out`);
  }
}

/**
 * Makes a foreign text fit for a log line or an error.
 *
 * @param text The text.
 * @param maxChars The longest line.
 * @returns One plain line without secrets.
 */
export function foreignLine(text: string, maxChars: number = LOG_LINE_CHARS): string {
  return redactSecrets(plainLine(text, maxChars));
}
