/**
 * One tool worker in this process: its start with exactly the given grants, its messages as bytes, and its
 * end, however it comes.
 * @module
 */
import process from "node:process";
import type { ResolvedGrants } from "../core/permissions.ts";
import { within } from "./deadline.ts";
import { requestLock } from "./locks.ts";
import { encodeHostMessage, encodeWorkerMessage, type Packet } from "./wire.ts";

/** How long a worker that seems to be over has to answer a ping, in milliseconds. */
const PING_MS = 100;
/** How long a dropped worker's thread has to end, in milliseconds: 2 where it idles, far more on a busy machine. */
const DROP_MS = 400;
/** Processor time in microseconds that a process in which nothing spins stays below meanwhile. */
const QUIET_CPU_US = 20_000;
/** How often a process that others keep busy is looked at for a quiet moment. */
const LOOKS = 3;
const PING_ID = 0;
const PONG = encodeWorkerMessage({ type: "pong", id: PING_ID });

/** Receives what a worker does. */
export interface WorkerHostHandlers {
  /** A message, unchecked. */
  onPacket(packet: Packet): void;
  /** The worker is over; `gone` says whether its thread is known to be. Called once, and not after `drop`. */
  onEnd(how: "exited" | "crashed" | "refused", message: string, gone: boolean): void;
}

type PermissionedOptions = WorkerOptions & {
  readonly deno: { readonly permissions: Deno.PermissionOptionsObject };
};

function toDenoPermissions(
  grants: ResolvedGrants,
  inheritsWrite: boolean,
): Deno.PermissionOptionsObject {
  const list = (values: readonly string[]): string[] | false =>
    values.length === 0 ? false : [...values];
  return {
    read: list(grants.read),
    write: inheritsWrite ? "inherit" : list(grants.write),
    net: list(grants.net),
    env: list(grants.env),
    run: list(grants.run),
    sys: list(grants.sys) as false,
    ffi: list(grants.ffi),
    import: false,
  };
}

/** A worker in this process. */
export class WorkerHost {
  readonly #worker: Worker;
  readonly #handlers: WorkerHostHandlers;
  readonly #lock = `cloister-${crypto.randomUUID()}`;
  readonly #released = Promise.withResolvers<void>();
  #held = false;
  /** The lock was lost while the worker lived: somebody in this process stole it, so it proves nothing. */
  #stolen = false;
  #over = false;
  #outbox: string[] = [];
  #pong: (() => void) | undefined;

  /**
   * Starts a worker. A refusal (grants that the process lacks) reaches `onEnd`.
   *
   * @param grants What the worker may touch; nothing else is inherited.
   * @param handlers Receive its messages and its end.
   * @param inheritsWrite Whether it gets the process's write grants, which then are exactly its own but for their holes.
   */
  constructor(grants: ResolvedGrants, handlers: WorkerHostHandlers, inheritsWrite = false) {
    this.#handlers = handlers;
    this.#worker = new Worker(new URL("./runner.ts", import.meta.url), {
      type: "module",
      deno: { permissions: toDenoPermissions(grants, inheritsWrite) },
    } as PermissionedOptions);
    this.#worker.onmessage = (event) => this.#receive(event.data);
    this.#worker.onmessageerror = () => this.#end("crashed", "It sent what cannot be read");
    this.#worker.onerror = (event) => {
      // Without this an error in one worker would end the whole process.
      event.preventDefault();
      this.#end("crashed", event.message);
    };
    this.#worker.postMessage({ lock: this.#lock });
  }

  /**
   * Sends a message; short ones that are sent in one turn of the event loop go together.
   *
   * @param packet The message; a buffer is handed over.
   */
  post(packet: Packet): void {
    if (this.#over) return;
    if (typeof packet !== "string") {
      this.#flush();
      this.#worker.postMessage(packet, [packet.buffer as ArrayBuffer]);
      return;
    }
    if (this.#outbox.push(packet) === 1) queueMicrotask(() => this.#flush());
  }

  /**
   * Ends the worker.
   *
   * @returns True when its thread is known to be gone; false when it may still be running, as a busy loop
   * goes on after `terminate()` (measured on Deno 2.9.6).
   */
  async drop(): Promise<boolean> {
    this.#over = true;
    this.#worker.terminate();
    if (this.#stolen) return false;
    // Not held yet as far as we know: when the lock comes to us we keep it, and then no tool code can start.
    if (!this.#held) this.#keepLock();
    const timer = Promise.withResolvers<false>();
    const handle = setTimeout(() => timer.resolve(false), DROP_MS);
    const gone = await Promise.race([this.#released.promise.then(() => true), timer.promise]);
    clearTimeout(handle);
    return gone;
  }

  #flush(): void {
    const outbox = this.#outbox;
    if (outbox.length === 0 || this.#over) return;
    this.#outbox = [];
    this.#worker.postMessage(outbox.length === 1 ? outbox[0] : outbox);
  }

  #receive(data: unknown): void {
    if (Array.isArray(data)) return data.forEach((item) => this.#take(item));
    this.#take(data);
  }

  #take(data: unknown): void {
    if (this.#over) return;
    if (typeof data === "string") {
      if (data === "held") this.#watch();
      else if (data === PONG && this.#pong) this.#pong();
      else this.#handlers.onPacket(data);
    } else if (data instanceof Uint8Array) {
      this.#handlers.onPacket(data);
    }
  }

  // The lock comes to us when the worker's thread ends. Cellmates can steal locks, so its release is a
  // suspicion that one ping confirms.
  #watch(): void {
    if (this.#held) return;
    this.#held = true;
    void requestLock(this.#lock, () => {
      if (!this.#over) this.#stolen = true;
      this.#released.resolve();
      if (!this.#over) void this.#confirmExit();
    });
  }

  #keepLock(): void {
    this.#held = true;
    void requestLock(this.#lock, () => {
      this.#released.resolve();
      return new Promise<void>(() => {});
    });
  }

  // A worker that stole its own lock and then spins gives no answer either. Its thread uses the processor all the
  // time, one that is over does not; when others keep the process busy it is not known.
  async #confirmExit(): Promise<void> {
    const answer = Promise.withResolvers<true>();
    this.#pong = () => answer.resolve(true);
    this.post(encodeHostMessage({ type: "ping", id: PING_ID }));
    let isQuiet = false;
    for (let look = 0; look < LOOKS && !isQuiet; look++) {
      const before = process.cpuUsage();
      const alive = await within(answer.promise, PING_MS);
      if (alive) return void (this.#pong = undefined);
      const { user, system } = process.cpuUsage(before);
      isQuiet = user + system < QUIET_CPU_US;
    }
    this.#pong = undefined;
    this.#end("exited", "The tool ended its own worker", isQuiet);
  }

  #end(how: "exited" | "crashed", message: string, gone = true): void {
    if (this.#over) return;
    this.#over = true;
    this.#worker.terminate();
    this.#handlers.onEnd(how, message, gone);
  }
}
