/**
 * What a server has to say while it runs.
 * @module
 */
import type { HttpRecord } from "../edge/http_handler.ts";
import type { Runtime } from "../runtime/runtime_types.ts";
import { neutraliseLine } from "../core/neutralise.ts";
import type { Output } from "./output.ts";

/** Log lines of a server: with `--json` an object a line on stdout, else remarks on stderr. */
export class ServerLog {
  readonly #output: Output;

  /**
   * Makes the log.
   *
   * @param output Prints.
   */
  constructor(output: Output) {
    this.#output = output;
  }

  /**
   * The server listens.
   *
   * @param url Where.
   */
  listening(url: string): void {
    if (this.#output.json) this.#write("info", "listening", { url });
    else this.#output.line(`Listening on ${url}`);
  }

  /** The server takes no new request. */
  stopping(): void {
    this.#write("info", "stopping", {});
  }

  /**
   * A request was answered.
   *
   * @param record The request.
   */
  request(record: HttpRecord): void {
    const { error, ...rest } = record;
    const data = { ...rest, durationMs: Math.round(rest.durationMs * 10) / 10 };
    if (error === undefined) this.#write("info", "request", data);
    else this.#write("error", "request", { ...data, error });
  }

  /**
   * Prints what tools and cells write.
   *
   * @param runtime The runtime to listen to.
   * @returns Stops it when disposed.
   */
  follow(runtime: Runtime): Disposable {
    const stop = runtime.on("tool-log", ({ level, ...data }) => {
      if (level !== "debug") this.#write(level, "tool-log", data);
    });
    return { [Symbol.dispose]: stop };
  }

  #write(level: string, event: string, data: Readonly<Record<string, unknown>>): void {
    const time = new Date().toISOString();
    if (this.#output.json) {
      this.#output.value({ time, level, event, ...data }, 0);
      return;
    }
    const text = Object.entries(data).map(([key, value]) => `${key}=${shown(value)}`).join(" ");
    this.#output.info(neutraliseLine(`${time} ${level} ${event} ${text}`.trimEnd()));
  }
}

function shown(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
