/**
 * The loaded workers of a runtime, one for each module and set of grants: started when first needed, kept warm
 * within one budget over all cells, replaced after many calls and after an edit.
 * @module
 */
import { cellKey, type CellLease, type CellPool } from "./cell_pool.ts";
import type { ModuleSpec, Placement } from "./execution.ts";
import { internNumber } from "./intern.ts";
import type { LocalHome } from "./local_home.ts";
import type { ResolvedGrants } from "../core/permissions.ts";
import type { LogMessage } from "./protocol.ts";
import { ToolWorker } from "./tool_worker.ts";
import type { WorkerHome } from "./worker_link.ts";

/** Limits of a {@linkcode WorkerShelf}. */
export interface ShelfLimits {
  /** After how many milliseconds without a call a worker is dropped. */
  readonly idleMs: number;
  /** After how many calls a worker is replaced. */
  readonly callsPerWorker: number;
  /** How many workers there may be before those that nobody has used for longest are dropped. */
  readonly warmWorkers: number;
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
}

interface ShelfItem extends HeldWorker {
  readonly key: string;
  /** The key of its cell. */
  readonly cell: string;
  readonly order: WorkerOrder;
  /** Whether a call has used it: what only answered a question is not kept. */
  isWarm: boolean;
  current?: ToolWorker;
  lease?: CellLease;
  idleTimer?: ReturnType<typeof setTimeout>;
  /** When its last call was over, by `performance.now()`. */
  restingSince: number;
  /** Takes no more calls. */
  removed: boolean;
  discarded: boolean;
  /** Called instead of dropping it when its last call is over. */
  whenUnused?: () => void;
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
   * @param isCall Whether for a call, after which it is kept warm; else it is kept only if it was already.
   * @returns The held worker; give it back with {@linkcode WorkerShelf.give}.
   */
  take(order: WorkerOrder, isCall: boolean): HeldWorker {
    const { module: { url, integrity }, grants, placement } = order;
    const cell = cellKey({ group: placement.group, spec: placement.cell });
    const key = `${internNumber(grants)} ${integrity} ${url} ${cell}`;
    const known = placement.perCall ? undefined : this.#items.get(key);
    const item = known && this.#usable(known) ? known : this.#create(order, key, cell);
    item.users++;
    item.isWarm ||= isCall;
    if (this.#everything.size > this.#limits.warmWorkers) this.#dropIdlest();
    return item;
  }

  /**
   * Gives a worker back.
   *
   * @param held What `take` gave.
   * @param isCall What `take` was told.
   */
  give(held: HeldWorker, isCall: boolean): void {
    const item = held as ShelfItem;
    item.users--;
    if (item.users > 0) return;
    const { current, order: { placement } } = item;
    // A place that takes no more work ends with its last call, and programs with the call that started them.
    if (current?.home.isDraining || placement.cell.startsPrograms) this.#endUnused(item);
    if (item.whenUnused) return item.whenUnused();
    const isDone = item.removed || item.order.placement.perCall || !item.isWarm;
    if (isDone || !item.current?.alive) return void this.discard(item);
    // A question is no use: else checks would keep every worker warm for ever.
    if (isCall) item.restingSince = performance.now();
    else if (this.#idleLeftMs(item) <= 0) return void this.#drop(item, true);
    // A timer that is there looks itself how long it was: one for each call would cost each call.
    item.idleTimer ??= this.#watchIdle(item, this.#limits.idleMs);
    if (this.#everything.size > this.#limits.warmWorkers) this.#dropIdlest();
    if (item.lease) this.#cells?.lookAtIdle(item.cell);
  }

  /**
   * Gives a worker no more calls. Those that are open go on.
   *
   * @param held What `take` gave.
   * @param whenUnused Called when the last of them is over; it has to discard the worker.
   */
  retire(held: HeldWorker, whenUnused: () => void): void {
    const item = held as ShelfItem;
    this.#remove(item);
    item.whenUnused = whenUnused;
  }

  /**
   * Since when nobody works in a cell.
   *
   * @param cell The cell's key.
   * @returns The time by `performance.now()`; `undefined` while somebody does.
   */
  idleSince(cell: string): number | undefined {
    const items = [...this.#everything].filter((item) => item.cell === cell);
    if (items.some(({ users }) => users > 0)) return undefined;
    return Math.max(0, ...items.map(({ restingSince }) => restingSince));
  }

  /**
   * Drops the idle workers of a cell, and has no more calls come to the others.
   *
   * @param cell The cell's key.
   */
  clear(cell: string): void {
    for (const item of this.#everything) if (item.cell === cell) this.#outdate(item);
  }

  /**
   * Forgets the idle workers of a place that is over.
   *
   * @param home The place.
   */
  forget(home: WorkerHome): void {
    for (const item of this.#everything) if (item.current?.home === home) this.#outdate(item);
  }

  /**
   * Drops a worker; its open calls settle with the end `dropped`.
   *
   * @param held What `take` gave.
   * @returns True when its thread is known to be gone.
   */
  discard(held: HeldWorker): Promise<boolean> {
    return this.#drop(held as ShelfItem, false);
  }

  async #drop(item: ShelfItem, wasIdle: boolean): Promise<boolean> {
    this.#remove(item);
    item.discarded = true;
    clearTimeout(item.idleTimer);
    const gone = item.current ? await item.current.drop() : true;
    item.lease?.release(wasIdle);
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

  #endUnused({ current, order: { placement } }: ShelfItem): void {
    const home = current?.home;
    const isUsed = this.#everything.values()
      .some((other) => other.users > 0 && other.current?.home === home);
    if (!home?.killable || isUsed) return;
    void home.kill({ how: "closed", message: "Its last call is over" });
    if (placement.cell.startsPrograms && !placement.perCall) {
      this.#cells?.prepare({ group: placement.group, spec: placement.cell });
    }
  }

  #idleLeftMs({ restingSince }: ShelfItem): number {
    return restingSince + this.#limits.idleMs - performance.now();
  }

  #watchIdle(item: ShelfItem, ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      item.idleTimer = undefined;
      // Whoever gives it back begins anew.
      if (item.users > 0) return;
      const leftMs = this.#idleLeftMs(item);
      if (leftMs > 0) item.idleTimer = this.#watchIdle(item, Math.ceil(leftMs));
      else void this.#drop(item, true);
    }, ms);
  }

  // Before anything is ended by force: warm workers are what memory can be had back from.
  #dropIdlest(): void {
    const all = [...this.#everything].filter(({ removed }) => !removed);
    const idle = all.filter(({ users }) => users === 0)
      .sort((a, b) => a.restingSince - b.restingSince);
    const excess = all.length - this.#limits.warmWorkers;
    for (const item of idle.slice(0, Math.max(0, excess))) void this.discard(item);
  }

  #usable(item: ShelfItem): boolean {
    if (item.removed || (item.current && !item.current.alive)) return false;
    if ((item.current?.started ?? 0) < this.#limits.callsPerWorker) return true;
    this.#outdate(item);
    return false;
  }

  // Its present calls go on; when the last one is over it is dropped.
  #outdate(item: ShelfItem): void {
    this.#remove(item);
    if (item.users === 0 && !item.discarded) void this.discard(item);
  }

