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
import { SealedChannel } from "./sealed_channel.ts";
import { decodeJson, decodeTagged, encodeCellMessage, encodeHostMessage } from "./wire.ts";
import { WORKER_MB } from "./machine_size.ts";
import {
  type CellEnd,
  type LinkHandlers,
  RETIRE_MS,
  type WorkerHome,
  type WorkerLink,
} from "./worker_link.ts";

/** How long a cell has to say that it is there, in milliseconds. */
const HELLO_MS = 10_000;
/** How long a cell has to answer that a worker is gone, in milliseconds. */
const DROP_ANSWER_MS = 200;
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
    return this.#end === undefined && this.#retiring === undefined && !this.#process.exited;
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
    const worker = this.#nextWorker++;
    this.#seats.set(worker, { module, handlers });
    this.#command({ type: "start-worker", worker, grants });
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

  /**
   * Takes no more workers; open calls may go on for a moment, then everything in it is ended by force.
   *
   * @param end The reason that its workers are told.
   * @param graceMs For how many milliseconds they may go on.
   * @returns When the process is gone.
   */
  async retire(end: CellEnd, graceMs: number): Promise<void> {
    if (graceMs === 0) return await this.kill(end);
    this.#retiring ??= setTimeout(() => void this.kill(end), graceMs);
    await this.gone;
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
    void this.retire(end, this.#seats.size > 0 ? RETIRE_MS : 0);
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
