/**
 * Puts a runtime together from its parts.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import { registry as defaultRegistry } from "../registry/default_registry.ts";
import type { ToolRoot } from "../registry/discovery_types.ts";
import { type Clock, SYSTEM_CLOCK } from "../registry/availability/clock.ts";
import { packageImportMap } from "../registry/package_imports.ts";
import { joinAvailability } from "./availability.ts";
import { defaultCacheDir } from "./cache_dir.ts";
import { createCellSettings, findCellAbility } from "./cells.ts";
import { type Config, loadConfig } from "./config.ts";
import { DefinitionService } from "./definition_service.ts";
import { DiscoveryService } from "./discovery_service.ts";
import { createEvaluator } from "./evaluator.ts";
import { EventHub } from "./event_hub.ts";
import type { ExtensionHost, RuntimeExtension } from "./extension.ts";
import { DENY_NET } from "./grants/mod.ts";
import { type HostEnvironment, readHostEnvironment } from "./host_environment.ts";
import { LazyDispatcher } from "./lazy_dispatcher.ts";
import { type CallPool, LazyPool } from "./lazy_pool.ts";
import { openRuntimeLog } from "./logging.ts";
import type { ModuleVerifier } from "./module_verifier.ts";
import { fromFileUrl, resolve } from "./paths.ts";
import { findPluginFolders, joinPlugins } from "./plugin_folders.ts";
import { PluginManager } from "./plugin_manager.ts";
import { isFolder, RuntimeFolders } from "./runtime_folders.ts";
import type { DoctorReport, Runtime, RuntimeLogger, RuntimeOptions } from "./runtime_types.ts";
import { SelectionReporter } from "./selection_reporter.ts";
import type { Setting } from "./setting.ts";
import { ToolPlanner } from "./tool_planner.ts";
import { ToolRuntime } from "./tool_runtime.ts";
import { ToolSelector } from "./tool_selector.ts";
import { isAtLeast, VERSION_FLOOR } from "./version_floor.ts";

/**
 * Puts a runtime together; `createRuntime` says what comes out.
 *
 * @param options Table, folders, configuration.
 * @param clock Tells the time to whatever remembers something. @default {the machine's clock}
 * @param extensions Parts that join it from outside; they start beside the first discovery.
 * @returns The runtime; its roots have been discovered unless `discover` is false.
 * @throws {Error} If Deno is too old, or the configuration has faults.
 */
export async function buildRuntime(
  options: RuntimeOptions,
  clock: Clock = SYSTEM_CLOCK,
  extensions: readonly RuntimeExtension[] = [],
): Promise<Runtime> {
  assertVersion();
  const environment = options.environment ?? readHostEnvironment;
  const workspace = Deno.realPathSync(options.workspace ?? Deno.cwd());
  const config = await readConfig(options);
  const folders = new RuntimeFolders(makeReal(options.cacheDir ?? fallbackCache(environment)));
  const fileLog = openRuntimeLog({ cacheDir: folders.cache });
  const log = joinLogs(fileLog, options.logger);
  const ability = findCellAbility();
  const imports = { ...config.packages, ...packageImportMap() };
  const cells = ability.deno === undefined ? undefined : createCellSettings({
    deno: ability.deno,
    environment,
    cacheDir: folders.cache,
    importMap: imports,
    temporaryMb: config.limits?.temporaryMb,
    clock,
    onFault: (message) => log.log("warning", message),
  });
  const setting: Setting = {
    options,
    config,
    environment,
    workspace,
    folders,
    registry: options.registry ?? defaultRegistry,
    events: new EventHub((error) => log.log("error", `An event listener failed: ${error}`)),
    log,
    cells,
    hasWorkers: ability.hasWorkers,
    clock,
  };
  const joined: AsyncDisposable[] = [];
  const runtime = join(setting, imports, {
    first: async () => void await Promise.all(joined.map((part) => part[Symbol.asyncDispose]())),
    last: async () => await fileLog[Symbol.asyncDispose](),
  });
  try {
    const host = extensionHost(setting, runtime);
    await Promise.all([
      (options.discover ?? true) && runtime.discover(),
      ...extensions.map(async (extend) => {
        const part = await extend(host);
        if (part) joined.push(part);
      }),
    ]);
  } catch (error) {
    await runtime[Symbol.asyncDispose]();
    throw error;
  }
  return runtime;
}

