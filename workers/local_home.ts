/**
 * Workers in this very process, for machines where no process may be started. Only what the operator named
 * runs here: such a worker is limited in what it reaches, but cannot be stopped while it spins.
 * @module
 */
import type { ResolvedGrants } from "../core/permissions.ts";
import { parseWorkerMessage } from "./guards.ts";
import type { HostMessage } from "./protocol.ts";
import { decodeTagged, encodeHostMessage } from "./wire.ts";
import { WorkerHost } from "./worker_host.ts";
import type { CellEnd, LinkHandlers, WorkerHome, WorkerLink } from "./worker_link.ts";

/** This process as a place for workers. */
export class LocalHome implements WorkerHome {
  /** A short name for logs. */
  readonly id = "in-process";
  /** It is never ended by force. */
  readonly killable = false;
  /** It takes work as long as it is there. */
  readonly isDraining = false;
  readonly #hosts = new Set<WorkerHost>();
  #alive = true;

  /** Whether it can take work. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Resident size of this process in bytes. */
  get rss(): number {
    return Deno.memoryUsage().rss;
  }

  /**
   * Starts a worker.
   *
   * @param grants What it may touch, its module's files included.
   * @param handlers Receive its messages and its end.
   * @returns The way to the worker.
   */
  startWorker(grants: ResolvedGrants, handlers: LinkHandlers): WorkerLink {
    let host: WorkerHost;
    try {
      host = new WorkerHost(grants, {
        onPacket: (packet) => {
          const message = parseWorkerMessage(decodeTagged(packet));
          if (message) handlers.onMessage(message);
        },
        onEnd: (how, message, gone) => {
          this.#hosts.delete(host);
          handlers.onEnd({ how, message, gone });
        },
      });
    } catch (error) {
      queueMicrotask(() => handlers.onEnd({ how: "refused", message: (error as Error).message }));
      return { send: () => {}, drop: () => Promise.resolve(true) };
    }
    this.#hosts.add(host);
    return {
      send: (message: HostMessage) => host.post(encodeHostMessage(message)),
      drop: () => this.#drop(host, handlers),
    };
  }

  /**
   * Drops every worker. A thread that spins goes on.
   *
   * @param _end Why; not needed here.
   */
  async kill(_end: CellEnd): Promise<void> {
    this.#alive = false;
    await Promise.all([...this.#hosts].map((host) => host.drop()));
    this.#hosts.clear();
  }

  /** Does nothing: this process goes on. */
  drain(): void {}

  async #drop(host: WorkerHost, handlers: LinkHandlers): Promise<boolean> {
    this.#hosts.delete(host);
    const gone = await host.drop();
    handlers.onEnd({ how: "dropped", message: "It was dropped" });
    return gone;
  }
}
