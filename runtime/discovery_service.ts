/**
 * Joins discovery with the table: what was found becomes each owner's claims, in one generation.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Owner, ToolEntry } from "../core/entry.ts";
import type { Discovery } from "../registry/discovery.ts";
import type {
  AdmittedModule,
  DiscoveredModule,
  DiscoveredTool,
  ToolRoot,
} from "../registry/discovery_types.ts";
import { createModuleEntry } from "../registry/entry.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import type { DiscoveryReport, ModuleReport } from "./runtime_types.ts";
import { runsSameBytes, whatChanged } from "./what_changed.ts";

/** What the service works with. */
export interface DiscoveryServiceOptions {
  /** The table. */
  readonly registry: ToolRegistry;
  /** Loads and makes the discovery; its code is needed only now. */
  readonly open: () => Promise<Discovery>;
  /** Receives findings. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** While the folders are watched: milliseconds for which a module that was looked at is taken to be the same. */
const TRUST_MS = 50;

type Looks = Pick<typeof import("../registry/freshness.ts"), "isFresh" | "hasCopies">;

/** Keeps the table in step with the files. */
export class DiscoveryService implements Disposable {
  readonly #options: DiscoveryServiceOptions;
  #discovery: Discovery | undefined;
  #modules: readonly DiscoveredModule[] = [];
  #byPath = new Map<string, DiscoveredModule>();
  #owners = new Set<Owner>();
  #told: Set<string> = new Set();
  #report: DiscoveryReport | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #byUrl = new Map<string, AdmittedModule>();
  #looks: Looks | undefined;
  #watches = 0;
  #lookedAt = new WeakMap<AdmittedModule, number>();

  /**
   * Makes the service; nothing is read yet.
   *
   * @param options What it works with.
   */
  constructor(options: DiscoveryServiceOptions) {
    this.#options = options;
  }

  /** The last discovery's report. */
  get report(): DiscoveryReport | undefined {
    return this.#report;
  }

  /** Whether copies are in a temporary folder, because the cache folder could not be written. */
  get hasTemporary(): boolean {
    return this.#discovery?.hasTemporary ?? false;
  }

  /** Findings about one file. */
  diagnosticsOf(path: string | undefined): readonly Diagnostic[] {
    return (path !== undefined && this.#byPath.get(path)?.diagnostics) || [];
  }

  /**
   * Looks through the roots and brings the table up to date.
   *
   * @param roots The folders.
   * @returns What was found.
   */
  discover(roots: readonly ToolRoot[]): Promise<DiscoveryReport> {
    return this.#alone(async () => {
      this.#discovery ??= await this.#options.open();
      const outcome = await this.#discovery.discover(roots);
      this.#take(outcome.modules);
      this.#tellNews();
      const { cache, durationMs } = outcome;
      this.#report = { modules: this.#modules.map(reportOf), cache, durationMs };
      return this.#report;
    });
  }

