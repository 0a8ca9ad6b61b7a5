/**
 * When a server is reached, tried again, given up for now, stopped and started.
 * @module
 */
import { CallFailure } from "../../core/call_failure.ts";
import type { ServerState } from "./connection_types.ts";
import {
  backoffMs,
  CONNECT_RETRIES,
  RECONNECT_RETRIES,
  RECONNECT_WAIT_MS,
  RESPAWN_WAIT_MS,
  SELF_PROBE_MS,
} from "./life_cycle_limits.ts";
import type { LifeCycleOptions } from "./life_cycle_options.ts";
import { LinkTimers } from "./link_timers.ts";
import { pause } from "./pause.ts";
import { WakeList } from "./wake_list.ts";

const USABLE: ReadonlySet<ServerState> = new Set(["connected", "idle", "degraded"]);
const STARTING: ReadonlySet<ServerState> = new Set(["configured", "connecting"]);

/** The life of a connection, over all the links that it has one after the other. */
export class LifeCycle<Link> implements AsyncDisposable {
  readonly #options: LifeCycleOptions<Link>;
  readonly #over = new AbortController();
  readonly #wakes: WakeList<Link>;
  readonly #timers: LinkTimers;
  #state: ServerState = "configured";
  #since: number;
  #error: string | undefined;
  #link: Link | undefined;
  #wasSeen = false;
  #isProven = false;
  // Tries since a session last proved itself: a server that only shakes hands does not get a new budget.
  #tries = 0;
  #contact: Promise<void> | undefined;
  #goodbye: Promise<void> = Promise.resolve();
  #stopProbe: () => void = () => {};

