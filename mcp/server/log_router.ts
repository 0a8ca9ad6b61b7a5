/**
 * Brings log records to the request whose call wrote them.
 * @module
 */
import type { Runtime } from "../../runtime/runtime_types.ts";
import type { ToolLogRecord } from "./round_reports.ts";

/** Listens once to a runtime, for all calls of a server. */
export class LogRouter implements Disposable {
  readonly #sinks = new Map<string, (record: ToolLogRecord) => void>();
  readonly #stop: () => void;

  /**
   * Begins to listen.
   *
   * @param runtime Whose tools write.
   */
  constructor(runtime: Runtime) {
    this.#stop = runtime.on("tool-log", (record) => {
      if (record.callId !== undefined) this.#sinks.get(record.callId)?.(record);
    });
  }

  /**
   * Follows the records of a call.
   *
   * @param callId The call.
   * @param sink Receives them.
   * @returns Stops when it is disposed of.
   */
  follow(callId: string, sink: (record: ToolLogRecord) => void): Disposable {
    this.#sinks.set(callId, sink);
    return { [Symbol.dispose]: () => void this.#sinks.delete(callId) };
  }

  /** Stops listening. */
  [Symbol.dispose](): void {
    this.#stop();
    this.#sinks.clear();
  }
}
