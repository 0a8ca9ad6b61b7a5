/**
 * Where the runtime's records go: a LogTape logger, and `agent.log` in the cache folder.
 * @module
 */
import type { getRotatingFileSink } from "@logtape/file";
import type { LogLevel, LogRecord, Sink } from "@logtape/logtape";
import { dirname, join } from "./paths.ts";
import type { JsonObject } from "../core/json.ts";
import { neutraliseLine } from "./error_text.ts";
import { redactObject, redactSecrets } from "./redact.ts";
import type { RuntimeLogger } from "./runtime_types.ts";

/** How a record is ranked. */
export type RuntimeLogLevel = Parameters<RuntimeLogger["log"]>[0];

/** Options of {@linkcode openRuntimeLog}. */
export interface RuntimeLogOptions {
  /** The cache folder; `agent.log` is in its `logs/`. Left out: no file. */
  readonly cacheDir?: string;
  /** The lowest level that the file gets. @default {"info"} */
  readonly level?: RuntimeLogLevel;
  /** Size in bytes at which the file is rotated. @default {1_048_576} */
  readonly maxBytes?: number;
  /** How many files are kept. @default {5} */
  readonly maxFiles?: number;
}

/** A logger that has something to close. */
export interface RuntimeLog extends RuntimeLogger, AsyncDisposable {
  /** The log file, when it could be opened; known after the first record is written. */
  readonly path: string | undefined;
}

const CATEGORY = Object.freeze(["cloister"]);
const RANKS: readonly RuntimeLogLevel[] = ["debug", "info", "warning", "error"];
const MAX_CHARS = 8_192;
const MAX_WAITING = 1_000;

/**
 * Opens the runtime's log. Records go to the LogTape logger of category `cloister`, which is silent until
 * the program configures LogTape, and to `agent.log`. LogTape is loaded with the first record. Nothing is
 * ever printed, and a folder that cannot be written only means that there is no file.
 *
 * @param options The folder, and how much the file gets.
 * @returns The logger; disposing of it closes the file.
 */
export function openRuntimeLog(options: RuntimeLogOptions = {}): RuntimeLog {
  return new FileLog(options);
}

interface Outlets {
  readonly send: (record: LogRecord) => void;
  readonly openSink: typeof getRotatingFileSink;
}

class FileLog implements RuntimeLog {
  readonly #options: RuntimeLogOptions;
  readonly #waiting: LogRecord[] = [];
  #loading: Promise<Outlets> | undefined;
  #outlets: Outlets | undefined;
  #file: (Sink & Disposable) | undefined;
  #path: string | undefined;
  #closed = false;

  constructor(options: RuntimeLogOptions) {
    this.#options = options;
  }

  get path(): string | undefined {
    return this.#path;
  }

  log(level: RuntimeLogLevel, message: string, data?: JsonObject): void {
    if (this.#closed) return;
    const record = makeRecord(level, message, data);
    if (this.#outlets) return this.#write(this.#outlets, record);
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(record);
    this.#loading ??= this.#load();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#loading;
    this.#file?.[Symbol.dispose]();
  }

  async #load(): Promise<Outlets> {
    const { getLogger } = await import("@logtape/logtape");
    const logger = getLogger(CATEGORY as [string]);
    const { getRotatingFileSink } = await import("@logtape/file");
    const outlets = {
      send: (record: LogRecord) => logger.emit(record),
      openSink: getRotatingFileSink,
    };
    for (const record of this.#waiting.splice(0)) this.#write(outlets, record);
    return this.#outlets = outlets;
  }

  #write({ send, openSink }: Outlets, record: LogRecord): void {
    send(record);
    if (RANKS.indexOf(record.level as RuntimeLogLevel) < this.#rank()) return;
    try {
      this.#openFile(openSink);
      this.#file?.(record);
    } catch {
      // A full disk must not end a call.
    }
  }

  // The cache folder may be emptied at any time: a file that has gone is opened anew.
  #openFile(openSink: Outlets["openSink"]): void {
    const { cacheDir, maxBytes = 1_048_576, maxFiles = 5 } = this.#options;
    if (cacheDir === undefined || (this.#path !== undefined && exists(this.#path))) return;
    this.#file?.[Symbol.dispose]();
    this.#file = this.#path = undefined;
    const path = join(cacheDir, "logs", "agent.log");
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSink(path, {
      maxSize: maxBytes,
      maxFiles,
      bufferSize: 0,
      formatter: formatRecord,
    });
    this.#path = path;
  }

  #rank(): number {
    return RANKS.indexOf(this.#options.level ?? "info");
  }
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}

function makeRecord(level: RuntimeLogLevel, message: string, data?: JsonObject): LogRecord {
  const text = clean(message);
  return {
    category: CATEGORY,
    level: level satisfies LogLevel,
    message: [text],
    rawMessage: text,
    timestamp: Date.now(),
    properties: data === undefined ? {} : { ...redactObject(data) },
  };
}

function clean(text: string): string {
  const beginning = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  return neutraliseLine(redactSecrets(beginning));
}

function formatRecord(record: LogRecord): string {
  const time = new Date(record.timestamp).toISOString();
  const data = Object.keys(record.properties).length === 0
    ? ""
    : ` ${clean(JSON.stringify(record.properties))}`;
  return `${time} ${record.level.toUpperCase()} ${record.message.join("")}${data}\n`;
}
