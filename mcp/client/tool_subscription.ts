/**
 * Listening for changes of a server's tools in the era in which servers only tell whom they were asked to tell.
 * @module
 */
import type { Client } from "@modelcontextprotocol/client";
import type { Clock } from "../../registry/availability/clock.ts";
import { backoffMs } from "./life_cycle_limits.ts";

const ACKNOWLEDGE_MS = 5_000;

/** What a subscription works with. */
export interface ToolSubscriptionOptions {
  /** The client of the SDK, connected. */
  readonly client: Client;
  /** Tells the time. */
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Hears that changes may have been missed. */
  readonly onGap: () => void;
}

/** Listens, and listens again when the stream ends. */
export class ToolSubscription {
  readonly #options: ToolSubscriptionOptions;
  readonly #over = new AbortController();
  #stopWaiting: () => void = () => {};
  #failures = 0;

  /**
   * Makes a subscription; it does not listen yet.
   *
   * @param options What it works with.
   */
  constructor(options: ToolSubscriptionOptions) {
    this.#options = options;
  }

  /** Begins to listen, and waits a moment until the server says that it heard. Never rejects. */
  async start(): Promise<void> {
    try {
      const { signal } = this.#over;
      const { client } = this.#options;
      const { closed } = await client.listen({ toolsListChanged: true }, {
        signal,
        timeout: ACKNOWLEDGE_MS,
      });
      this.#failures = 0;
      closed.then((cause) => cause === "local" ? undefined : this.#listenAgain());
    } catch {
      // A server may offer no stream; each sign of life compares the lists anyway.
      this.#listenAgain();
    }
  }

  /** Stops listening. */
  stop(): void {
    this.#stopWaiting();
    this.#over.abort();
  }

  #listenAgain(): void {
    const { clock, client, random, onGap } = this.#options;
    if (this.#over.signal.aborted || client.transport === undefined) return;
    this.#stopWaiting = clock.after(backoffMs(this.#failures++, random()), async () => {
      const before = this.#failures;
      await this.start();
      // It listens: what changed in between was not told.
      if (this.#failures < before) onGap();
    }, true);
  }
}
