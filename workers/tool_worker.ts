/**
 * One tool module loaded in one worker, with its open calls, as the front sees it.
 * @module
 */
import type { JsonValue } from "../core/json.ts";
import type { ResolvedGrants } from "../core/permissions.ts";
import type { ModuleSpec } from "./execution.ts";
import {
  type AskMessage,
  type AskReply,
  type CallMessage,
  type CheckedMessage,
  type CheckMessage,
  type ChunkMessage,
  type FailureMessage,
  type LogMessage,
  type ModulePlace,
  type OverriddenMessage,
  type OverrideMessage,
  type ProgressMessage,
  PROTOCOL_VERSION,
  type ResultMessage,
  type WireError,
  type WorkerMessage,
} from "./protocol.ts";
import type { WorkerEnd, WorkerHome, WorkerLink } from "./worker_link.ts";

/** Thrown when a module could not be loaded. */
export class LoadError extends Error {
  /** The class's name. */
  override readonly name = "LoadError";
  /** What the worker said; absent when the worker ended. */
  readonly error?: WireError;
  /** How the worker ended; absent when it said why. */
  readonly end?: WorkerEnd;
  /** Where the module threw, as the worker says. */
  readonly at?: ModulePlace;

  /**
   * Makes the error.
   *
   * @param message What failed.
   * @param reason What the worker said, or how it ended.
   */
  constructor(message: string, reason: Pick<LoadError, "error" | "end" | "at">) {
    super(message);
    this.error = reason.error;
    this.end = reason.end;
    this.at = reason.at;
  }
}

/** What ends a call, a probe or a question. */
export type CallAnswer = ResultMessage | FailureMessage | CheckedMessage | OverriddenMessage;

/** How a call left its worker. */
export type CallSettlement =
  | { readonly kind: "answer"; readonly message: CallAnswer }
  | { readonly kind: "end"; readonly end: WorkerEnd };

/** What a call hears before its end. */
export interface CallListener {
  /** Progress. */
  readonly onProgress?: (message: ProgressMessage) => void;
  /** Log records. */
  readonly onLog?: (message: LogMessage) => void;
  /** A piece of a result that is a stream; settles when the next one may come. Never rejects. */
  readonly onChunk?: (message: ChunkMessage) => Promise<void>;
  /** A question of the handler. Never rejects. */
  readonly onAsk?: (message: AskMessage) => Promise<AskReply>;
}

const NOBODY: AskReply = {
  ok: false,
  message: "Cannot ask: this call has no surface to ask through",
};

interface OpenCall {
  readonly listener: CallListener;
  readonly settle: (settlement: CallSettlement) => void;
}

/** A call on its way. */
export interface StartedCall {
  /** The call's number on this worker. */
  readonly id: number;
  /** How it ends. Never rejects. */
  readonly settled: Promise<CallSettlement>;
}

/** A module in a worker. */
export class ToolWorker {
  /** Settles when the module is loaded. */
  readonly ready: Promise<void>;
  /** Calls that were started in all. */
  started = 0;
  /** Messages that belonged to no open call. */
  stray = 0;
  readonly home: WorkerHome;
  readonly #link: WorkerLink;
  readonly #onLog: (message: LogMessage) => void;
  readonly #loaded = Promise.withResolvers<void>();
  readonly #described = Promise.withResolvers<readonly JsonValue[]>();
  readonly #calls = new Map<number, OpenCall>();
  /** URL of its module. */
  readonly module: string;
  #nextId = 1;
  #pings = new Set<number>();
  #end: WorkerEnd | undefined;
  #isReady = false;
  #rssBefore = 0;

