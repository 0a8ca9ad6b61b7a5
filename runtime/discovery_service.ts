/**
 * Joins discovery with the table: what was found becomes each owner's claims, in one generation.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Owner, ToolEntry } from "../core/entry.ts";
import type { Discovery } from "../registry/discovery.ts";
import type { AdmittedModule, DiscoveredModule, ToolRoot } from "../registry/discovery_types.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import { isSameEntry } from "../registry/same_entry.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import type { FailedLoad } from "./failed_loads.ts";
import type { HeldFiles } from "./held_files.ts";
import type { LoadFault } from "./load_module.ts";
import { entriesOf, isEntryOf } from "./module_entries.ts";
import type { ModuleVerifier } from "./module_verifier.ts";
import type { DiscoveryReport, ModuleReport } from "./runtime_types.ts";
import { runsSameBytes, whatChanged } from "./what_changed.ts";

/** What the service works with. */
export interface DiscoveryServiceOptions {
  /** The table. */
  readonly registry: ToolRegistry;
  /** Loads and makes the discovery; its code is needed only now. */
  readonly open: () => Promise<Discovery>;
  /** Decides which modules are taken; absent when all are. */
  readonly heldFiles?: Pick<HeldFiles, "judge">;
  /** Receives findings. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  /** Opens what loads modules to see whether they load; absent where no process may be started. */
  readonly openVerifier?: () => Promise<Pick<ModuleVerifier, "check" | "knows">>;
}

/** While the folders are watched: milliseconds for which a module that was looked at is taken to be the same. */
const TRUST_MS = 50;

/** Who keeps a table in step: several runtimes may share one, and find the same files. */
const services = new WeakMap<ToolRegistry, Set<DiscoveryService>>();

type Looks = Pick<typeof import("../registry/freshness.ts"), "isFresh" | "hasCopies">;

/** Keeps the table in step with the files. */
export class DiscoveryService implements AsyncDisposable {
  readonly #options: DiscoveryServiceOptions;
  #discovery: Discovery | undefined;
  #verifier: ReturnType<NonNullable<DiscoveryServiceOptions["openVerifier"]>> | undefined;
  #roots: readonly ToolRoot[] = [];
  /** The modules as discovery found them. */
  #found: readonly DiscoveredModule[] = [];
  /** The same, less what does not load or is refused by the table. */
  #modules: readonly DiscoveredModule[] = [];
  #entries: readonly ToolEntry[] = [];
  readonly #failed = new Map<string, FailedLoad>();
  #byPath = new Map<string, DiscoveredModule>();
  #owners = new Set<Owner>();
  #told: Set<string> = new Set();
  #last: Pick<DiscoveryReport, "cache" | "durationMs"> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #byUrl = new Map<string, AdmittedModule>();
  #looks: Looks | undefined;
  #watches = 0;
  #lookedAt = new WeakMap<AdmittedModule, number>();
  #isOver = false;

  /**
   * Makes the service; nothing is read yet.
   *
   * @param options What it works with.
   */
  constructor(options: DiscoveryServiceOptions) {
    this.#options = options;
    const { registry } = options;
    services.set(registry, (services.get(registry) ?? new Set()).add(this));
  }