function extensionHost(setting: Setting, runtime: Runtime): ExtensionHost {
  const { options, config, environment, folders, cells, log, clock } = setting;
  const source = options.config ?? "cloister.json";
  return {
    runtime,
    config,
    ...(typeof source === "string" ? { configPath: resolve(source) } : {}),
    environment,
    cacheDir: folders.cache,
    ...(cells ? { deno: cells.deno } : {}),
    log,
    clock,
  };
}

/** What happens when a runtime is disposed of, before and after its own parts end. */
interface Closing {
  readonly first: () => Promise<void>;
  readonly last: () => Promise<void>;
}

function join(
  setting: Setting,
  imports: Readonly<Record<string, string>>,
  closing: Closing,
): Runtime {
  const { config, environment, workspace, folders, registry, events, log, cells } = setting;
  const hasCells = cells !== undefined;
  const pool = createPool(setting, (url) => discovery.restore(url));
  const isolation = setting.options.isolation ?? "worker";
  const planner = new ToolPlanner({ workspace, folders, config, isolation, environment, hasCells });
  registry.setEventSink(({ level, message }) => log.log(level, message));
  const unsubscribe = registry.subscribe((change) => events.emit("table-change", change));
  const openVerifier = async (): Promise<ModuleVerifier> => {
    const { ModuleVerifier } = await import("./module_verifier.ts");
    const snapshot = () => registry.snapshot();
    const findObstacle = (entry: ToolEntry) => availability.findObstacle(entry);
    return new ModuleVerifier({
      planner,
      pool,
      environment,
      snapshot,
      findObstacle,
      cacheDir: folders.cache,
    });
  };
  const verifying = hasCells ? { openVerifier } : {};
  const discovery = createDiscovery(setting, imports, { pool, ...verifying });
  const selector = new ToolSelector(registry, config);
  const offered = (snapshot = registry.snapshot()): readonly ToolEntry[] =>
    snapshot.entries().filter(({ name }) => selector.configured.has(snapshot, name));
  const { prober: availability, watch } = joinAvailability(setting, { planner, pool, offered });
  const dispatcher = new LazyDispatcher({
    snapshot: () => registry.snapshot(),
    open: async () => {
      const { openDispatcher } = await import("./open_dispatcher.ts");
      return openDispatcher(setting, { pool, planner, availability, discovery, selector });
    },
  });
  const found = findPluginFolders(resolve(setting.options.pluginFolder ?? "plugins"));
  for (const { path, message } of found.diagnostics) log.log("warning", `${path}: ${message}`);
  const plugins = new PluginManager({
    plugins: joinPlugins(config.plugins ?? [], found.plugins),
    registry,
    discover: (owner, roots) => discovery.discoverOwner(owner, roots),
  });
  const reporter = createReporter(setting, selector);
  return new ToolRuntime({
    registry,
    plugins,
    workspace,
    cacheDir: folders.cache,
    builtinRoots: setting.options.builtins ?? true ? builtinRoots() : [],
    userRoots: userRoots(setting),
    limits: describeLimits(setting),
    isolation: isolationHere(setting),
    cells,
    selector,
    reporter,
    pool,
    planner,
    availability,
    definitions: new DefinitionService({
      registry,
      availability,
      reporter,
      verify: (entries) => discovery.verify(entries),
      openOverrides: async () => {
        const { SchemaOverridesSource } = await import("./schema_overrides.ts");
        const onWarning = (message: string): void => log.log("warning", message);
        const snapshot = () => registry.snapshot();
        return new SchemaOverridesSource({ ...setting, planner, pool, snapshot, onWarning });
      },
      now: () => setting.clock.now(),
    }),
    dispatcher,
    discovery,
    events,
    clock: setting.clock,
    onFault: (message) => log.log("error", message),
    onDispose: async () => {
      await closing.first();
      unsubscribe();
      // Who listens from now on hears of nothing, and nothing is looked at.
      events.onInterest("availability-change", () => {});
      watch.stop();
      await pool.close();
      await discovery[Symbol.asyncDispose]();
      plugins[Symbol.dispose]();
      cells?.files[Symbol.dispose]();
      await closing.last();
    },
  });
}

function createPool(
  { config, cells, log, events }: Setting,
  restore: (url: string) => Promise<void>,
): CallPool {
  const { queue, idleMs, callsPerWorker, concurrency, maxCells, warmMb } = config.limits ?? {};
  const limits = Object.fromEntries(
    Object.entries({ queue, idleMs, callsPerWorker, concurrency, maxCells, warmMb })
      .filter(([, value]) => value !== undefined),
  );
  return new LazyPool(async () => {
    const { WorkerPool } = await import("../workers/worker_pool.ts");
    return new WorkerPool({
      cells,
      limits,
      onLog: (level, message, cell) => {
        log.log(level, message, { cell });
        events.emit("tool-log", { level, message, cell });
      },
    });
  }, restore);
}