  /**
   * Starts a worker and loads the module.
   *
   * @param home Where it runs.
   * @param module The module.
   * @param grants What it may touch, without its files.
   * @param onLog Receives log records that belong to no open call.
   */
  constructor(
    home: WorkerHome,
    module: ModuleSpec,
    grants: ResolvedGrants,
    onLog: (message: LogMessage) => void,
  ) {
    this.home = home;
    this.#rssBefore = home.rss;
    this.#onLog = onLog;
    this.module = module.url;
    this.ready = this.#loaded.promise;
    this.ready.catch(() => {});
    this.#described.promise.catch(() => {});
    const read = [...grants.read, module.folder];
    this.#link = home.startWorker({ ...grants, read }, {
      onMessage: (message) => this.#receive(message),
      onEnd: (end) => this.#finish(end),
    }, module.url);
    this.#link.send({ type: "load", protocol: PROTOCOL_VERSION, url: module.url });
  }

  /** Whether it can take calls. */
  get alive(): boolean {
    return this.#end === undefined && this.home.alive;
  }

  /** Whether the module is loaded. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether code of its module is due to run: it is being loaded, or has open calls. */
  get busy(): boolean {
    return this.#end === undefined && (!this.#isReady || this.#calls.size > 0);
  }

  /** Whether a ping that was sent has not been answered: its thread is busy. */
  get silent(): boolean {
    return this.#pings.size > 0;
  }

  /** By how many bytes its cell has grown since it is busy, as last reported. */
  get grownBy(): number {
    return this.home.rss - this.#rssBefore;
  }

  /**
   * Starts a call.
   *
   * @param message The call or probe, without its number.
   * @param listener Hears progress and log records.
   * @returns The started call.
   */
  start(
    message: Omit<CallMessage, "id"> | Omit<CheckMessage, "id"> | Omit<OverrideMessage, "id">,
    listener: CallListener = {},
  ): StartedCall {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<CallSettlement>();
    if (this.#end) return { id, settled: Promise.resolve({ kind: "end", end: this.#end }) };
    if (!this.busy) this.#rssBefore = this.home.rss;
    this.#calls.set(id, { listener, settle: resolve });
    this.started++;
    this.#link.send({ ...message, id });
    return { id, settled: promise };
  }

  /**
   * Aborts a call's signal.
   *
   * @param id The call's number.
   * @param reason Why.
   */
  cancel(id: number, reason: "timeout" | "cancelled"): void {
    this.#link.send({ type: "cancel", id, reason });
  }

  /** Asks for the module's registrations. */
  describe(): Promise<readonly JsonValue[]> {
    this.#link.send({ type: "describe" });
    return this.#described.promise;
  }

  /** Asks for a sign of life; until it comes the worker counts as silent. */
  ping(): void {
    const id = this.#nextId++;
    this.#pings.add(id);
    this.#link.send({ type: "ping", id });
  }

  /**
   * Ends the worker. Open calls settle with the end `dropped`.
   *
   * @returns True when its thread is known to be gone.
   */
  drop(): Promise<boolean> {
    return this.#link.drop();
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case "ready":
        this.#isReady = true;
        return this.#loaded.resolve();
      case "load-failed":
        return this.#failLoad({ error: message.error, at: message.at }, message.error.message);
      case "described":
        return this.#described.resolve(message.declarations);
      case "pong":
        return void this.#pings.delete(message.id);
      case "progress":
        return this.#calls.get(message.id)?.listener.onProgress?.(message);
      case "log":
        return this.#log(message);
      case "ask":
        return void this.#ask(message);
      case "chunk":
        return void this.#take(message);
      case "result":
      case "failure":
      case "checked":
      case "overridden":
        return this.#settle(message);
      default:
        return message satisfies never;
    }
  }

  async #take(message: ChunkMessage): Promise<void> {
    const onChunk = this.#calls.get(message.id)?.listener.onChunk;
    if (onChunk === undefined) {
      this.stray++;
      return;
    }
    await onChunk(message);
    this.#link.send({ type: "more", id: message.id });
  }

  async #ask(message: AskMessage): Promise<void> {
    const { id, ask } = message;
    const call = this.#calls.get(id);
    if (call === undefined) {
      this.stray++;
      return;
    }
    const reply = await call.listener.onAsk?.(message) ?? NOBODY;
    if (this.#calls.has(id)) this.#link.send({ type: "reply", id, ask, reply });
  }

  #log(message: LogMessage): void {
    const call = message.id === undefined ? undefined : this.#calls.get(message.id);
    if (call) call.listener.onLog?.(message);
    else this.#onLog(message);
  }

  // The first answer counts. A second one, one that comes late, or one for another call is dropped.
  #settle(message: CallAnswer): void {
    const call = this.#calls.get(message.id);
    if (!call) {
      this.stray++;
      return;
    }
    this.#calls.delete(message.id);
    call.settle({ kind: "answer", message });
  }

  #failLoad(reason: Pick<LoadError, "error" | "end" | "at">, message: string): void {
    const error = new LoadError(`Cannot load tool module "${this.module}": ${message}`, reason);
    this.#loaded.reject(error);
    this.#described.reject(error);
  }

  #finish(end: WorkerEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#failLoad({ end }, end.message);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.settle({ kind: "end", end });
  }
}
