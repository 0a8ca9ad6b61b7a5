/**
 * Talking to a server over the standard streams of its process.
 *
 * The SDK's own transport starts a second process to find out which protocol a server speaks; one with accessors
 * `stderr` and `pid` that is not the SDK's is asked on the connection itself.
 * @module
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { StdioLaunch } from "./connection_services.ts";
import { LaunchError, NotSentError } from "./link_errors.ts";
import type { MessageGate } from "./message_gate.ts";
import { readLines } from "./read_lines.ts";
import { endProcess, within } from "./end_process.ts";

/** The longest message of a server in bytes. */
export const MAX_LINE_BYTES = 64 * 1_024 * 1_024;
const MAX_STDERR_BYTES = 8_192;
const DRAIN_MS = 500;

/** What a transport works with. */
export interface StdioTransportOptions {
  /** How the process is started. */
  readonly launch: StdioLaunch;
  /** Decides what is let in. */
  readonly gate: MessageGate;
  /** Hears every line of standard error. */
  readonly onErrorLine: (line: string) => void;
  /** The longest message in bytes. @default {64 MiB} */
  readonly maxLineBytes?: number;
}

/** A process that speaks JSON-RPC, one message a line. */
export class StdioTransport implements Transport {
  /** Called once when the process is gone or the transport was closed. */
  onclose?: () => void;
  /** Called for what goes wrong and is not an answer. */
  onerror?: (error: Error) => void;
  /** Called for every message that is let in. */
  onmessage?: Transport["onmessage"];
  readonly #options: StdioTransportOptions;
  #child: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #ending: Promise<void> | undefined;
  readonly #over = new AbortController();
  #isClosed = false;
  #reason: Error | undefined;

  /**
   * Makes a transport; the process is not started yet.
   *
   * @param options What it works with.
   */
  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  /** The process's id. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Nothing: lines of standard error go to the log. */
  get stderr(): null {
    return null;
  }

  /** Whether a process was started and the transport is closed. */
  get hasEnded(): boolean {
    return this.#child !== undefined && this.#isClosed;
  }

  /** Why the transport closed by itself, where it was not the process's own end. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /**
   * Starts the process.
   *
   * @throws {LaunchError} If it cannot be started.
   */
  // deno-lint-ignore require-await -- a transport rejects, it does not throw
  async start(): Promise<void> {
    const child = this.#spawn();
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#writer.closed.catch(() => {});
    child.unref();
    const answers = this.#readAnswers(child.stdout);
    this.#readErrors(child.stderr).catch(() => {});
    this.#watch(child, answers).catch(() => {});
  }

  /**
   * Sends a message.
   *
   * @param message The message.
   * @throws {NotSentError} If the process is gone: it has not read the message.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#writer === undefined || this.#isClosed) throw new NotSentError();
    this.#options.gate.sent(message);
    try {
      await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    } catch (error) {
      // A pipe breaks when its reader is gone: no whole line of this message was read.
      throw new NotSentError({ cause: error });
    }
  }

  /** Ends the process: closes its input, then asks, then kills. Takes 10 s at most. */
  async close(): Promise<void> {
    this.#close();
    await this.#end();
  }

  #spawn(): Deno.ChildProcess {
    const { command, args, env, cwd } = this.#options.launch;
    try {
      return new Deno.Command(command, {
        args: [...args],
        env: { ...env },
        clearEnv: true,
        cwd,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
    } catch (error) {
      this.#isClosed = true;
      throw new LaunchError(command, cwd, { cause: error });
    }
  }

  async #readAnswers(stdout: ReadableStream<Uint8Array>): Promise<void> {
    const maxBytes = this.#options.maxLineBytes ?? MAX_LINE_BYTES;
    const { signal } = this.#over;
    try {
      for await (const line of readLines(stdout, { maxBytes, tooLong: "fail", signal })) {
        if (this.#isClosed) return;
        if (line !== "") this.#take(line);
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#reason = error instanceof RangeError
        ? new Error(`The server sent a message of more than ${maxBytes} bytes`, { cause: error })
        : error as Error;
      this.onerror?.(this.#reason);
    }
  }

  #take(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#options.gate.refuse("a line on standard output is no JSON");
      return;
    }
    // Servers of one older revision put several messages into an array.
    for (const item of Array.isArray(value) ? value : [value]) {
      const message = this.#options.gate.admit(item);
      if (message !== undefined) this.onmessage?.(message);
    }
  }

  async #readErrors(stderr: ReadableStream<Uint8Array>): Promise<void> {
    const lines = readLines(stderr, {
      maxBytes: MAX_STDERR_BYTES,
      tooLong: "cut",
      signal: this.#over.signal,
    });
    for await (const line of lines) this.#options.onErrorLine(line);
  }

  async #watch(child: Deno.ChildProcess, answers: Promise<void>): Promise<void> {
    // A grandchild may hold the stream open after the process itself is gone.
    const gone = child.status.then(() => within(answers, DRAIN_MS));
    await Promise.race([answers, gone]);
    this.#close();
    await this.#end();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #end(): Promise<void> {
    if (this.#child === undefined || this.#writer === undefined) return Promise.resolve();
    return this.#ending ??= endProcess(this.#child, this.#writer)
      .then(() => this.#over.abort());
  }
}
