/**
 * Listeners of a runtime's events.
 * @module
 */
import type { RuntimeEvents } from "./runtime_types.ts";

type Listener = (event: never) => void;

/** Tells listeners. */
export class EventHub {
  readonly #listeners = new Map<keyof RuntimeEvents, Set<Listener>>();
  readonly #interests = new Map<keyof RuntimeEvents, (wanted: boolean) => void>();
  readonly #onFault: (error: unknown) => void;

  /**
   * Makes a hub without listeners.
   *
   * @param onFault Receives what a listener throws; the others are told all the same.
   */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /**
   * Listens.
   *
   * @param event The event.
   * @param listener Receives it.
   * @returns Stops listening.
   */
  on<K extends keyof RuntimeEvents>(
    event: K,
    listener: (event: RuntimeEvents[K]) => void,
  ): () => void {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set);
    set.add(listener as Listener);
    if (set.size === 1) this.#interests.get(event)?.(true);
    return () => {
      if (set.delete(listener as Listener) && set.size === 0) this.#interests.get(event)?.(false);
    };
  }

  /**
   * Learns when an event begins and ceases to be wanted, for what costs something to look for.
   *
   * @param event The event.
   * @param change Called with true by the first listener, with false when the last one stops.
   */
  onInterest(event: keyof RuntimeEvents, change: (wanted: boolean) => void): void {
    this.#interests.set(event, change);
  }

  /**
   * Tells everybody who listens.
   *
   * @param event The event.
   * @param data What happened.
   */
  emit<K extends keyof RuntimeEvents>(event: K, data: RuntimeEvents[K]): void {
    const set = this.#listeners.get(event);
    if (!set) return;
    for (const listener of [...set]) {
      try {
        (listener as (event: RuntimeEvents[K]) => void)(data);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}
