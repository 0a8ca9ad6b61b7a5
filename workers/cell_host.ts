/**
 * One cell, the child process that holds tool workers, as the front sees it.
 * @module
 */
import type { ResolvedGrants } from "../core/permissions.ts";
import {
  type CellOrigin,
  type CellSettings,
  type CellSpec,
  writesNothing,
} from "./cell_command.ts";
import { CellProcess } from "./cell_process.ts";
import type { Containment } from "./containment.ts";
import { parseCellEvent, parseWorkerMessage } from "./guards.ts";
import type { CellCommand, CellEvent } from "./cell_protocol.ts";
import { type HostMessage, PROTOCOL_VERSION } from "./protocol.ts";
import { hasNames, NAMES_UNSAFE } from "../core/host_names.ts";
import { SealedChannel } from "./sealed_channel.ts";
import { decodeJson, decodeTagged, encodeCellMessage, encodeHostMessage } from "./wire.ts";
import { WORKER_MB } from "./machine_size.ts";
import type { CellEnd, LinkHandlers, WorkerHome, WorkerLink } from "./worker_link.ts";

/** How long a cell has to say that it is there, in milliseconds. */
const HELLO_MS = 10_000;
/** How long a cell has to answer that a worker is gone, in milliseconds: a little longer than it waits itself. */
const DROP_ANSWER_MS = 450;
/** How long open calls may go on beside a thread that may not have ended, in milliseconds. */
const RETIRE_MS = 450;
/** How long a cell whose channel is closed has to exit, in milliseconds. */
const EXIT_MS = 150;

const MB = 1024 * 1024;
/** Resident size of a cell without workers, in megabytes (79 measured on Deno 2.9.6). */
const BASE_MB = 96;

/** Receives what a cell does. */
export interface CellHandlers {
  /** A line that the cell, or code in it, printed. */
  onOutput(stream: "stdout" | "stderr", line: string): void;
  /** Messages of a worker were dropped because there were too many. */
  onDropped(count: number): void;
  /** Its resident size in bytes changed. */
  onMemory(rss: number): void;
  /** The cell is over. Called once. */
  onEnd(end: CellEnd): void;
}

/** What a cell may write to disk without a grant, in megabytes. */
const TEMPORARY_MB = 64;

interface Seat {
  readonly module: string;
  readonly handlers: LinkHandlers;
  dropped?: (gone: boolean) => void;
}

let cellNumber = 0;

/** A child process that holds tool workers. */
export class CellHost implements WorkerHome {
  /** A short name for logs. */
  readonly id = `cell-${++cellNumber}`;
  /** Resolves when its process is gone, with what it kept on disk. */
  readonly gone: Promise<void>;
  readonly #spec: CellSpec;
  readonly #settings: CellSettings;
  readonly #handlers: CellHandlers;
  readonly #process: CellProcess;
  readonly #channel: SealedChannel;
  readonly #hello = Promise.withResolvers<void>();
  readonly #seats = new Map<number, Seat>();
  #closing: ReturnType<typeof setTimeout> | undefined;
  #retiring: ReturnType<typeof setTimeout> | undefined;
  #draining = false;
  #nextWorker = 1;
  #rss = 0;
  #end: CellEnd | undefined;

