/**
 * The runtime: a table of tools together with what runs them.
 * @module
 */
import { resolve } from "./paths.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { Clock } from "../registry/availability/clock.ts";
import type { ToolRoot } from "../registry/discovery_types.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import type { ResolvedToolset } from "../registry/toolsets/resolve_toolset.ts";
import type { AvailabilityProber } from "./availability.ts";
import type { RuntimeCells } from "./cells.ts";
import type { CommandContainer } from "./container/command_container.ts";
import type { DefinitionService } from "./definition_service.ts";
import type { DiscoveryService } from "./discovery_service.ts";
import type { EventHub } from "./event_hub.ts";
import { explainTool } from "./explain.ts";
import type { LazyDispatcher } from "./lazy_dispatcher.ts";
import type { CallPool } from "./lazy_pool.ts";
import type { HeldFiles } from "./held_files.ts";
import { makePermissionFlags } from "./permission_flags.ts";
import type {
  Definitions,
  Dialect,
  DiscoveryReport,
  DispatchOptions,
  DoctorReport,
  Explanation,
  HeldChange,
  Plugins,
  Runtime,
  RuntimeEvents,
  Selection,
} from "./runtime_types.ts";
import type { PluginManager } from "./plugin_manager.ts";
import type { SelectionReporter } from "./selection_reporter.ts";
import { assertSession, openSession } from "./session.ts";
import type { Session, SessionOptions } from "./session_types.ts";
import type { ToolPlanner } from "./tool_planner.ts";
import { assertSelection, type ToolSelector } from "./tool_selector.ts";
import { FolderWatch } from "./watcher.ts";

/** The parts of a runtime. */
export interface RuntimeParts {
  /** The table. */
  readonly registry: ToolRegistry;
  /** The workspace, an absolute real path. */
  readonly workspace: string;
  /** Tool files that wait for a person. */
  readonly heldFiles: HeldFiles;
  /** The cache folder. */
  readonly cacheDir: string;
  /** The folder of the person's own settings; absent when the environment names none. */
  readonly userDir?: string;
  /** The roots of the package's own tools; empty when they are not wanted. */
  readonly builtinRoots: readonly ToolRoot[];
  /** The operator's roots. */
  readonly userRoots: readonly string[];
  /** Sentences about what does not hold on this machine. */
  readonly limits: readonly string[];
  /** Where tools run here. */
  readonly isolation: DoctorReport["isolation"];
  /** What cells share; absent where none can be started. */
  readonly cells?: RuntimeCells;
  /** What the configuration offers. */
  readonly selector: ToolSelector;
  /** Says what is odd about selections. */
  readonly reporter: SelectionReporter;
  readonly pool: CallPool;
  readonly planner: ToolPlanner;
  /** Where shell commands run. */
  readonly container: () => Promise<CommandContainer>;
  readonly availability: AvailabilityProber;
  readonly definitions: DefinitionService;
  readonly dispatcher: LazyDispatcher;
  readonly discovery: DiscoveryService;
  readonly plugins: PluginManager;
  readonly events: EventHub;
  /** Tells the time to whatever remembers something. */
  readonly clock: Clock;
  /** Receives what went wrong where nobody waits for it. */
  readonly onFault: (message: string) => void;
  /** Called last when the runtime is disposed of. */
  readonly onDispose: () => Promise<void>;
}

/** A runtime over its parts. */
export class ToolRuntime implements Runtime {
  readonly #parts: RuntimeParts;
  #roots: readonly string[];
  #disposed: Promise<void> | undefined;

