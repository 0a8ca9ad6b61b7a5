/**
 * Who wants to know when the table changes.
 * @module
 */
import type { TableChange } from "./table_change.ts";

/** Receives the difference between two generations. */
export type TableListener = (change: TableChange) => void;

/** Tells listeners of changes, one change after the other. */
export class ChangeListeners {
  readonly #listeners = new Set<{ readonly listener: TableListener }>();
  readonly #waiting: TableChange[] = [];
  #telling = false;

  /** Whether anybody listens. */
  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /**
   * Adds a listener.
   *
   * @param listener Receives every change from now on.
   * @returns Removes it again.
   */
  add(listener: TableListener): () => void {
    const member = { listener };
    this.#listeners.add(member);
    return () => void this.#listeners.delete(member);
  }

  /**
   * Tells every listener of a change. A change that a listener makes is told after this one, so that
   * everybody sees the same order.
   *
   * @param change The change.
   * @param onFailure Receives what a listener throws; the others are told all the same.
   */
  tell(change: TableChange, onFailure: (error: unknown) => void): void {
    this.#waiting.push(change);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        for (const { listener } of [...this.#listeners]) this.#tellOne(listener, next, onFailure);
      }
    } finally {
      this.#telling = false;
    }
  }

  #tellOne(
    listener: TableListener,
    change: TableChange,
    onFailure: (error: unknown) => void,
  ): void {
    try {
      listener(change);
    } catch (error) {
      onFailure(error);
    }
  }
}
