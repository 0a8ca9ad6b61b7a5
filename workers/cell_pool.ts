/**
 * The cells of a runtime: which are there, which take work, and when they end. There are never more processes
 * than the machine can hold: who needs another one waits until an idle one was ended, or a busy one is over.
 * @module
 */
import type { CellHost } from "./cell_host.ts";
import type { CellSettings, CellSpec } from "./cell_command.ts";
import { FairQueue } from "./fair_queue.ts";
import { internNumber } from "./intern.ts";
import type { CellEnd } from "./worker_link.ts";

/** Limits of a {@linkcode CellPool}. */
export interface CellPoolLimits {
  /** How many cell processes there may be. */
  readonly maxCells: number;
  /** After how many milliseconds without work a cell is ended. */
  readonly idleMs: number;
}

/** Receives what cells do, and answers what the pool cannot know. */
export interface CellPoolEvents {
  /** A line that a cell printed. */
  onOutput(cell: string, stream: "stdout" | "stderr", line: string): void;
  /** Messages of a worker were dropped because there were too many. */
  onDropped(cell: string, count: number): void;
  /** A cell's resident size changed. */
  onMemory(cell: CellHost, rss: number): void;
  /** Since when nobody works in the cell of a key, by `performance.now()`; `undefined` when somebody does. */
  idleSince(key: string): number | undefined;
  /** Another cell has taken the place of this key's: its idle workers are to go. */
  onSuperseded(key: string): void;
  /** A cell is over. */
  onEnd(cell: CellHost, end: CellEnd): void;
}

interface Slot {
  readonly key: string;
  readonly group: string;
  cell?: CellHost;
  starting?: Promise<CellHost>;
  /** Aborts when nobody waits for the cell that is being started. */
  unwanted: AbortController;
  /** Leases that are out. */
  leases: number;
  idleTimer?: ReturnType<typeof setTimeout>;
}

/** A use of a cell; give it back with `release`, also while the cell is still awaited. */
export interface CellLease {
  /** The cell. Rejects when it cannot be started. */
  readonly cell: Promise<CellHost>;
  /** Gives it back; `wasIdle` says that nobody has used it for as long as an idle cell is kept. */
  release(wasIdle?: boolean): void;
}

/** Which cell is wanted. */
export interface CellOrder {
  /** Workers of one group share a cell. */
  readonly group: string;
  /** What it is started with. */
  readonly spec: CellSpec;
}

/**
 * The key of the cells that fit an order.
 *
 * @param order The order.
 * @returns The key.
 */
export function cellKey({ group, spec }: CellOrder): string {
  return `${internNumber(spec)} ${group}`;
}

/** The cells of a runtime. */
export class CellPool {
  readonly #settings: CellSettings;
  readonly #limits: CellPoolLimits;
  readonly #events: CellPoolEvents;
  readonly #slots = new Map<string, Slot>();
  /** The key that a group had last. */
  readonly #latest = new Map<string, string>();
  readonly #spares = new Map<string, Promise<CellHost>>();
  readonly #spareTimers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #all = new Set<CellHost>();
  /** How many cells are being ended: their places will be free. */
  #ending = 0;
  readonly #places: FairQueue;
  readonly #closed = new AbortController();

  /**
   * Makes a pool without cells.
   *
   * @param settings What all cells share.
   * @param limits How many, and how long.
   * @param events Receive what cells do.
   */
  constructor(settings: CellSettings, limits: CellPoolLimits, events: CellPoolEvents) {
    this.#settings = settings;
    this.#limits = limits;
    this.#events = events;
    const { maxCells } = limits;
    this.#places = new FairQueue({ total: maxCells, perKey: maxCells, waiting: Infinity });
  }

  /** How many cells there are. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Takes the shared cell of an order, starting it when there is none.
   *
   * @param order The order.
   * @returns The lease.
   */
  lease(order: CellOrder): CellLease {
    const key = cellKey(order);
    const slot = this.#slots.get(key) ?? this.#open(key, order.group);
    slot.leases++;
    clearTimeout(slot.idleTimer);
    let given = false;
    return {
      cell: this.#cellOf(slot, order.spec),
      release: (wasIdle = false) => {
        if (given) return;
        given = true;
        slot.leases--;
        this.#rest(slot, wasIdle);
      },
    };
  }

