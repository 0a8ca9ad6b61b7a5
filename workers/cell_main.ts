/**
 * The main isolate of a cell: starts permissioned workers, forwards frames, reports memory and exits. It runs
 * no tool code and believes nothing that a worker says.
 * @module
 */
import { Socket } from "node:net";
import process from "node:process";
import type { Duplex } from "node:stream";
import type { CellCommand, CellEvent } from "./cell_protocol.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";
import { Restlessness } from "./restlessness.ts";
import { SealedChannel } from "./sealed_channel.ts";
import { ANSWER, decodeJson, encodeCellMessage, type Packet, packetOf, tagOf } from "./wire.ts";
import { WorkerHost } from "./worker_host.ts";

/** Descriptor of the inherited socket pair. */
const CHANNEL_FD = 3;
const WATCH_MS = 25;
const IDLE_WATCH_MS = 500;
const STEP_BYTES = 4 * 1024 * 1024;
/** In which the system counts what a process writes. */
const BLOCK_BYTES = 512;
const EVENTS_PER_SECOND = 200;
const EVENT_BURST = 400;
/** A worker that is this far ahead of the front has its events dropped. */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024;

interface Seat {
  readonly host: WorkerHost;
  /** Answers that the worker may still give: one for each message it got. */
  credits: number;
  /** Events that it may still send. */
  events: number;
  refilledAt: number;
  dropped: number;
}

class CellMain {
  readonly #channel: SealedChannel;
  readonly #seats = new Map<number, Seat>();
  #watcher: ReturnType<typeof setInterval> | undefined;
  #watchesOften = false;
  readonly #restlessness = new Restlessness(() => this.#say({ type: "restless" }));
  #busyUntil = 0;
  #lastRss = 0;
  #lastWritten = 0;

  constructor(socket: Duplex) {
    this.#channel = SealedChannel.follow(socket, {
      onFrame: (worker, body) => this.#receive(worker, body),
      onClose: () => Deno.exit(0),
    });
  }

  #say(event: CellEvent): void {
    this.#channel.send(0, encodeCellMessage(event));
  }

  #receive(worker: number, body: Uint8Array): void {
    if (worker === 0) return body.length === 0 ? this.#greet() : this.#obey(body);
    const seat = this.#seats.get(worker);
    if (!seat) return;
    if (body[0] === ANSWER) {
      seat.credits++;
      this.#watch(true);
    }
    seat.host.post(packetOf(body));
  }

  #greet(): void {
    this.#say({ type: "hello", protocol: PROTOCOL_VERSION, deno: Deno.version.deno });
    this.#watch(false);
  }

  #obey(body: Uint8Array): void {
    const command = decodeJson(body) as CellCommand;
    switch (command.type) {
      case "start-worker":
        return this.#start(command);
      case "drop-worker":
        return void this.#drop(command.worker);
      default:
        command satisfies never;
    }
  }

  #start(command: Extract<CellCommand, { type: "start-worker" }>): void {
    const { worker, grants, inheritsWrite } = command;
    try {
      const host = new WorkerHost(grants, {
        onPacket: (packet) => this.#forward(worker, packet),
        onEnd: (how, message, gone) => this.#ended(worker, { how, message, gone }),
      }, inheritsWrite);
      const refilledAt = performance.now();
      this.#seats.set(worker, { host, credits: 0, events: EVENT_BURST, refilledAt, dropped: 0 });
    } catch (error) {
      this.#ended(worker, { how: "refused", message: (error as Error).message, gone: true });
    }
  }

  #ended(
    worker: number,
    end: { readonly how: "exited" | "crashed" | "refused"; message: string; gone: boolean },
  ): void {
    this.#seats.delete(worker);
    this.#say({ type: "worker-ended", worker, ...end });
  }

  async #drop(worker: number): Promise<void> {
    const seat = this.#seats.get(worker);
    this.#seats.delete(worker);
    const gone = seat ? await seat.host.drop() : true;
    this.#say({ type: "worker-dropped", worker, gone });
  }

  #forward(worker: number, packet: Packet): void {
    const seat = this.#seats.get(worker);
    if (!seat) return;
    if (!this.#mayPass(seat, packet)) {
      seat.dropped++;
      return;
    }
    if (seat.dropped > 0) {
      this.#say({ type: "messages-dropped", worker, count: seat.dropped });
      seat.dropped = 0;
    }
    this.#channel.send(worker, packet);
  }

  #mayPass(seat: Seat, packet: Packet): boolean {
    if (tagOf(packet) === ANSWER) return seat.credits > 0 && seat.credits-- > 0;
    const now = performance.now();
    const refill = (now - seat.refilledAt) * EVENTS_PER_SECOND / 1000;
    seat.events = Math.min(EVENT_BURST, seat.events + refill);
    seat.refilledAt = now;
    if (seat.events < 1 || this.#channel.queuedBytes > MAX_BACKLOG_BYTES) return false;
    seat.events--;
    return true;
  }

  // Often while an answer is due, seldom while none is: a tool may go on after its call.
  #watch(busy: boolean): void {
    if (busy) this.#busyUntil = performance.now() + IDLE_WATCH_MS;
    if (this.#watcher !== undefined && busy === this.#watchesOften) return;
    clearInterval(this.#watcher);
    this.#watchesOften = busy;
    this.#watcher = setInterval(() => this.#tick(), busy ? WATCH_MS : IDLE_WATCH_MS);
  }

  #tick(): void {
    this.#reportMemory();
    this.#reportDisk();
    const isDue = this.#seats.values().some((seat) => seat.credits > 0);
    this.#restlessness.look(isDue);
    if (isDue) return this.#watch(true);
    if (performance.now() > this.#busyUntil) this.#watch(false);
  }

  #reportMemory(): void {
    const { rss } = Deno.memoryUsage();
    if (Math.abs(rss - this.#lastRss) < STEP_BYTES) return;
    this.#lastRss = rss;
    this.#say({ type: "memory", rss });
  }

  #reportDisk(): void {
    const written = writtenBytes();
    if (written - this.#lastWritten < STEP_BYTES) return;
    this.#lastWritten = written;
    this.#say({ type: "disk", written });
  }
}

// Elsewhere the number is not one of bytes.
function writtenBytes(): number {
  return Deno.build.os === "linux" ? process.resourceUsage().fsWrite * BLOCK_BYTES : 0;
}

// Any worker may send this signal, which opens the process's inspector to everybody on this machine (measured on
// Deno 2.9.6). The cell ends before that.
if (Deno.build.os !== "windows") {
  Deno.addSignalListener("SIGUSR1", () => Deno.kill(Deno.pid, "SIGKILL"));
}

new CellMain(new Socket({ fd: CHANNEL_FD, readable: true, writable: true }));