  /**
   * Makes a life cycle; nothing is tried yet.
   *
   * @param options What it works with.
   */
  constructor(options: LifeCycleOptions<Link>) {
    this.#options = options;
    this.#since = options.clock.date();
    this.#wakes = new WakeList(options.clock);
    this.#timers = new LinkTimers({
      clock: options.clock,
      keepaliveMs: options.keepaliveMs,
      ...(options.isProcess
        ? { idleTimeoutMs: options.idleTimeoutMs, maxLifetimeMs: options.maxLifetimeMs }
        : {}),
      isBusy: options.isBusy,
      onKeepalive: () => this.#keepAlive(),
      onStop: () => this.#stop(),
    });
  }

  /** What the server is up to. */
  get state(): ServerState {
    return this.#state;
  }

  /** Since when, in milliseconds since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** Why it cannot be used. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Whether a call may reach it. */
  get isUsable(): boolean {
    return USABLE.has(this.#state) || (this.#options.lazy && STARTING.has(this.#state));
  }

  /**
   * Makes the first contact, in several tries.
   *
   * @throws {Error} If the server cannot be reached.
   */
  async connect(): Promise<void> {
    this.#assertOpen();
    if (this.#link !== undefined) return;
    await this.#begin(() => this.#meet());
  }

  /**
   * Gives the link, and waits a while for one that is on its way.
   *
   * @param signal Gives up waiting.
   * @returns The link.
   * @throws {CallFailure} `unavailable` if there is none in time.
   */
  async wake(signal: AbortSignal): Promise<Link> {
    signal.throwIfAborted();
    if (this.#link !== undefined) return this.#link;
    if (this.#state === "configured") this.connect().catch(() => {});
    else if (this.#state === "idle") this.#reconnect(true);
    else if (this.#state !== "connecting" && this.#state !== "degraded") throw this.#refusal();
    const { isProcess, lazy } = this.#options;
    const waitMs = isProcess || (lazy && !this.#wasSeen) ? RESPAWN_WAIT_MS : RECONNECT_WAIT_MS;
    return await this.#wakes.wait(waitMs, signal, () => this.#refusal());
  }

  /**
   * A link is gone.
   *
   * @param link The link.
   * @param error Why.
   */
  lost(link: Link, error: unknown): void {
    if (link !== this.#link) return;
    const fault = this.#options.faultOf(error);
    const wasProven = this.#isProven;
    this.#drop(link);
    // A server that let this program in before may only want the sign-in renewed: it gets one try.
    if (fault === "permanent" || (fault === "auth" && !wasProven)) return this.#giveUp(error);
    if (this.#tries >= RECONNECT_RETRIES) return this.#giveUp(error);
    this.#error = this.#options.describe(error);
    this.#reconnect(wasProven);
  }

  /**
   * A link showed that it works.
   *
   * @param link The link.
   */
  prove(link: Link): void {
    if (link !== this.#link) return;
    this.#isProven = true;
    this.#tries = 0;
  }

  /** A call began or ended. */
  touch(): void {
    this.#timers.touch();
  }

  /** Lets go of the server for good. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state !== "closed") {
      this.#over.abort(new DOMException("The connection is closed", "AbortError"));
      this.#stopProbe();
      if (this.#link !== undefined) this.#drop(this.#link);
      this.#enter("closed");
      this.#wakes.fail(this.#refusal());
    }
    await this.#contact?.catch(() => {});
    await this.#goodbye;
  }

  async #meet(): Promise<void> {
    const { clock, random } = this.#options;
    this.#stopProbe();
    this.#enter("connecting");
    for (let retry = 0;; retry++) {
      try {
        return this.#welcome(await this.#dial());
      } catch (error) {
        this.#assertOpen();
        const isLast = retry >= CONNECT_RETRIES || this.#options.faultOf(error) !== "transient";
        if (isLast) this.#giveUp(error);
        if (isLast) throw error;
        this.#error = this.#options.describe(error);
        await pause(clock, backoffMs(retry, random()), this.#over.signal);
      }
    }
  }

  #reconnect(isFirstAtOnce: boolean): void {
    this.#enter("degraded");
    // What it ends with is in the state.
    this.#begin(() => this.#tryAgain(isFirstAtOnce)).catch(() => {});
  }

  // Only one of those who reach the server is at work at a time.
  #begin(reach: () => Promise<void>): Promise<void> {
    if (this.#contact !== undefined) return this.#contact;
    const contact = reach().finally(() => {
      if (this.#contact === contact) this.#contact = undefined;
    });
    this.#contact = contact;
    return contact;
  }

  async #tryAgain(isFirstAtOnce: boolean): Promise<void> {
    const { clock, random } = this.#options;
    let waits = isFirstAtOnce ? -1 : this.#tries;
    for (;;) {
      if (waits >= 0) await pause(clock, backoffMs(waits, random()), this.#over.signal, true);
      waits++;
      this.#tries++;
      try {
        return this.#welcome(await this.#dial());
      } catch (error) {
        this.#assertOpen();
        const isLast = this.#tries >= RECONNECT_RETRIES ||
          this.#options.faultOf(error) !== "transient";
        if (isLast) return this.#giveUp(error);
        this.#error = this.#options.describe(error);
      }
    }
  }

  async #dial(): Promise<Link> {
    // Two processes of one server must not be alive at once: they may share files.
    await this.#goodbye;
    this.#assertOpen();
    const link = await this.#options.dial(this.#over.signal);
    if (!this.#over.signal.aborted) return link;
    await this.#options.hangUp(link);
    throw this.#over.signal.reason;
  }

  #welcome(link: Link): void {
    this.#contact = undefined;
    this.#link = link;
    this.#wasSeen = true;
    this.#isProven = false;
    this.#error = undefined;
    this.#timers.start();
    this.#enter("connected");
    this.#wakes.succeed(link);
  }

  #giveUp(error: unknown): void {
    this.#contact = undefined;
    this.#error = this.#options.describe(error);
    this.#enter(this.#wasSeen ? "parked" : "failed");
    this.#wakes.fail(this.#refusal());
    this.#armProbe();
  }

  #armProbe(): void {
    this.#stopProbe = this.#options.clock.after(
      SELF_PROBE_MS,
      () => void this.#begin(() => this.#probeSelf()).catch(() => {}),
      true,
    );
  }

  async #probeSelf(): Promise<void> {
    try {
      this.#welcome(await this.#dial());
    } catch (error) {
      this.#assertOpen();
      this.#error = this.#options.describe(error);
      this.#armProbe();
      throw error;
    }
  }

  #keepAlive(): void {
    const link = this.#link;
    if (link === undefined) return;
    this.#options.probe(link).then(
      () => this.prove(link),
      (error) => this.lost(link, error),
    );
  }

  #stop(): void {
    if (this.#link === undefined) return;
    this.#drop(this.#link);
    this.#enter("idle");
  }

  #drop(link: Link): void {
    this.#link = undefined;
    this.#timers.stop();
    this.#goodbye = this.#options.hangUp(link);
  }

  #enter(state: ServerState): void {
    if (this.#state === "closed") return;
    if (this.#state !== state) this.#since = this.#options.clock.date();
    this.#state = state;
    this.#options.onState(state);
  }

  #assertOpen(): void {
    this.#over.signal.throwIfAborted();
  }

  #refusal(): CallFailure {
    const why = this.#error === undefined ? "" : `: ${this.#error}`;
    return new CallFailure(
      "unavailable",
      `Server "${this.#options.name}" cannot be used now, it is ${this.#state}${why}`,
      { retryable: this.#state !== "closed", end: "never_started" },
    );
  }
}
