/**
 * Where the runtime's records go: a LogTape logger, and `agent.log` in the cache folder.
 * @module
 */
import type { LogLevel, LogRecord, Sink } from "@logtape/logtape";
import { join } from "./paths.ts";
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
  readonly file?: Sink & Disposable;
}

class FileLog implements RuntimeLog {
  readonly #options: RuntimeLogOptions;
  readonly #waiting: LogRecord[] = [];
  #loading: Promise<Outlets> | undefined;
  #outlets: Outlets | undefined;
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
    const outlets = await this.#loading;
    outlets?.file?.[Symbol.dispose]();
  }

  async #load(): Promise<Outlets> {
    const { getLogger } = await import("@logtape/logtape");
    const logger = getLogger(CATEGORY as [string]);
    const file = await this.#openFile();
    const outlets: Outlets = { send: (record) => logger.emit(record), ...(file ? { file } : {}) };
    for (const record of this.#waiting.splice(0)) this.#write(outlets, record);
    return this.#outlets = outlets;
  }

  async #openFile(): Promise<(Sink & Disposable) | undefined> {
    const { cacheDir, maxBytes = 1_048_576, maxFiles = 5 } = this.#options;
    if (cacheDir === undefined) return undefined;
    try {
      const folder = join(cacheDir, "logs");
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      const { getRotatingFileSink } = await import("@logtape/file");
      const path = join(folder, "agent.log");
      const sink = getRotatingFileSink(path, {
        maxSize: maxBytes,
        maxFiles,
        bufferSize: 0,
        formatter: formatRecord,
      });
      this.#path = path;
      return sink;
    } catch {
      return undefined;
    }
  }

  #write(outlets: Outlets, record: LogRecord): void {
    outlets.send(record);
    if (RANKS.indexOf(record.level as RuntimeLogLevel) < this.#rank()) return;
    try {
      outlets.file?.(record);
    } catch {
      // A full disk must not end a call.
    }
  }

  #rank(): number {
    return RANKS.indexOf(this.#options.level ?? "info");
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