  /**
   * Looks through the folders of one owner; what other owners have stays as it is.
   *
   * @param owner The owner.
   * @param roots Its folders; none withdraws its tools.
   * @returns What was found in them.
   */
  discoverOwner(owner: Owner, roots: readonly ToolRoot[]): Promise<DiscoveryReport> {
    return this.#alone(async () => {
      this.#discovery ??= await this.#options.open();
      const { modules, cache, durationMs } = await this.#discovery.discover(roots);
      const others = this.#modules.filter(({ root }) => root.owner !== owner);
      this.#take([...others, ...modules]);
      this.#tellNews();
      const report = (list: readonly DiscoveredModule[]): DiscoveryReport => ({
        modules: list.map(reportOf),
        cache,
        durationMs,
      });
      this.#report = report(this.#modules);
      return report(this.#modules.filter(({ root }) => root.owner === owner));
    });
  }

  /**
   * Tells that somebody watches the folders and calls {@linkcode DiscoveryService.suspect} when something happens
   * there. Meanwhile calls in quick succession look at their files only once: what runs is the admitted copy.
   *
   * @returns Ends it.
   */
  beginWatch(): Disposable {
    this.#watches++;
    return { [Symbol.dispose]: () => void this.#watches-- };
  }

  /** Has the next call of each tool look at its files. */
  suspect(): void {
    this.#lookedAt = new WeakMap();
  }

  /**
   * Looks whether a tool's files are what was admitted; if not, they are scanned again once.
   *
   * @param entry The tool.
   * @param snapshot The table that the call is pinned to.
   * @returns The table that now holds, or why the call may not run.
   */
  refresh(
    entry: ToolEntry,
    snapshot: RegistrySnapshot,
  ): RegistrySnapshot | Promise<RegistrySnapshot | { readonly changed: string }> {
    const module = this.#byPath.get(entry.source.path ?? "");
    if (!module?.admitted) return snapshot;
    if (!this.#looks) return this.#loadLooks().then(() => this.refresh(entry, snapshot));
    const now = this.#watches > 0 ? performance.now() : 0;
    if (now > 0 && now - (this.#lookedAt.get(module.admitted) ?? -Infinity) < TRUST_MS) {
      return snapshot;
    }
    if (this.#looks.isFresh(module.admitted) !== "fresh") return this.#rescan(entry, module);
    if (now > 0) this.#lookedAt.set(module.admitted, now);
    return snapshot;
  }

  /**
   * Looks why a tool's module could not be loaded: its copies may have gone between the look at them and the load.
   *
   * @param entry The tool, as it was called.
   * @returns The table with which to call it again, or why it may not be; `undefined` when nothing was amiss. The
   * bytes are the same: what was approved is what runs.
   */
  async recover(
    entry: ToolEntry,
  ): Promise<RegistrySnapshot | { readonly changed: string } | undefined> {
    const module = this.#byPath.get(entry.source.path ?? "");
    if (!module?.admitted || entry.handler.kind !== "module") return undefined;
    const { isFresh } = this.#looks ?? await this.#loadLooks();
    const isWhole = isFresh(module.admitted) === "fresh" &&
      module.admitted.url === entry.handler.url;
    if (isWhole) return undefined;
    const found = await this.#rescan(entry, module);
    if ("changed" in found || runsSameBytes(entry, found.get(entry.name))) return found;
    const changed = `its file "${module.path}" was edited. Call it again`;
    return { changed: `Tool "${entry.name}" changed: ${changed}` };
  }

  /**
   * Puts the copies of a module back if they are gone, for whoever loads it without a call.
   *
   * @param url Where the copy is that will be loaded.
   */
  async restore(url: string): Promise<void> {
    const admitted = this.#byUrl.get(url);
    const { hasCopies } = this.#looks ?? await this.#loadLooks();
    if (admitted === undefined || hasCopies(admitted)) return;
    await this.#alone(async () => void await this.#discovery!.restore(admitted));
  }

  /** Lets go of temporary folders. */
  [Symbol.dispose](): void {
    this.#discovery?.[Symbol.dispose]();
  }

  // Only calls look at the files again; what hashes them is not needed to list tools.
  async #loadLooks(): Promise<Looks> {
    return this.#looks = await import("../registry/freshness.ts");
  }

  #rescan(
    entry: ToolEntry,
    before: DiscoveredModule,
  ): Promise<RegistrySnapshot | { readonly changed: string }> {
    return this.#alone(async () => {
      const current = this.#byPath.get(before.path);
      // Another call may have scanned it meanwhile.
      const after = current && current !== before ? current : await this.#lookAgain(before);
      const snapshot = this.#options.registry.snapshot();
      const now = snapshot.get(entry.name);
      const what = whatChanged(entry, now, after);
      return what === undefined ? snapshot : { changed: what };
    });
  }

  // Where only copies have gone there is nothing to scan.
  async #lookAgain(before: DiscoveredModule): Promise<DiscoveredModule> {
    const { admitted } = before;
    const { isFresh } = this.#looks ?? await this.#loadLooks();
    const state = admitted && isFresh(admitted);
    if (state === "fresh") return before;
    if (state === "lost" && await this.#discovery!.restore(admitted!)) return before;
    const after = await this.#discovery!.rescan(before);
    this.#take(this.#modules.map((module) => module.path === after.path ? after : module));
    const settled = this.#byPath.get(after.path)!;
    this.#tellNews();
    return settled;
  }

  #take(found: readonly DiscoveredModule[]): void {
    const claims = new Map<Owner, ToolEntry[]>([...this.#owners].map((owner) => [owner, []]));
    const modules = found.map((module) => {
      const entries = entriesOf(module);
      if (!Array.isArray(entries)) return entries as DiscoveredModule;
      claims.set(module.root.owner, [...claims.get(module.root.owner) ?? [], ...entries]);
      return module;
    });
    this.#modules = modules;
    this.#byPath = new Map(modules.map((module) => [module.path, module]));
    const admitted = modules.flatMap((module) => module.admitted ?? []);
    this.#byUrl = new Map(admitted.map((module) => [module.url, module]));
    this.#owners = new Set(claims.keys());
    this.#options.registry.update((draft) => {
      for (const [owner, entries] of claims) draft.replaceOwnerClaims(owner, entries);
    });
    this.#discovery?.pruneTemporary(admitted);
  }

  // Each finding is told once, when it is new: looking through the folders again repeats nothing.
  #tellNews(): void {
    const told = this.#told;
    this.#told = new Set();
    for (const diagnostic of this.#modules.flatMap(({ diagnostics }) => diagnostics)) {
      const key = JSON.stringify(diagnostic);
      this.#told.add(key);
      if (!told.has(key)) this.#options.onDiagnostic(diagnostic);
    }
  }

  // One after another: two discoveries at once would each undo the other's claims.
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#running.then(work, work);
    this.#running = next.catch(() => {});
    return next;
  }
}

// A declaration that the table refuses, such as a toolset that belongs to a server, costs its module only.
function entriesOf(module: DiscoveredModule): ToolEntry[] | DiscoveredModule {
  const entries: ToolEntry[] = [];
  for (const tool of module.tools) {
    try {
      entries.push(entryOf(module, tool));
    } catch (error) {
      const { path, diagnostics } = module;
      const { line, column } = tool;
      const { message } = error as Error;
      const fault = {
        severity: "error",
        code: "entry_refused",
        message,
        path,
        line,
        column,
      } as const;
      const { admitted: _, ...rest } = module;
      return { ...rest, status: "failed", tools: [], diagnostics: [...diagnostics, fault] };
    }
  }
  return entries;
}

function entryOf(module: DiscoveredModule, tool: DiscoveredTool): ToolEntry {
  const { url, integrity, folder } = module.admitted!;
  return createModuleEntry(tool.declaration, {
    owner: module.root.owner,
    handler: {
      kind: "module",
      url,
      integrity,
      export: tool.declaration.name,
      folder,
    },
    source: { kind: "file", path: module.path, line: tool.line, column: tool.column },
  });
}

function reportOf(module: DiscoveredModule): ModuleReport {
  const { path, status, tools, admitted, diagnostics } = module;
  return {
    path,
    status,
    tools: tools.map((tool) => tool.declaration.name),
    ...(admitted === undefined ? {} : { integrity: admitted.integrity }),
    diagnostics,
  };
}
