/**
 * Until when tools could have changed a file, whatever was denied to them: by a program, by a link that stood in a
 * granted folder, by the name of a folder above (measured on Deno 2.9.6).
 * @module
 */
import type { CellSpec } from "../workers/cell_command.ts";
import { contains } from "./grants/paths.ts";

/** What the tools of a cell could change. */
export interface Reach {
  /** Whether they start programs or load libraries, which may write everywhere. */
  readonly everywhere: boolean;
  /** The folders and files that they may write, absolute real paths. */
  readonly write: readonly string[];
  /** What is denied in them to tools that neither follow links nor rename folders. */
  readonly except: readonly string[];
}

interface Writers {
  readonly reach: Reach;
  working: number;
  /** When the last one ended, in milliseconds since the epoch. */
  until: number;
}

/** Remembers which cells could write where, and until when. */
export class WriteReach {
  readonly #writers = new Map<string, Writers>();
  #since = Infinity;
  readonly #plans = new WeakMap<object, Reach>();
  readonly #known = new WeakSet<Promise<void>>();

  /** Since when tools could write anything, in milliseconds since the epoch; `Infinity` when none could. */
  get since(): number {
    return this.#since;
  }

  /**
   * Says what the tools of a cell could change; of a cell of which nothing was said, nothing.
   *
   * @param spec What the cell is started with.
   * @param reach What they could change.
   */
  plan(spec: CellSpec, reach: Reach): void {
    if (reach.everywhere || reach.write.length > 0) this.#plans.set(spec, reach);
  }

  /**
   * Notes that a tool begins to work in a cell. What it leaves running goes on until the cell's process is gone.
   *
   * @param spec What the cell was started with.
   * @param gone Resolves when its process is gone.
   */
  begin(spec: CellSpec, gone: Promise<void>): void {
    const reach = this.#plans.get(spec);
    if (reach === undefined || this.#known.has(gone)) return;
    this.#known.add(gone);
    this.#since = Math.min(this.#since, Date.now());
    const key = JSON.stringify(reach);
    const writers = this.#writers.get(key) ?? { reach, working: 0, until: -Infinity };
    this.#writers.set(key, writers);
    writers.working++;
    void gone.then(() => {
      writers.working--;
      writers.until = Date.now();
    });
  }

  /**
   * Until when a file could have been changed.
   *
   * @param path The file's absolute real path.
   * @returns Milliseconds since the epoch; `Infinity` while it still can be, `-Infinity` when it never could.
   */
  until(path: string): number {
    const times = this.#writers.values().filter(({ reach }) => reaches(reach, path))
      .map(({ working, until }) => working > 0 ? Infinity : until);
    return Math.max(-Infinity, ...times);
  }
}

function reaches({ everywhere, write, except }: Reach, path: string): boolean {
  const isIn = (folder: string): boolean => contains(folder, path);
  return everywhere || (write.some(isIn) && !except.some(isIn));
}
