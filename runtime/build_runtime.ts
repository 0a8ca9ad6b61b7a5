/**
 * Puts a runtime together from its parts.
 * @module
 */
import type { SchemaOverrides } from "../core/context.ts";
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import { registry as defaultRegistry } from "../registry/default_registry.ts";
import type { ToolRoot } from "../registry/discovery_types.ts";
import { type Clock, SYSTEM_CLOCK } from "../registry/availability/clock.ts";
import { packageImportMap } from "../registry/package_imports.ts";
import { startsContained } from "./approval/shell_tools.ts";
import { joinAvailability } from "./availability.ts";
import { defaultCacheDir, defaultUserDir } from "./cache_dir.ts";
import { createCellSettings, denoFolder, findCellAbility } from "./cells.ts";
import { type Config, loadConfig } from "./config.ts";
import { DefinitionService } from "./definition_service.ts";
import { DiscoveryService } from "./discovery_service.ts";
import type { CommandContainer } from "./container/command_container.ts";
import { createEvaluator } from "./evaluator.ts";
import { EventHub } from "./event_hub.ts";
import type { ExtensionHost, RuntimeExtension } from "./extension.ts";
import { DENY_NET } from "./grants/mod.ts";
import { HeldFiles } from "./held_files.ts";
import { type HostEnvironment, readHostEnvironment } from "./host_environment.ts";
import { LazyDispatcher } from "./lazy_dispatcher.ts";
import { type CallPool, LazyPool } from "./lazy_pool.ts";
import { openRuntimeLog } from "./logging.ts";
import type { ModuleVerifier } from "./module_verifier.ts";
import { dirname, fromFileUrl, resolve } from "./paths.ts";
import { findPluginFolders, joinPlugins } from "./plugin_folders.ts";
import { PluginManager } from "./plugin_manager.ts";
import { ProtectedPlaces, settingsIn } from "./protected_places.ts";
import { isFolder, RuntimeFolders } from "./runtime_folders.ts";
import type { DoctorReport, Runtime, RuntimeLogger, RuntimeOptions } from "./runtime_types.ts";
import { SelectionReporter } from "./selection_reporter.ts";
import type { Setting } from "./setting.ts";
import { ToolPlanner } from "./tool_planner.ts";
import { ToolRuntime } from "./tool_runtime.ts";
import { ToolSelector } from "./tool_selector.ts";
import { isAtLeast, VERSION_FLOOR } from "./version_floor.ts";
import { WriteReach } from "./write_reach.ts";

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
  const reach = new WriteReach();
  const imports = { ...config.packages, ...packageImportMap() };
  const cells = ability.deno === undefined ? undefined : createCellSettings({
    deno: ability.deno,
    environment,
    cacheDir: folders.cache,
    importMap: imports,
    temporaryMb: config.limits?.temporaryMb,
    clock,
    onFault: (message) => log.log("warning", message),
    onWorker: (spec, gone) => reach.begin(spec, gone),
  });
  const userDir = userFolder(environment);
  const setting: Setting = {
    options,
    config,
    environment,
    workspace,
    folders,
    places: protectedPlaces(options, config, { environment, workspace, folders, userDir }),
    reach,
    heldFiles: new HeldFiles({
      reach,
      ...(userDir === undefined ? {} : { recordPath: `${userDir}/held.json` }),
      isOpen: mayEditTools(options, config),
    }),
    userDir,
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
  const { options, config, environment, folders, places, cells, log, clock } = setting;
  const source = options.config ?? "cloister.json";
  return {
    runtime,
    config,
    ...(typeof source === "string" ? { configPath: resolve(source) } : {}),
    environment,
    protectedPlaces: places,
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
  const planner = new ToolPlanner({
    ...setting,
    isolation,
    hasCells,
    namesFoundUnsafe: () => cells?.namesFoundUnsafe ?? false,
  });
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
  let opened: Promise<CommandContainer> | undefined;
  const container = () => opened ??= openContainer(setting);
  const dispatcher = new LazyDispatcher({
    snapshot: () => registry.snapshot(),
    open: async () => {
      const { openDispatcher } = await import("./open_dispatcher.ts");
      return openDispatcher(setting, {
        pool,
        planner,
        availability,
        discovery,
        selector,
        container,
      });
    },
  });
  const found = findPluginFolders(pluginFolder(setting.options));
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
    heldFiles: setting.heldFiles,
    cacheDir: folders.cache,
    ...(setting.userDir === undefined ? {} : { userDir: setting.userDir }),
    builtinRoots: setting.options.builtins ?? true ? builtinRoots() : [],
    userRoots: userRoots(setting),
    limits: describeLimits(setting),
    isolation: isolationHere(setting),
    cells,
    selector,
    reporter,
    pool,
    planner,
    container,
    availability,
    definitions: new DefinitionService({
      registry,
      availability,
      reporter,
      verify: (entries) => discovery.verify(entries),
      describe: (entry) => startsContained(entry) ? describeTerminal(entry, container) : undefined,
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
      if (setting.reach.since < Infinity) await discovery.lookBack();
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

async function describeTerminal(
  { description }: ToolEntry,
  container: () => Promise<CommandContainer>,
): Promise<SchemaOverrides> {
  const { told } = await (await container()).mode();
  return { description: `${description} ${told}` };
}

// Loaded with the first command: most programs never call a shell.
async function openContainer(setting: Setting): Promise<CommandContainer> {
  const { CommandContainer } = await import("./container/command_container.ts");
  const { config, workspace, folders, environment, cells, places } = setting;
  // Of git only what runs programs is closed there, so that commits work.
  const git = resolve(workspace, ".git");
  return new CommandContainer({
    workspace,
    configured: places.list.map(({ path }) => path).filter((path) => path !== git),
    data: folders.data("terminal"),
    home: environment("HOME"),
    isAllowed: config.approval?.containCommands ?? true,
    containment: cells?.containment ?? (() => Promise.resolve("none")),
  });
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
  { registry, folders, userDir, heldFiles, cells, log, events }: Setting,
  importMap: Readonly<Record<string, string>>,
  { pool, openVerifier }: {
    readonly pool: CallPool;
    readonly openVerifier?: () => Promise<ModuleVerifier>;
  },
): DiscoveryService {
  return new DiscoveryService({
    registry,
    heldFiles,
    openVerifier,
    open: async () => {
      const { Discovery } = await import("../registry/discovery.ts");
      return new Discovery({
        cacheDir: folders.cache,
        ...(userDir === undefined ? {} : { keyFile: `${userDir}/manifest.key` }),
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

function userFolder(environment: HostEnvironment): string | undefined {
  const names = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"];
  const variables = Object.fromEntries(names.map((name) => [name, environment(name)]));
  return defaultUserDir(variables, Deno.build.os);
}

function pluginFolder(options: RuntimeOptions): string {
  return resolve(options.pluginFolder ?? "plugins");
}

// What the next start would take counts too, although it does not exist yet.
function protectedPlaces(
  options: RuntimeOptions,
  config: Config,
  { environment, workspace, folders, userDir }:
    & Pick<Setting, "environment" | "workspace" | "folders">
    & Pick<Setting, "userDir">,
): ProtectedPlaces {
  const configPath = typeof options.config === "string" ? resolve(options.config) : undefined;
  const home = environment("HOME") ?? environment("USERPROFILE");
  const builtin = builtinRoots()[0]?.dir;
  const deno = denoFolder(environment);
  return new ProtectedPlaces({
    workspace,
    toolFolders: [
      ...options.roots?.length ? options.roots : ["tools"],
      pluginFolder(options),
      ...(config.plugins ?? []).map(({ path }) => path),
    ],
    settings: [
      ...settingsIn([resolve("."), workspace, ...(configPath ? [dirname(configPath)] : [])]),
      ...(configPath ? [configPath] : []),
    ],
    ...(builtin === undefined ? {} : { packageFolder: dirname(builtin) }),
    own: [folders.cache, ...(userDir ? [userDir] : []), ...(deno ? [deno] : [])],
    ...(home ? { home } : {}),
    editTools: mayEditTools(options, config),
  });
}

function mayEditTools({ editTools = false }: RuntimeOptions, { permissions }: Config): boolean {
  return editTools || (permissions?.allowWrite?.includes("tools") ?? false);
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
