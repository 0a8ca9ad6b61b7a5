/**
 * Where the table's events go.
 * @module
 */
import type { TableEvent, TableEventSink } from "./table_event.ts";

const MOST_WAITING = 1000;

/** Hands events to a sink; until there is one the newest thousand wait. */
export class EventLog {
  readonly #waiting: TableEvent[] = [];
  #sink: TableEventSink | undefined;

  /**
   * Begins a log.
   *
   * @param sink Receives the events.
   */
  constructor(sink?: TableEventSink) {
    this.#sink = sink;
  }

  /**
   * Sets who receives events. What has been waiting is delivered first, in order.
   *
   * @param sink Receives the events; `undefined` lets them wait.
   */
  setSink(sink: TableEventSink | undefined): void {
    this.#sink = sink;
    if (sink) this.write(this.#waiting.splice(0));
  }

  /**
   * Hands events on. A sink that throws changes nothing.
   *
   * @param events The events, in order.
   */
  write(events: readonly TableEvent[]): void {
    for (const event of events) this.#writeOne(event);
  }

  #writeOne(event: TableEvent): void {
    if (!this.#sink) {
      if (this.#waiting.length >= MOST_WAITING) this.#waiting.shift();
      this.#waiting.push(event);
      return;
    }
    try {
      this.#sink(event);
    } catch {
      // A log that fails must not stop a registration.
    }
  }
}
