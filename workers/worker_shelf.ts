/**
 * The loaded workers of a runtime, one for each module and set of grants: started when first needed, dropped
 * when idle, replaced after many calls.
 * @module
 */
import { cellKey, type CellLease, type CellPool } from "./cell_pool.ts";
import type { ModuleSpec, Placement } from "./execution.ts";
import { internNumber } from "./intern.ts";
import type { LocalHome } from "./local_home.ts";
import type { ResolvedGrants } from "../core/permissions.ts";
import type { LogMessage } from "./protocol.ts";
import { ToolWorker } from "./tool_worker.ts";

/** Limits of a {@linkcode WorkerShelf}. */
export interface ShelfLimits {
  /** After how many milliseconds without a call a worker is dropped. */
  readonly idleMs: number;
  /** After how many calls a worker is replaced. */
  readonly callsPerWorker: number;
}

/** Which worker is meant. */
export interface WorkerOrder {
  /** The module. */
  readonly module: ModuleSpec;
  /** What it may touch, without its files. */
  readonly grants: ResolvedGrants;
  /** Which cell. */
  readonly placement: Placement;
}

/** A worker on the shelf, or one that is being started. */
export interface HeldWorker {
  /** Settles with the worker when its cell is there; the module may still be loading. */
  readonly worker: Promise<ToolWorker>;
  /** How many calls use it or wait for it. */
  users: number;
  /** The key of its cell. */
  readonly cell: string;
}

interface ShelfItem extends HeldWorker {
  readonly key: string;
  readonly once: boolean;
  current?: ToolWorker;
  lease?: CellLease;
  idleTimer?: ReturnType<typeof setTimeout>;
  /** When its last call was over, by `performance.now()`. */
  restingSince: number;
  removed: boolean;
}

/** The loaded workers of a runtime. */
export class WorkerShelf {
  readonly #cells: CellPool | undefined;
  readonly #local: LocalHome;
  readonly #limits: ShelfLimits;
  readonly #onLog: (cell: string, message: LogMessage) => void;
  readonly #items = new Map<string, ShelfItem>();
  readonly #everything = new Set<ShelfItem>();

  /**
   * Makes an empty shelf.
   *
   * @param cells The cells, where processes can be started.
   * @param local This process, for what the operator named.
   * @param limits When workers are dropped.
   * @param onLog Receives log records that belong to no open call.
   */
  constructor(
    cells: CellPool | undefined,
    local: LocalHome,
    limits: ShelfLimits,
    onLog: (cell: string, message: LogMessage) => void,
  ) {
    this.#cells = cells;
    this.#local = local;
    this.#limits = limits;
    this.#onLog = onLog;
  }

  /** The workers that are there now. */
  get workers(): ToolWorker[] {
    return [...this.#everything].flatMap((item) => item.current ?? []);
  }

  /**
   * Takes a worker, starting one when there is none.
   *
   * @param order Which one.
   * @returns The held worker; give it back with {@linkcode WorkerShelf.give}.
   */
  take(order: WorkerOrder): HeldWorker {
    const cell = cellKey(order.placement.group, order.placement.cell);
    const { url, integrity } = order.module;
    const key = `${internNumber(order.grants)} ${integrity} ${url} ${cell}`;
    const known = order.placement.perCall ? undefined : this.#items.get(key);
    const item = known && this.#usable(known) ? known : this.#create(order, key, cell);
    item.users++;
    return item;
  }

  /**
   * Gives a worker back.
   *
   * @param held What `take` gave.
   */
  give(held: HeldWorker): void {
    const item = held as ShelfItem;
    item.users--;
    if (item.users > 0) return;
    if (item.once || item.removed || !item.current?.alive) return void this.discard(item);
    item.restingSince = performance.now();
    // A timer that is there looks itself how long it was: one for each call would cost each call.
    item.idleTimer ??= this.#watchIdle(item, this.#limits.idleMs);
  }

  /** Drops the workers of the cell that nobody has used for longest, so that it can be ended. */
  async dropIdlest(): Promise<void> {
    const all = [...this.#everything];
    const busy = new Set(all.filter(({ users }) => users > 0).map(({ cell }) => cell));
    const idle = all.filter(({ cell, lease }) => lease && !busy.has(cell));
    const last = Map.groupBy(idle, ({ cell }) => cell).values()
      .map((items) => ({ items, since: Math.max(...items.map((item) => item.restingSince)) }));
    const [idlest] = [...last].sort((a, b) => a.since - b.since);
    await Promise.all((idlest?.items ?? []).map((item) => this.discard(item)));
  }

  /**
   * Drops a worker; its open calls settle with the end `dropped`.
   *
   * @param held What `take` gave.
   * @returns True when its thread is known to be gone.
   */
  async discard(held: HeldWorker): Promise<boolean> {
    const item = held as ShelfItem;
    this.#remove(item);
    clearTimeout(item.idleTimer);
    const gone = item.current ? await item.current.drop() : true;
    item.lease?.release();
    item.lease = undefined;
    this.#everything.delete(item);
    return gone;
  }

  /** Drops every worker. */
  async close(): Promise<void> {
    for (const item of this.#everything) clearTimeout(item.idleTimer);
    await this.#local.kill({ how: "closed", message: "The runtime was closed" });
    this.#items.clear();
    this.#everything.clear();
  }

  #watchIdle(item: ShelfItem, ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      item.idleTimer = undefined;
      // Whoever gives it back begins anew.
      if (item.users > 0) return;
      const leftMs = item.restingSince + this.#limits.idleMs - performance.now();
      if (leftMs > 0) item.idleTimer = this.#watchIdle(item, Math.ceil(leftMs));
      else void this.discard(item);
    }, ms);
  }

  #usable(item: ShelfItem): boolean {
    if (item.removed || (item.current && !item.current.alive)) return false;
    if ((item.current?.started ?? 0) < this.#limits.callsPerWorker) return true;
    // Its present calls go on; when the last one is over it is dropped.
    this.#remove(item);
    if (item.users === 0) void this.discard(item);
    return false;
  }

  #remove(item: ShelfItem): void {
    item.removed = true;
    if (this.#items.get(item.key) === item) this.#items.delete(item.key);
  }

  #create(order: WorkerOrder, key: string, cell: string): ShelfItem {
    const item: ShelfItem = {
      key,
      cell,
      once: order.placement.perCall,
      users: 0,
      restingSince: 0,
      removed: false,
      worker: Promise.resolve().then(() => this.#start(item, order)),
    };
    item.worker.catch(() => this.#remove(item));
    if (!item.once) this.#items.set(key, item);
    this.#everything.add(item);
    return item;
  }

  async #start(item: ShelfItem, order: WorkerOrder): Promise<ToolWorker> {
    const home = await this.#home(item, order.placement);
    const onLog = (message: LogMessage): void => this.#onLog(home.id, message);
    const worker = new ToolWorker(home, order.module, order.grants, onLog);
    item.current = worker;
    worker.ready.catch(() => this.#remove(item));
    return worker;
  }

  async #home(item: ShelfItem, placement: Placement): Promise<LocalHome | CellLease["cell"]> {
    if (placement.inProcess) return this.#local;
    if (!this.#cells) throw new Error("Cannot start a cell: no process may be started here");
    item.lease = placement.perCall
      ? await this.#cells.leaseOnce(item.cell, placement.cell, placement.spare)
      : await this.#cells.lease(item.cell, placement.cell);
    return item.lease.cell;
  }
}