  #remove(item: ShelfItem): void {
    item.removed = true;
    if (this.#items.get(item.key) === item) this.#items.delete(item.key);
  }

  #create(order: WorkerOrder, key: string, cell: string): ShelfItem {
    const item: ShelfItem = {
      key,
      cell,
      order,
      isWarm: false,
      users: 0,
      restingSince: performance.now(),
      removed: false,
      discarded: false,
      worker: Promise.resolve().then(() => this.#start(item)),
    };
    item.worker.catch(() => this.#remove(item));
    this.#replaceEdited(item);
    if (!order.placement.perCall) this.#items.set(key, item);
    this.#everything.add(item);
    return item;
  }

  #replaceEdited({ cell, order: { module: { source, integrity } } }: ShelfItem): void {
    if (source === undefined) return;
    for (const other of this.#everything) {
      const { module } = other.order;
      const isOlder = module.source === source && module.integrity !== integrity;
      if (isOlder && other.cell === cell) this.#outdate(other);
    }
  }

  async #start(item: ShelfItem): Promise<ToolWorker> {
    const { module, grants, placement } = item.order;
    const home = await this.#home(item, placement);
    if (item.discarded) throw new Error("Nobody waits for the worker any more");
    const onLog = (message: LogMessage): void => this.#onLog(home.id, message);
    const worker = new ToolWorker(home, module, grants, onLog);
    item.current = worker;
    worker.ready.catch(() => this.#remove(item));
    return worker;
  }

  async #home(item: ShelfItem, placement: Placement): Promise<WorkerHome> {
    if (placement.inProcess) return this.#local;
    if (!this.#cells) throw new Error("Cannot start a cell: no process may be started here");
    const order = { group: placement.group, spec: placement.cell };
    item.lease = placement.perCall
      ? this.#cells.leaseOnce(order, placement.spare)
      : this.#cells.lease(order);
    return await item.lease.cell;
  }
}