  /** The last discovery's report, with what became of the modules since. */
  get report(): DiscoveryReport | undefined {
    return this.#last && { modules: this.#modules.map(reportOf), ...this.#last };
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
      const { modules, cache, durationMs } = await this.#discovery.discover(roots);
      this.#roots = roots;
      this.#take(modules);
      this.#tellNews();
      this.#last = { cache, durationMs };
      return { modules: this.#modules.map(reportOf), cache, durationMs };
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
      const others = this.#found.filter(({ root }) => root.owner !== owner);
      this.#take([...others, ...modules]);
      this.#tellNews();
      this.#last = { cache, durationMs };
      const own = this.#modules.filter(({ root }) => root.owner === owner);
      return { modules: own.map(reportOf), cache, durationMs };
    });
  }

  /** Looks a last time, when no tool is at work any more: what tools have changed is held from now on. */
  async lookBack(): Promise<void> {
    if (this.#discovery !== undefined && this.#roots.length > 0) await this.discover(this.#roots);
  }

  /**
   * Makes sure that the modules of tools load, before the tools are offered: where reading a module leaves that open,
   * it is loaded once. One that does not load is withdrawn with its reason, until its files change.
   *
   * @param entries The tools. @default {all that were found}
   * @param again Whether what is known from before counts for nothing.
   */
  async verify(
    entries: readonly ToolEntry[] = this.#entries,
    again: boolean = false,
  ): Promise<void> {
    const faults = await this.#load(entries, again);
    if (faults.length === 0) return;
    const stale = await this.#renewStale(faults);
    const renewed = this.#entries.filter(({ source: { path = "" } }) => stale.has(path));
    const lasting = [
      ...faults.filter(({ module }) => !stale.has(module.path)),
      ...await this.#load(renewed, true),
    ];
    if (lasting.length === 0) return;
    const { failedLoads } = await import("./failed_loads.ts");
    await this.#alone(() => {
      for (const failed of failedLoads(lasting)) this.#failed.set(failed.path, failed);
      this.#take(this.#found);
      this.#tellNews();
      return Promise.resolve();
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

  /** Takes what it found out of the table, and lets go of temporary folders. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    await this.#alone(() => {
      this.#isOver = true;
      services.get(this.#options.registry)!.delete(this);
      this.#withdraw();
      return Promise.resolve();
    });
    this.#discovery?.[Symbol.dispose]();
  }

  // Not what somebody else put in its place, nor what another runtime over the same table has found too.
  #withdraw(): void {
    const { registry } = this.#options;
    const entries = [...services.get(registry)!].flatMap((service) => service.#entries);
    const others = Map.groupBy(entries, ({ name }) => name);
    registry.update((draft) => {
      for (const entry of this.#entries) {
        const { owner, name } = entry;
        const isSame = (other: ToolEntry) => other === entry || isSameEntry(other, entry);
        const { claims } = registry.explainClaims(name);
        const isOurs = claims.some((claim) => isSame(claim.entry));
        if (isOurs && !others.get(name)?.some(isSame)) draft.deregister(name, { owner });
      }
    });
  }

  async #load(entries: readonly ToolEntry[], again: boolean): Promise<readonly LoadFault[]> {
    const unsafe = entries.flatMap((entry) => {
      const module = this.#byPath.get(entry.source.path ?? "");
      return module?.safe === false && isEntryOf(entry, module) ? [{ entry, module }] : [];
    });
    if (unsafe.length === 0) return [];
    const verifier = await (this.#verifier ??= this.#options.openVerifier?.());
    const open = unsafe.filter(({ entry }) => again || !verifier?.knows(entry));
    return verifier && open.length > 0 ? await verifier.check(open, again) : [];
  }

  // A file that was edited meanwhile, or whose copy went with the cache, says nothing about the module as it is now.
  async #renewStale(faults: readonly LoadFault[]): Promise<ReadonlySet<string>> {
    const { isFresh } = this.#looks ?? await this.#loadLooks();
    const modules = new Set(faults.map(({ module }) => module));
    const stale = [...modules].filter(({ admitted }) => admitted && isFresh(admitted) !== "fresh");
    for (const module of stale) await this.#alone(() => this.#renew(module));
    return new Set(stale.map(({ path }) => path));
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
      const after = await this.#renew(before);
      const snapshot = this.#options.registry.snapshot();
      const now = snapshot.get(entry.name);
      const what = whatChanged(entry, now, after);
      return what === undefined ? snapshot : { changed: what };
    });
  }

  // Where only copies have gone there is nothing to scan.
  async #renew(before: DiscoveredModule): Promise<DiscoveredModule> {
    const current = this.#byPath.get(before.path);
    // Another call may have scanned it meanwhile.
    if (current && current !== before) return current;
    const { admitted } = before;
    const { isFresh } = this.#looks ?? await this.#loadLooks();
    const state = admitted && isFresh(admitted);
    if (state === "fresh") return before;
    if (state === "lost" && await this.#discovery!.restore(admitted!)) return before;
    const after = await this.#discovery!.rescan(before);
    this.#take(this.#found.map((module) => module.path === after.path ? after : module));
    const settled = this.#byPath.get(after.path)!;
    this.#tellNews();
    return settled;
  }

  #take(found: readonly DiscoveredModule[]): void {
    const claims = new Map<Owner, ToolEntry[]>([...this.#owners].map((owner) => [owner, []]));
    this.#found = found;
    const taken = (path: string) => this.#byPath.get(path);
    const judged = this.#options.heldFiles?.judge(found, taken) ?? found;
    const modules = judged.map((given) => {
      const module = this.#recall(given);
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
    this.#entries = [...claims.values()].flat();
    this.#options.registry.update((draft) => {
      for (const [owner, entries] of claims) draft.replaceOwnerClaims(owner, entries);
    });
    this.#discovery?.pruneTemporary(admitted);
  }

  /** A module that did not load is not tried again before one of its files changes. */
  #recall(module: DiscoveredModule): DiscoveredModule {
    const failed = this.#failed.get(module.path);
    if (failed === undefined) return module;
    if (failed.integrity === module.admitted?.integrity) return failed.fail(module);
    this.#failed.delete(module.path);
    return module;
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
    const start = (): Promise<T> => {
      if (!this.#isOver) return work();
      throw new TypeError("Cannot look through the tool folders: the runtime was disposed of");
    };
    const next = this.#running.then(start, start);
    this.#running = next.catch(() => {});
    return next;
  }
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
