/**
 * Tool files that tools could have changed are not taken before a person accepts them.
 * @module
 */
import type { DiscoveredModule } from "../registry/discovery_types.ts";
import { diagnosticAt, FILE_START, withFailureWarning } from "../registry/findings.ts";
import { HeldRecord, type ModuleBefore } from "./held_record.ts";
import type { WriteReach } from "./write_reach.ts";

/** Deno tells the last change of an inode in whole seconds, rounded down (measured on Deno 2.9.6). */
const SECOND_MS = 1_000;
/** Stands for whatever is in a module that could not be read when tools had changed it. */
const ANY = "*";

/** A module that waits for a person. */
export interface HeldModule {
  /** The module as it is now. */
  readonly now: DiscoveredModule;
  /** What it was; absent when it is new. */
  readonly before?: ModuleBefore;
}

/** What {@linkcode HeldFiles} works with. */
export interface HeldFilesOptions {
  /** Who could have written what. */
  readonly reach: WriteReach;
  /** Where the held modules are kept; absent when there is no place. */
  readonly recordPath?: string;
  /** Whether nothing is held, because tools are meant to write tool files. */
  readonly isOpen: boolean;
}

/** Holds modules back. What is there when the runtime starts is trusted, unless it was held before. */
export class HeldFiles {
  readonly #options: HeldFilesOptions;
  readonly #record: HeldRecord;
  /** The hash of each file as it was taken. */
  readonly #taken = new Map<string, string>();
  #held = new Map<string, HeldModule>();

  /**
   * Holds nothing yet.
   *
   * @param options What it works with.
   */
  constructor(options: HeldFilesOptions) {
    this.#options = options;
    this.#record = new HeldRecord(options.recordPath);
  }

  /** What is held, sorted by path. */
  get held(): readonly HeldModule[] {
    return [...this.#held.values()].toSorted((a, b) => a.now.path < b.now.path ? -1 : 1);
  }

  /**
   * Takes held modules for good.
   *
   * @param modules The modules, as they were shown to the person.
   * @throws {Error} If it cannot be written down.
   */
  accept(modules: readonly HeldModule[]): void {
    const entries = this.#record.read();
    for (const { now: { path, admitted } } of modules) {
      entries.set(path, { path, integrity: admitted!.integrity, accepted: true });
    }
    if (this.#record.write(entries.values())) return;
    throw new Error(
      `Cannot write down what was accepted: "${
        this.#options.recordPath ?? "(no folder)"
      }" cannot be written. ` +
        "Set HOME or XDG_CONFIG_HOME to a folder that can be",
    );
  }

  /**
   * Decides which modules are taken.
   *
   * @param found Every module that was found.
   * @param before Gives a module as it was taken last.
   * @returns The modules; in place of one that is held what it was before, or the reason.
   */
  judge(
    found: readonly DiscoveredModule[],
    before: (path: string) => DiscoveredModule | undefined,
  ): readonly DiscoveredModule[] {
    if (this.#options.isOpen) return found;
    const entries = this.#record.read();
    const held = new Map<string, HeldModule>();
    let hasNews = false;
    const judged = found.map((module) => {
      const { path, admitted } = module;
      if (admitted === undefined) {
        if (entries.has(path) || !this.#isDamaged(module)) return module;
        entries.set(path, { path, integrity: ANY });
        hasNews = true;
        return module;
      }
      const { integrity } = admitted;
      const entry = entries.get(path);
      const isKnown = entry?.integrity === integrity || entry?.integrity === ANY;
      const last = this.#held.get(path);
      const wasHeld = last?.now.admitted?.integrity === integrity;
      const isHeld = entry && isKnown ? !entry.accepted : wasHeld || this.#isDoubtful(module);
      if (!isHeld) {
        if (!isKnown && entries.delete(path)) hasNews = true;
        this.#trust(module);
        return module;
      }
      const taken = before(path);
      const was = last?.before ?? (entry?.accepted ? undefined : entry?.before) ?? describe(taken);
      held.set(path, { now: module, ...(was && { before: was }) });
      if (entry?.integrity !== integrity) {
        entries.set(path, { path, integrity, ...(was && { before: was }) });
        hasNews = true;
      }
      return withHeld(module, taken);
    });
    this.#held = held;
    if (hasNews) this.#record.write(entries.values());
    return judged;
  }

  #trust({ admitted }: DiscoveredModule): void {
    for (const { path, hash } of admitted?.files ?? []) this.#taken.set(path, hash);
  }

  // What cannot be read now, for example because no cell may be started any more, may be readable next time.
  #isDamaged({ status, path }: DiscoveredModule): boolean {
    const { reach } = this.#options;
    const touched = touchedAt(path);
    return status === "failed" && touched >= reach.since - SECOND_MS &&
      touched <= reach.until(path);
  }

  // A file is the person's when its bytes were touched after the last tool that could write it was gone. The time of
  // the last change of an inode cannot be set by programs.
  #isDoubtful({ admitted }: DiscoveredModule): boolean {
    return (admitted?.files ?? []).some(({ path, hash }) =>
      this.#taken.get(path) !== hash && touchedAt(path) <= this.#options.reach.until(path)
    );
  }
}

function touchedAt(path: string): number {
  try {
    return Deno.lstatSync(path).ctime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

function describe(module: DiscoveredModule | undefined): ModuleBefore | undefined {
  if (module?.admitted === undefined) return undefined;
  return {
    files: module.admitted.files.map(({ path, stored }) => ({ path, stored })),
    permissions: Object.fromEntries(
      module.tools.map(({ declaration: { name, permissions } }) => [name, permissions ?? {}]),
    ),
  };
}

function withHeld(
  module: DiscoveredModule,
  last: DiscoveredModule | undefined,
): DiscoveredModule {
  const { path, root } = module;
  const isOffered = last?.status === "registered";
  const told = diagnosticAt(path, FILE_START, {
    severity: isOffered ? "warning" : "error",
    code: "file_held",
    message: "The file was changed while tools that could change it were at work: it is held" +
      (isOffered ? ", and what it was before is offered" : ""),
    hint: `Look at it with: cloister accept ${path}`,
  });
  if (!isOffered) {
    return {
      path,
      root,
      status: "failed",
      tools: [],
      diagnostics: withFailureWarning(path, [told]),
    };
  }
  // The same object for the same state: who compares sees that nothing happened.
  const isTold = last.diagnostics.some(({ code }) => code === "file_held");
  return isTold ? last : { ...last, diagnostics: [...last.diagnostics, told] };
}