  /**
   * Takes a cell for one call. The cell ends when it is given back.
   *
   * @param order The order.
   * @param spare Whether to get the next call's cell ready.
   * @returns The lease.
   */
  leaseOnce(order: CellOrder, spare: boolean): CellLease {
    const unwanted = new AbortController();
    const cell = this.#takeOrStart(cellKey(order), order.spec, unwanted.signal);
    if (spare) cell.then(() => this.prepare(order)).catch(() => {});
    return {
      cell,
      release: () => {
        unwanted.abort();
        cell.then((host) => this.#end(host, "Its one call is over")).catch(() => {});
      },
    };
  }

  /**
   * Starts a spare cell that takes over when the present one is ended, if there is room for it.
   *
   * @param order The order.
   */
  prepare(order: CellOrder): void {
    const key = cellKey(order);
    if (this.#spares.has(key) || this.#closed.signal.aborted || !this.#places.hasRoom) return;
    const spare = this.#start(key, order.spec, this.#closed.signal);
    this.#spares.set(key, spare);
    spare.then(() => this.makeRoom()).catch(() => this.#spares.delete(key));
    this.#spareTimers.set(key, setTimeout(() => void this.#dismissSpare(key), this.#limits.idleMs));
  }

  /**
   * Lets one process more be started while a call waits for somebody outside, who may call another tool.
   *
   * @returns Ends it.
   */
  widen(): () => void {
    const narrow = this.#places.widen();
    return () => {
      narrow();
      this.makeRoom();
    };
  }

  /**
   * Looks at a cell in which nobody works any more: one in which too much was left behind is ended, before somebody
   * else has to do with what is left.
   *
   * @param key The cell's key.
   */
  lookAtIdle(key: string): void {
    const cell = this.#slots.get(key)?.cell;
    if (cell?.isBloated && cell.alive && this.#events.idleSince(key) !== undefined) {
      void this.#end(cell, "Its tools left too much behind in memory");
    }
    this.makeRoom();
  }

  /** Ends idle cells for those who wait for a place, and those that are too many. */
  makeRoom(): void {
    const { waiting, excess } = this.#places;
    let wanted = waiting + excess - this.#ending;
    while (wanted-- > 0 && this.#endIdlest());
  }

  /** Ends every cell. */
  async close(): Promise<void> {
    this.#closed.abort();
    for (const slot of this.#slots.values()) clearTimeout(slot.idleTimer);
    for (const timer of this.#spareTimers.values()) clearTimeout(timer);
    const starting = [...this.#slots.values()].map((slot) => slot.starting);
    await Promise.allSettled([...starting, ...this.#spares.values()]);
    await Promise.all([...this.#all].map((cell) => this.#end(cell, "The runtime was closed")));
  }

  #open(key: string, group: string): Slot {
    const slot: Slot = { key, group, leases: 0, unwanted: new AbortController() };
    this.#slots.set(key, slot);
    const before = this.#latest.get(group);
    this.#latest.set(group, key);
    if (before !== undefined && before !== key && this.#slots.has(before)) {
      void this.#dismissSpare(before);
      this.#events.onSuperseded(before);
      this.#rest(this.#slots.get(before)!);
    }
    return slot;
  }

  async #cellOf(slot: Slot, spec: CellSpec): Promise<CellHost> {
    // One that nobody waited for any more is not started to its end.
    while (slot.starting && slot.unwanted.signal.aborted) await slot.starting.catch(() => {});
    if (slot.cell?.alive) return slot.cell;
    slot.starting ??= this.#replace(slot, spec);
    return await slot.starting;
  }

  async #replace(slot: Slot, spec: CellSpec): Promise<CellHost> {
    slot.unwanted = new AbortController();
    try {
      slot.cell = await this.#takeOrStart(slot.key, spec, slot.unwanted.signal);
      return slot.cell;
    } finally {
      slot.starting = undefined;
      this.#rest(slot);
    }
  }

  async #takeOrStart(key: string, spec: CellSpec, unwanted: AbortSignal): Promise<CellHost> {
    return await this.#takeSpare(key) ?? await this.#start(key, spec, unwanted);
  }

  async #takeSpare(key: string): Promise<CellHost | undefined> {
    const spare = this.#spares.get(key);
    if (!spare) return undefined;
    this.#spares.delete(key);
    clearTimeout(this.#spareTimers.get(key));
    this.#spareTimers.delete(key);
    const cell = await spare.catch(() => undefined);
    return cell?.alive ? cell : undefined;
  }

  async #dismissSpare(key: string): Promise<void> {
    this.#ending++;
    const cell = await this.#takeSpare(key);
    if (cell) await this.#end(cell, "It was not needed");
    this.#ending--;
  }

  async #start(key: string, spec: CellSpec, unwanted: AbortSignal): Promise<CellHost> {
    const ticket = this.#places.enter(key);
    try {
      this.makeRoom();
      await raceAbort(ticket.turn, AbortSignal.any([unwanted, this.#closed.signal]));
      if (this.#closed.signal.aborted) {
        throw new Error("Cannot start a cell: the runtime was closed");
      }
      if (unwanted.aborted) throw new Error("Cannot start a cell: nobody waits for it any more");
      const cell = await this.#launch(key, spec);
      void cell.gone.then(() => ticket.release());
      return cell;
    } catch (error) {
      ticket.release();
      throw error;
    }
  }

  async #launch(key: string, spec: CellSpec): Promise<CellHost> {
    const late: { cell?: CellHost } = {};
    const { CellHost } = await import("./cell_host.ts");
    const cell = await CellHost.start(spec, this.#settings, {
      onOutput: (stream, line) => this.#events.onOutput(late.cell?.id ?? "cell", stream, line),
      onDropped: (count) => this.#events.onDropped(late.cell?.id ?? "cell", count),
      onMemory: (rss) => {
        if (late.cell === undefined) return;
        this.#events.onMemory(late.cell, rss);
        if (this.#slots.get(key)?.cell === late.cell) this.lookAtIdle(key);
      },
      onEnd: (end) => late.cell && this.#ended(late.cell, end),
    });
    late.cell = cell;
    if (cell.alive) this.#all.add(cell);
    if (this.#closed.signal.aborted) await this.#end(cell, "The runtime was closed");
    return cell;
  }

  #ended(cell: CellHost, end: CellEnd): void {
    this.#all.delete(cell);
    this.#events.onEnd(cell, end);
  }

  async #end(cell: CellHost, message: string): Promise<void> {
    this.#ending++;
    await cell.kill({ how: "closed", message });
    this.#ending--;
  }

  // A cell that another has taken the place of, or for whose place somebody waits, ends at once.
  #rest(slot: Slot, wasIdle = false): void {
    if (slot.leases > 0 || this.#closed.signal.aborted) return;
    if (slot.starting) return slot.unwanted.abort();
    clearTimeout(slot.idleTimer);
    const isOld = this.#latest.get(slot.group) !== slot.key;
    if (isOld || wasIdle) return this.#retire(slot);
    slot.idleTimer = setTimeout(() => this.#retire(slot), this.#limits.idleMs);
    this.makeRoom();
  }

  #retire(slot: Slot): void {
    clearTimeout(slot.idleTimer);
    this.#slots.delete(slot.key);
    if (this.#latest.get(slot.group) === slot.key) this.#latest.delete(slot.group);
    if (slot.cell?.alive) void this.#end(slot.cell, "It was idle");
  }

  #endIdlest(): boolean {
    const [spare] = this.#spares.keys();
    if (spare !== undefined) {
      void this.#dismissSpare(spare);
      return true;
    }
    const idle = [...this.#slots.values()].flatMap((slot) => {
      const since = slot.cell?.alive ? this.#events.idleSince(slot.key) : undefined;
      return since === undefined ? [] : [{ slot, since }];
    });
    const idlest = idle.sort((a, b) => a.since - b.since)[0]?.slot;
    if (!idlest) return false;
    // Leases of idle workers may be out: they come back when their cell is over.
    void this.#end(idlest.cell!, "Another one was needed, and there may not be more");
    return true;
  }
}

async function raceAbort(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  signal.addEventListener("abort", stop, { once: true });
  await Promise.race([promise, aborted]);
  signal.removeEventListener("abort", stop);
}
