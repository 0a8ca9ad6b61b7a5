/**
 * The cells of a runtime: which are there, which take work, and when they end.
 * @module
 */
import type { CellHost } from "./cell_host.ts";
import type { CellSettings, CellSpec } from "./cell_command.ts";
import { internNumber } from "./intern.ts";
import type { CellEnd } from "./worker_link.ts";

/** Limits of a {@linkcode CellPool}. */
export interface CellPoolLimits {
  /** How many cells there may be before idle ones are ended. */
  readonly maxCells: number;
  /** After how many milliseconds without work a cell is ended. */
  readonly idleMs: number;
}

/** Receives what cells do. */
export interface CellPoolEvents {
  /** A line that a cell printed. */
  onOutput(cell: string, stream: "stdout" | "stderr", line: string): void;
  /** Messages of a worker were dropped because there were too many. */
  onDropped(cell: string, count: number): void;
  /** A cell's resident size changed. */
  onMemory(cell: CellHost, rss: number): void;
  /** There are too many cells: gives back the leases of one that nobody works in, if there is one. */
  onFull(): Promise<void>;
  /** A cell is over. */
  onEnd(cell: CellHost, end: CellEnd): void;
}

interface Slot {
  readonly key: string;
  cell?: CellHost;
  starting?: Promise<CellHost>;
  /** Leases that are out. */
  leases: number;
  idleTimer?: ReturnType<typeof setTimeout>;
}

/** A use of a cell; give it back with `release`. */
export interface CellLease {
  /** The cell. */
  readonly cell: CellHost;
  /** Gives it back. */
  release(): void;
}

/**
 * The key of the cells that a spec belongs to.
 *
 * @param group The group.
 * @param spec What its cells are started with.
 * @returns The key.
 */
export function cellKey(group: string, spec: CellSpec): string {
  return `${internNumber(spec)} ${group}`;
}

/** The cells of a runtime. */
export class CellPool {
  readonly #settings: CellSettings;
  readonly #limits: CellPoolLimits;
  readonly #events: CellPoolEvents;
  readonly #slots = new Map<string, Slot>();
  readonly #spares = new Map<string, Promise<CellHost>>();
  readonly #all = new Set<CellHost>();
  readonly #spareTimers = new Map<string, ReturnType<typeof setTimeout>>();
  #closed = false;

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
  }

  /** How many cells there are. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Takes the shared cell of a key, starting it when there is none.
   *
   * @param key The key, from {@linkcode cellKey}.
   * @param spec What it is started with.
   * @returns The lease.
   * @throws {Error} If it cannot be started.
   */
  async lease(key: string, spec: CellSpec): Promise<CellLease> {
    const slot = this.#slots.get(key) ?? { key, leases: 0 };
    this.#slots.set(key, slot);
    slot.leases++;
    clearTimeout(slot.idleTimer);
    let given = false;
    const release = (): void => {
      if (given) return;
      given = true;
      slot.leases--;
      this.#rest(slot);
    };
    try {
      return { cell: await this.#cellOf(slot, spec), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Takes a cell for one call. The cell ends when it is given back.
   *
   * @param key The key, from {@linkcode cellKey}.
   * @param spec What it is started with.
   * @param spare Whether to get the next call's cell ready.
   * @returns The lease.
   * @throws {Error} If it cannot be started.
   */
  async leaseOnce(key: string, spec: CellSpec, spare: boolean): Promise<CellLease> {
    const cell = await this.#takeSpare(key) ?? await this.#start(spec);
    if (spare) this.prepare(key, spec);
    return {
      cell,
      release: () => void cell.kill({ how: "closed", message: "Its one call is over" }),
    };
  }

  /**
   * Starts a spare cell that takes over when the present one is ended.
   *
   * @param key The key, from {@linkcode cellKey}.
   * @param spec What it is started with.
   */
  prepare(key: string, spec: CellSpec): void {
    if (this.#spares.has(key) || this.#closed) return;
    const spare = this.#start(spec);
    this.#spares.set(key, spare);
    spare.catch(() => this.#spares.delete(key));
    this.#spareTimers.set(key, setTimeout(() => this.#dismissSpare(key), this.#limits.idleMs));
  }

  /** Ends every cell. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const slot of this.#slots.values()) clearTimeout(slot.idleTimer);
    for (const timer of this.#spareTimers.values()) clearTimeout(timer);
    const starting = [...this.#slots.values()].map((slot) => slot.starting);
    await Promise.allSettled([...starting, ...this.#spares.values()]);
    const end: CellEnd = { how: "closed", message: "The runtime was closed" };
    await Promise.all([...this.#all].map((cell) => cell.kill(end)));
  }

  async #cellOf(slot: Slot, spec: CellSpec): Promise<CellHost> {
    if (slot.cell?.alive) return slot.cell;
    slot.starting ??= this.#replace(slot, spec);
    return await slot.starting;
  }

  async #replace(slot: Slot, spec: CellSpec): Promise<CellHost> {
    try {
      slot.cell = await this.#takeSpare(slot.key) ?? await this.#start(spec);
      return slot.cell;
    } finally {
      slot.starting = undefined;
    }
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

  #dismissSpare(key: string): void {
    void this.#takeSpare(key).then((cell) =>
      cell?.kill({ how: "closed", message: "It was not needed" })
    );
  }

  async #start(spec: CellSpec): Promise<CellHost> {
    if (this.#closed) throw new Error("Cannot start a cell: the runtime was closed");
    await this.#makeRoom();
    const late: { cell?: CellHost; end?: CellEnd } = {};
    const { CellHost } = await import("./cell_host.ts");
    const cell = await CellHost.start(spec, this.#settings, {
      onOutput: (stream, line) => this.#events.onOutput(late.cell?.id ?? "cell", stream, line),
      onDropped: (count) => this.#events.onDropped(late.cell?.id ?? "cell", count),
      onMemory: (rss) => late.cell && this.#events.onMemory(late.cell, rss),
      onEnd: (end) => this.#ended(late, end),
    });
    late.cell = cell;
    if (cell.alive) this.#all.add(cell);
    if (this.#closed) await cell.kill({ how: "closed", message: "The runtime was closed" });
    return cell;
  }

  #ended(late: { cell?: CellHost }, end: CellEnd): void {
    if (!late.cell) return;
    this.#all.delete(late.cell);
    this.#events.onEnd(late.cell, end);
  }

  #rest(slot: Slot): void {
    if (slot.leases > 0 || this.#closed) return;
    slot.idleTimer = setTimeout(() => this.#retire(slot), this.#limits.idleMs);
  }

  #retire(slot: Slot): void {
    if (slot.leases > 0) return;
    clearTimeout(slot.idleTimer);
    this.#slots.delete(slot.key);
    void slot.cell?.kill({ how: "closed", message: "It was idle" });
  }

  async #makeRoom(): Promise<void> {
    if (this.#all.size < this.#limits.maxCells) return;
    await this.#events.onFull();
    const idle = [...this.#slots.values()].find((slot) => slot.leases === 0 && slot.cell?.alive);
    if (idle) this.#retire(idle);
  }
}
