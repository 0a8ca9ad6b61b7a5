/**
 * What a client hears of its call while it runs: progress and log records.
 * @module
 */
import {
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { neutralise } from "../../core/neutralise.ts";
import type { CallProgress, RuntimeEvents } from "../../runtime/runtime_types.ts";
import { PacedSender } from "./paced_sender.ts";

/** A record that a tool wrote. */
export type ToolLogRecord = RuntimeEvents["tool-log"];

const LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];
/** Records of one request that are passed on. */
const MAX_RECORDS = 1_000;
const MAX_RECORD_CHARS = 8_192;

/** The reports of one request. Dispose of it when the request is answered. */
export class RoundReports implements Disposable {
  readonly #context: ServerContext;
  readonly #threshold: number;
  readonly #progress: PacedSender<CallProgress> | undefined;
  #lastValue = -Infinity;
  #records = 0;
  #isOver = false;

  /**
   * Makes the reports of a request.
   *
   * @param context The request. Progress is sent when it came with a token for it.
   * @param sessionLevel The least log level that the client asked its session for; a request may ask itself.
   */
  constructor(context: ServerContext, sessionLevel: LoggingLevel | undefined) {
    this.#context = context;
    const envelope = context.mcpReq.envelope as { readonly [key: string]: unknown } | undefined;
    const own = envelope?.[LOG_LEVEL_META_KEY] as LoggingLevel | undefined;
    const level = own ?? sessionLevel;
    this.#threshold = level === undefined ? Infinity : LEVELS.indexOf(level);
    const token = context.mcpReq._meta?.progressToken;
    if (token !== undefined) {
      this.#progress = new PacedSender(({ value, total, message }) =>
        context.mcpReq.notify({
          method: "notifications/progress",
          params: {
            progressToken: token,
            progress: value,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          },
        })
      );
    }
  }

  /**
   * Passes progress on. A value that does not grow is left out, as the protocol asks.
   *
   * @param progress How far the call has come.
   */
  progress(progress: CallProgress): void {
    if (!(progress.value > this.#lastValue)) return;
    this.#lastValue = progress.value;
    this.#progress?.report(progress);
  }

  /**
   * Passes a log record on, when the client asked for records of its level.
   *
   * @param record The record.
   */
  log({ level, message, name }: ToolLogRecord): void {
    if (this.#isOver || LEVELS.indexOf(level) < this.#threshold) return;
    if (++this.#records > MAX_RECORDS) return;
    const isLast = this.#records === MAX_RECORDS;
    const text = isLast ? "More records of this call are left out" : message;
    const params = {
      level: isLast ? "warning" as const : level,
      data: neutralise(text.slice(0, MAX_RECORD_CHARS)),
      ...(name === undefined ? {} : { logger: name }),
    };
    void this.#context.mcpReq.notify({ method: "notifications/message", params }).catch(() => {});
  }

  /** Sends what waits, and nothing after. */
  [Symbol.dispose](): void {
    this.#progress?.finish();
    this.#isOver = true;
  }
}