function createReporter(
  { options, config, log, events }: Setting,
  selector: ToolSelector,
): SelectionReporter {
  const source = options.config ?? "cloister.json";
  return new SelectionReporter({
    selector,
    config,
    ...(typeof source === "string" ? { configPath: resolve(source) } : {}),
    onDiagnostic: (diagnostic) => {
      const { severity, message, path, line, column, hint } = diagnostic;
      const level = severity === "info" ? "info" : "warning";
      log.log(level, `${path}:${line}:${column}: ${message}${hint ? `. ${hint}` : ""}`);
      events.emit("diagnostic", diagnostic);
    },
    onWarning: (message) => log.log("warning", message),
  });
}

function createDiscovery(
  { registry, folders, cells, log, events }: Setting,
  importMap: Readonly<Record<string, string>>,
  { pool, openVerifier }: {
    readonly pool: CallPool;
    readonly openVerifier?: () => Promise<ModuleVerifier>;
  },
): DiscoveryService {
  return new DiscoveryService({
    registry,
    openVerifier,
    open: async () => {
      const { Discovery } = await import("../registry/discovery.ts");
      return new Discovery({
        cacheDir: folders.cache,
        importMap,
        denoCommand: cells?.deno,
        evaluator: cells && createEvaluator(pool, DENY_NET),
      });
    },
    onDiagnostic: (diagnostic) => {
      const { severity, message, path, line, column } = diagnostic;
      const level = severity === "info" ? "info" : "warning";
      log.log(level, `${path}:${line}:${column}: ${message}`);
      events.emit("diagnostic", diagnostic);
    },
  });
}

function assertVersion(): void {
  const version = Deno.version.deno;
  if (isAtLeast(version, VERSION_FLOOR)) return;
  throw new Error(
    `Cannot run on Deno ${version}: tools are contained only from ${VERSION_FLOOR} on. Upgrade Deno`,
  );
}

async function readConfig(options: RuntimeOptions): Promise<Config> {
  const source: string | JsonObject = options.config ?? resolve("cloister.json");
  const { config, diagnostics } = await loadConfig(source, {
    optional: options.config === undefined,
  });
  const faults = diagnostics.filter(({ severity }) => severity === "error");
  if (faults.length === 0) return config;
  const lines = faults.map(({ path, line, column, message, hint }) =>
    `${path}:${line}:${column}: ${message}${hint ? ` (${hint})` : ""}`
  );
  throw new Error(`Cannot use the configuration:\n${lines.join("\n")}`);
}

function fallbackCache(environment: HostEnvironment): string {
  const names = ["HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA"];
  const variables = Object.fromEntries(names.map((name) => [name, environment(name)]));
  return defaultCacheDir(variables, Deno.build.os) ??
    Deno.makeTempDirSync({ prefix: "cloister-cache-" });
}

// Grants are real paths, so that what is kept here must be named by its real path too.
function makeReal(folder: string): string {
  const path = resolve(folder);
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

function joinLogs(first: RuntimeLogger, second: RuntimeLogger | undefined): RuntimeLogger {
  return {
    log(level, message, data) {
      first.log(level, message, data);
      second?.log(level, message, data);
    },
  };
}

function builtinRoots(): readonly ToolRoot[] {
  const tools = new URL("../tools/", import.meta.url);
  return tools.protocol === "file:" ? [{ dir: fromFileUrl(tools), owner: "builtin" }] : [];
}

function userRoots({ options }: Setting): readonly string[] {
  if (options.roots) return options.roots.map((dir) => resolve(dir));
  const usual = resolve("tools");
  const builtin = builtinRoots()[0]?.dir;
  return isFolder(usual) && builtin !== `${usual}/` ? [usual] : [];
}

function isolationHere({ cells, hasWorkers, config }: Setting): DoctorReport["isolation"] {
  if (cells) return "cell";
  return hasWorkers && (config.isolation?.inProcess?.length ?? 0) > 0 ? "in-process" : "none";
}

function describeLimits(setting: Setting): readonly string[] {
  switch (isolationHere(setting)) {
    case "cell":
      return [];
    case "in-process":
      return [
        "No process may be started here: only the tools named in isolation.inProcess run, in this " +
        "process, where a tool that spins cannot be stopped and one that fills memory ends everything",
      ];
    case "none":
      return ["No process may be started here: only tools that the program links itself can run"];
  }
}