  /**
   * Joins the parts.
   *
   * @param parts The parts.
   */
  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    this.#roots = parts.userRoots;
  }

  /** The table. */
  get registry(): ToolRegistry {
    return this.#parts.registry;
  }

  /** The workspace folder, an absolute real path. */
  get workspace(): string {
    return this.#parts.workspace;
  }

  /** Sentences about what does not hold on this machine, or not at the moment. */
  get limits(): readonly string[] {
    const { limits, cells, discovery } = this.#parts;
    const { config, packages } = cells?.files.faults ?? {};
    const store = discovery.hasTemporary
      ? `The cache folder "${this.#parts.cacheDir}" could not be written: copies of tool files are in a ` +
        "temporary folder until the next discovery that can write it"
      : undefined;
    return [...limits, ...[config, packages, store].filter((fault) => fault !== undefined)];
  }

  /** Why no cell can be started at the moment, as far as it shows without starting one. */
  get outage(): string | undefined {
    return this.#parts.cells?.files.faults.config;
  }

  /** Where tools run here, and whether at all. */
  get isolation(): DoctorReport["isolation"] {
    return this.#parts.isolation;
  }

  /** The plugins that the configuration names. */
  get plugins(): Plugins {
    return this.#parts.plugins;
  }

  /** The last discovery's report, with what became of the modules since. */
  get lastDiscovery(): DiscoveryReport | undefined {
    return this.#parts.discovery.report;
  }

  /**
   * Looks through the roots and brings the table up to date, in one generation.
   *
   * @param roots The operator's folders; left out, the ones the runtime was made with.
   * @returns What was found.
   */
  async discover(roots?: readonly string[]): Promise<DiscoveryReport> {
    if (roots) {
      this.#roots = roots.map((dir) => resolve(dir));
      this.#parts.planner.protect(this.#roots);
    }
    const user = this.#roots.map((dir): ToolRoot => ({ dir, owner: "user" }));
    const { builtinRoots, plugins, discovery, reporter, registry } = this.#parts;
    const report = await discovery.discover([...builtinRoots, ...user, ...plugins.roots]);
    await reporter.reportConfigured(registry.snapshot());
    return report;
  }

  /**
   * Makes sure that every module that was found loads; the tools of one that does not are withdrawn.
   *
   * @returns The last discovery's report, with what became of the modules.
   */
  async verifyModules(): Promise<DiscoveryReport> {
    const { discovery } = this.#parts;
    await discovery.verify();
    return discovery.report ?? { modules: [], cache: { hits: 0, misses: 0 }, durationMs: 0 };
  }

  /**
   * The definitions of a selection, for a model.
   *
   * @param wanted Which tools; left out, what the configuration enables.
   * @param options The dialect.
   * @returns The definitions, frozen and shared between callers, and what was left out.
   * @throws {RangeError} If there is no such dialect.
   */
  async getDefinitions<D extends Dialect = "openai">(
    wanted: Selection = {},
    options: { readonly dialect?: D } = {},
  ): Promise<Definitions<D>> {
    assertSelection(wanted);
    const selection = this.#parts.selector.configured.narrowed("the selection", wanted);
    return await this.define<Dialect>(selection, options.dialect ?? "openai") as Definitions<D>;
  }

  /**
   * The definitions of a bound selection.
   *
   * @param selection Which tools.
   * @param dialect How definitions are written.
   * @returns The definitions, frozen and shared between callers, and what was left out.
   * @throws {RangeError} If there is no such dialect.
   */
  define<D extends Dialect>(selection: BoundSelection, dialect: D): Promise<Definitions<D>> {
    return this.#parts.definitions.define(selection, dialect);
  }

  /**
   * Makes a session: the same two calls, bound to a selection.
   *
   * @param options What it selects; left out, what the configuration enables.
   * @returns The session.
   * @throws {TypeError} If an option is none, or of the wrong type.
   */
  session(options: SessionOptions = {}): Session {
    return openSession(options, this.#parts.selector, this);
  }

  /**
   * Forgets what was approved for a session.
   *
   * @param id The session's id.
   */
  endSession(id: string): void {
    this.#parts.dispatcher.endSession(id);
  }

  /**
   * Puts the longest results of a session's turn into files until all of them together fit.
   *
   * @param results The results, in the order of the calls.
   * @param session The session.
   * @returns The results in the same order.
   */
  fitTurn(results: readonly ToolResult[], session: Session): Promise<readonly ToolResult[]> {
    return this.#parts.dispatcher.fitTurn(results, session);
  }

  /**
   * What the name of a toolset stands for, whether or not the configuration offers it.
   *
   * @param name A toolset, an alias, `all` or `*`.
   * @returns The tools that it lists.
   */
  resolveToolset(name: string): ResolvedToolset {
    const { selector: { catalogue }, registry } = this.#parts;
    const snapshot = registry.snapshot();
    const resolved = catalogue.resolve(snapshot, name);
    return resolved.found
      ? resolved
      : { ...resolved, near: catalogue.nearToolsets(snapshot, name) };
  }

  /**
   * Calls a tool.
   *
   * @param name The tool's name in the registry.
   * @param args The arguments, as an object or as JSON text.
   * @param options Deadline, cancel, id.
   * @returns The result, for failures too.
   * @throws {TypeError} If the runtime is disposed of, or the arguments are neither an object nor a text.
   */
  dispatch(
    name: string,
    args: JsonObject | string,
    options: DispatchOptions = {},
  ): Promise<ToolResult> {
    if (this.#disposed) {
      return Promise.reject(new TypeError(`Cannot call "${name}": the runtime was disposed of`));
    }
    if (options.session) {
      try {
        assertSession(options.session, this);
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return options.dialect === "openai-strict"
      ? this.#dispatchStrict(name, args, options)
      : this.#parts.dispatcher.dispatch(name, args, options);
  }

  /**
   * Says why a tool is or is not offered.
   *
   * @param name The name, in any spelling.
   * @param options Whether to look at what providers cannot be told of it, which takes a millisecond.
   * @returns The explanation.
   */
  async explain(
    name: string,
    options: { readonly dialects?: boolean } = {},
  ): Promise<Explanation> {
    const { registry, planner, pool, discovery, selector, container } = this.#parts;
    await this.#verify(name);
    return await explainTool(name, {
      registry,
      selector,
      planner,
      withDialects: options.dialects ?? true,
      judge: (known) => this.availability(known),
      ownCell: ({ handler }) =>
        handler.kind === "module" ? pool.apartBecause(handler.url) : undefined,
      commands: async () => await (await container()).mode(),
      date: () => this.#parts.clock.date(),
      diagnostics: (path) => discovery.diagnosticsOf(path),
      allDiagnostics: () => this.#allDiagnostics(),
    });
  }

  /**
   * Says whether a tool can be used now, and why not.
   *
   * @param name The tool's name.
   * @returns The verdict.
   */
  async availability(
    name: string,
  ): Promise<
    { readonly available: boolean; readonly reason?: string; readonly checkedAt?: number }
  > {
    await this.#verify(name);
    const entry = this.registry.getEntry(name);
    if (!entry) return { available: false, reason: "There is no such tool" };
    return await this.#parts.availability.probe(entry);
  }

  /**
   * The smallest flags for `deno run` with which a program can run the enabled tools.
   *
   * @returns The flags.
   */
  permissionFlags(): readonly string[] {
    const { registry, planner, workspace, cacheDir, userDir, builtinRoots, plugins, selector } =
      this.#parts;
    const own = userDir === undefined ? [cacheDir] : [cacheDir, userDir];
    const snapshot = registry.snapshot();
    const entries = snapshot.entries().filter(({ handler, name }) =>
      handler.kind === "module" && selector.configured.has(snapshot, name)
    );
    const grants = entries.map((entry) => planner.plan(entry).plan.grants);
    const required = entries.flatMap(({ requiresEnv }) => requiresEnv.flat());
    return makePermissionFlags({
      read: [
        workspace,
        ...own,
        ...this.#roots,
        ...plugins.roots.map(({ dir }) => dir),
        ...builtinRoots.map(({ dir }) => resolve(dir, "..")),
      ],
      write: own,
      env: [...grants.flatMap(({ env }) => env), ...required],
      startsPrograms: grants.some(({ run }) => run.length > 0),
    });
  }

  /**
   * Discovers anew whenever a file in the roots changes.
   *
   * @returns Stops watching when it is disposed of.
   */
  watch(): AsyncDisposable {
    const { builtinRoots, plugins, discovery, userDir } = this.#parts;
    const owned = [...builtinRoots, ...plugins.roots].map(({ dir }) => dir);
    // What is accepted elsewhere is taken at once.
    const folders = [...owned, ...this.#roots, ...userDir === undefined ? [] : [userDir]];
    const stack = new AsyncDisposableStack();
    stack.use(
      new FolderWatch(folders, {
        onEvent: () => discovery.suspect(),
        onChange: () => this.discover(),
        onFault: (error) => this.#parts.onFault(`Cannot look through the tool folders: ${error}`),
      }),
    );
    stack.use(discovery.beginWatch());
    return stack;
  }

  /**
   * Looks at what this machine guarantees, by trying.
   *
   * @param options Whether to leave out what takes over half a second.
   * @returns The report.
   */
  async doctor(options: { readonly quick?: boolean } = {}): Promise<DoctorReport> {
    const { runDoctor } = await import("./doctor.ts");
    const { cells, cacheDir, isolation, container } = this.#parts;
    const commands = async () => await (await container()).mode();
    return await runDoctor({ cells, cacheDir, isolation, commands, quick: options.quick ?? false });
  }

  /**
   * The tool files that tools could have changed and that are not taken before they are accepted.
   *
   * @returns What each of them changes, sorted by path.
   */
  async held(): Promise<readonly HeldChange[]> {
    const { held } = this.#parts.heldFiles;
    if (held.length === 0) return [];
    const { describeHeld } = await import("./held_change.ts");
    return await Promise.all(held.map(describeHeld));
  }

  /**
   * Takes held files for good, as they were shown.
   *
   * @param changes What {@linkcode ToolRuntime.held} gave.
   */
  async acceptHeld(changes: readonly HeldChange[]): Promise<void> {
    const { heldFiles } = this.#parts;
    const isShown = new Set(changes.map(({ path, integrity }) => `${integrity} ${path}`));
    heldFiles.accept(
      heldFiles.held.filter(({ now }) => isShown.has(`${now.admitted!.integrity} ${now.path}`)),
    );
    await this.discover();
  }

  /**
   * Listens to an event.
   *
   * @param event The event.
   * @param listener Receives it.
   * @returns Stops listening.
   */
  on<K extends keyof RuntimeEvents>(
    event: K,
    listener: (event: RuntimeEvents[K]) => void,
  ): () => void {
    return this.#parts.events.on(event, listener);
  }

  /** Ends every worker and cell, and closes the log. Calls in flight end as crashed. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#parts.onDispose();
    return this.#disposed;
  }

  async #verify(name: string): Promise<void> {
    const entry = this.registry.getEntry(name);
    if (entry) await this.#parts.discovery.verify([entry]);
  }

  async #dispatchStrict(
    name: string,
    args: JsonObject | string,
    options: DispatchOptions,
  ): Promise<ToolResult> {
    const { leaveOutNulls } = await import("./arguments/leave_out_nulls.ts");
    const schema = this.registry.getEntry(name)?.schema;
    const given = schema ? leaveOutNulls(schema, args) : args;
    return await this.#parts.dispatcher.dispatch(name, given, options);
  }

  #allDiagnostics(): readonly Diagnostic[] {
    return this.lastDiscovery?.modules.flatMap(({ diagnostics }) => diagnostics) ?? [];
  }
}