  private constructor(
    spec: CellSpec,
    settings: CellSettings,
    how: { readonly containment: Containment; readonly lock?: string; readonly own?: CellOrigin },
    handlers: CellHandlers,
  ) {
    this.#spec = spec;
    this.#settings = settings;
    this.#handlers = handlers;
    this.#process = new CellProcess(spec, { ...settings, ...how.own }, how, {
      onOutput: (stream, text) => handlers.onOutput(stream, text),
      onInspector: () => void this.kill({ how: "crashed", message: "Its inspector was opened" }),
      onExit: (end) => this.#finish(end),
    });
    this.gone = this.#process.gone.then(() => how.own?.close());
    this.#channel = SealedChannel.lead(this.#process.channel, {
      onFrame: (worker, body) => this.#receive(worker, body),
      onClose: (fault) => this.#channelClosed(fault),
    });
  }

  /**
   * Starts a cell and waits until it is there.
   *
   * @param spec What it is started with.
   * @param settings What all cells share.
   * @param handlers Receive what it prints and its end.
   * @returns The cell.
   * @throws {Error} If it does not start; the message tells what it printed.
   */
  static async start(
    spec: CellSpec,
    settings: CellSettings,
    handlers: CellHandlers,
  ): Promise<CellHost> {
    if (hasNames(spec.grants.net) && !await settings.namesSafe()) {
      throw new Error(`Cannot start a cell: ${NAMES_UNSAFE}`);
    }
    const containment = spec.startsPrograms ? await settings.containment() : "none";
    const lock = await settings.prepare?.();
    const own = await settings.open?.();
    let cell: CellHost;
    try {
      cell = new CellHost(spec, settings, { containment, lock, own }, handlers);
    } catch (error) {
      await own?.close();
      throw error;
    }
    const timer = setTimeout(() => {
      cell.#hello.reject(new Error(`Cannot start a cell: no sign of life in ${HELLO_MS} ms`));
    }, HELLO_MS);
    try {
      await cell.#hello.promise;
      return cell;
    } catch (error) {
      await cell.kill({ how: "closed", message: "It did not start" });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The cell's process id. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Resident size in bytes, as last reported. */
  get rss(): number {
    return this.#rss;
  }

  /** Whether the cell can take work. */
  get alive(): boolean {
    return this.#end === undefined && !this.#draining && !this.#process.exited;
  }

  /**
   * Resident size in bytes at which it is ended: its own, an allowance for each worker, and what a call may take.
   * Computed and not measured, because a tool could raise what is measured.
   */
  get memoryLimit(): number {
    return this.#restingMb * MB + this.#spec.memoryMb * MB;
  }

  /** Whether what is left behind takes half of what a call may take. */
  get isBloated(): boolean {
    return this.#rss > (this.#restingMb + this.#spec.memoryMb / 2) * MB;
  }

  /** Megabytes that one call may take. */
  get memoryMb(): number {
    return this.#spec.memoryMb;
  }

  get #restingMb(): number {
    return BASE_MB + WORKER_MB * this.#seats.size;
  }

  /** Whether it can be ended by force. */
  get killable(): boolean {
    return true;
  }

  /**
   * Starts a worker.
   *
   * @param grants What it may touch, its module's folder included.
   * @param handlers Receive its messages and its end.
   * @param module The module's URL, to name whoever ends the cell.
   * @returns The way to the worker.
   */
  startWorker(grants: ResolvedGrants, handlers: LinkHandlers, module: string): WorkerLink {
    const inheritsWrite = this.#lends(grants);
    this.#settings.onWorker?.(this.#spec, this.gone);
    const worker = this.#nextWorker++;
    this.#seats.set(worker, { module, handlers });
    this.#command({ type: "start-worker", worker, grants, inheritsWrite });
    return {
      send: (message: HostMessage) => {
        if (this.#seats.has(worker)) this.#channel.send(worker, encodeHostMessage(message));
      },
      drop: () => this.#drop(worker),
    };
  }

  /**
   * Ends the cell and everything in it, by force.
   *
   * @param end The reason that its workers are told.
   * @returns When the process is gone.
   */
  async kill(end: CellEnd): Promise<void> {
    this.#finish(end);
    await this.#process.kill();
    if (this.#process.pid !== undefined) await this.gone;
  }

  /** Whether it only waits for open calls. */
  get isDraining(): boolean {
    return this.#draining && this.#retiring === undefined && this.#end === undefined;
  }

  /** Takes no more work; open calls go on. */
  drain(): void {
    this.#draining = true;
  }

  // What a worker inherits is all that its cell may write: nobody who was granted less may be in such a cell.
  #lends({ write }: ResolvedGrants): boolean {
    const { denyWrite, grants } = this.#spec;
    if (denyWrite.length === 0 || write.length === 0) return false;
    const own = new Set(write);
    if (grants.write.every((path) => own.has(path))) return true;
    throw new Error(`Cannot start a worker in ${this.id}: its cell may write more than it`);
  }

  #command(command: CellCommand): void {
    this.#channel.send(0, encodeCellMessage(command));
  }

  async #drop(worker: number): Promise<boolean> {
    const seat = this.#seats.get(worker);
    if (!seat) return true;
    const answer = Promise.withResolvers<boolean>();
    seat.dropped = answer.resolve;
    this.#command({ type: "drop-worker", worker });
    const timer = setTimeout(() => answer.resolve(false), DROP_ANSWER_MS);
    const gone = await answer.promise;
    clearTimeout(timer);
    this.#endWorker(worker, { how: "dropped", message: "It was dropped" });
    return gone;
  }

  #receive(worker: number, body: Uint8Array): void {
    if (worker === 0) {
      const event = parseCellEvent(decodeJson(body));
      if (event) this.#handleEvent(event);
      return;
    }
    const seat = this.#seats.get(worker);
    if (!seat) return;
    const message = parseWorkerMessage(decodeTagged(body));
    if (message) seat.handlers.onMessage(message);
  }

  #handleEvent(event: CellEvent): void {
    switch (event.type) {
      case "hello":
        return this.#greeted(event.protocol, event.deno);
      case "memory":
        return this.#weigh(event.rss);
      case "disk":
        return this.#measure(event.written);
      case "restless":
        return void this.kill({ how: "crashed", message: "Code in it went on without a call" });
      case "worker-ended":
        return this.#workerEnded(event);
      case "worker-dropped":
        return this.#seats.get(event.worker)?.dropped?.(event.gone);
      case "messages-dropped":
        return this.#handlers.onDropped(event.count);
      default:
        return event satisfies never;
    }
  }

  #workerEnded(event: Extract<CellEvent, { type: "worker-ended" }>): void {
    const { worker, how, message, gone } = event;
    const culprit = this.#seats.get(worker)?.module;
    this.#endWorker(worker, { how, message, gone });
    if (gone) return;
    // A thread that may still be running ends with its process.
    const why = "A worker's thread in its cell did not end";
    const end: CellEnd = { how: "crashed", message: why, ...(culprit && { culprit }) };
    this.#draining = true;
    this.#retiring ??= setTimeout(
      () => void this.kill(end),
      this.#seats.size > 0 ? RETIRE_MS : 0,
    );
  }

  #greeted(protocol: number, deno: string): void {
    if (protocol === PROTOCOL_VERSION && deno === Deno.version.deno) return this.#hello.resolve();
    this.#hello.reject(
      new Error(
        `Cannot use "${this.#settings.deno}" for cells: it is Deno ${deno}, expected ${Deno.version.deno}. ` +
          "Put the Deno that runs this program first on the PATH",
      ),
    );
  }

  #weigh(rss: number): void {
    this.#rss = rss;
    this.#handlers.onMemory(rss);
    if (rss <= this.memoryLimit) return;
    const [grown, most] = [rss / MB, this.memoryLimit / MB].map(Math.round);
    const message = `Its cell grew to ${grown} MB, ${most} MB at most (${this.#restingMb} MB for ` +
      `itself and its workers, ${this.#spec.memoryMb} MB for calls)`;
    void this.kill({ how: "memory", message });
  }

  #measure(written: number): void {
    const { temporaryMb = TEMPORARY_MB } = this.#settings;
    if (written <= temporaryMb * MB || !writesNothing(this.#spec)) return;
    const message = `Its cell wrote ${Math.round(written / MB)} MB of temporary files without a ` +
      `write grant, ${temporaryMb} MB at most (limits.temporaryMb)`;
    void this.kill({ how: "crashed", message });
  }

  #endWorker(worker: number, end: Parameters<LinkHandlers["onEnd"]>[0]): void {
    const seat = this.#seats.get(worker);
    if (!seat) return;
    this.#seats.delete(worker);
    seat.handlers.onEnd(end);
  }

  #channelClosed(fault?: string): void {
    if (fault) return void this.kill({ how: "crashed", message: fault });
    if (this.#process.exited) return;
    const message = "Its channel was closed";
    this.#closing = setTimeout(() => {
      if (!this.#process.exited) void this.kill({ how: "crashed", message });
    }, EXIT_MS);
  }

  #finish(end: CellEnd): void {
    if (this.#end) return;
    this.#end = end;
    const tail = this.#process.lastWords;
    this.#hello.reject(new Error(`Cannot start a cell: ${end.message}${tail && `\n${tail}`}`));
    this.#hello.promise.catch(() => {});
    this.#channel?.destroy();
    this.#handlers.onEnd(end);
    clearTimeout(this.#closing);
    clearTimeout(this.#retiring);
    for (const worker of [...this.#seats.keys()]) {
      this.#endWorker(worker, { how: "cell-ended", message: end.message, cell: end.how });
    }
  }
}
