/**
 * What each tool gets, and in which cell it runs.
 * @module
 */
import { dirname, sep } from "./paths.ts";
import type { Isolation, ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import { DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_MS } from "../core/limits.ts";
import { ANY_HOST, NO_GRANTS, type ResolvedGrants } from "../core/permissions.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { CellSpec } from "../workers/cell_command.ts";
import type { ModuleSpec, Placement } from "../workers/execution.ts";
import { hasNames, NAMES_UNSAFE } from "../core/host_names.ts";
import { ceilingsFor, type Config } from "./config.ts";
import {
  type Ceiling,
  type GrantContext,
  type GrantPlan,
  planGrants,
  resolveArgumentGrants,
} from "./grants/mod.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { ProtectedPlaces } from "./protected_places.ts";
import type { RuntimeFolders } from "./runtime_folders.ts";
import { isSpillReader } from "./spill_reader.ts";
import type { WriteReach } from "./write_reach.ts";

/** Variables that tell Deno itself which certificates to trust; a tool reads them only when it declares them. */
const TRUST: readonly string[] = ["DENO_CERT", "DENO_TLS_CA_STORE"];

/** How long the grants of one cell may be, in characters; a command line takes 128 KiB for each of them. */
const MAX_SPEC_CHARS = 16_384;

/** What a planner works with. */
export interface PlannerOptions {
  /** The workspace, an absolute real path. */
  readonly workspace: string;
  /** Where tools' own folders are. */
  readonly folders: RuntimeFolders;
  /** The operator's configuration. */
  readonly config: Config;
  /** The least isolation that tools get. */
  readonly isolation: "worker" | "process";
  /** Reads the variables that are granted. */
  readonly environment: HostEnvironment;
  /** Whether processes can be started. */
  readonly hasCells: boolean;
  /** Whether it was found that no host may be granted by name. @default {no} */
  readonly namesFoundUnsafe?: () => boolean;
  /** Where no tool writes. */
  readonly places: ProtectedPlaces;
  /** Who could write where all the same. */
  readonly reach: WriteReach;
}

/** A tool's plan with what it was made from. */
export interface ToolPlan {
  /** What the tool gets. */
  readonly plan: GrantPlan;
  /** Where its variables point. */
  readonly context: GrantContext;
  /** Where its handler runs. */
  readonly isolation: Isolation;
  /** What a call may take, in megabytes. */
  readonly memoryMb: number;
  /** A call's deadline in milliseconds. */
  readonly timeoutMs: number;
}

/** Where one call runs, with what. */
export type CallPlacement =
  | { readonly ok: true; readonly grants: ResolvedGrants; readonly placement: Placement }
  | { readonly ok: false; readonly message: string };

/** Plans tools. */
export class ToolPlanner {
  readonly #options: PlannerOptions;
  #plans = new WeakMap<ToolEntry, ToolPlan>();
  readonly #modules = new WeakMap<ToolEntry, ModuleSpec>();
  #placements = new WeakMap<RegistrySnapshot, Map<string, readonly Placement[]>>();

  /**
   * Makes a planner.
   *
   * @param options What it works with.
   */
  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /**
   * Protects further folders with tool files; every tool is planned anew.
   *
   * @param folders The folders, absolute.
   */
  protect(folders: readonly string[]): void {
    this.#options.places.addToolFolders(folders);
    this.#plans = new WeakMap();
    this.#placements = new WeakMap();
  }

  /**
   * What is closed to a tool in what it may write.
   *
   * @param entry The tool.
   * @returns Absolute paths, sorted.
   */
  closedTo(entry: ToolEntry): readonly string[] {
    return this.#options.places.denials(this.plan(entry).plan.grants.write);
  }

  /**
   * Why a path is closed to a tool although it lies in its grants.
   *
   * @param entry The tool.
   * @param path The path, absolute.
   * @returns A sentence, or `undefined` when no protected place is the reason.
   */
  closedBecause(entry: ToolEntry, path: string): string | undefined {
    return this.#options.places.closedBecause(path, this.plan(entry).plan.grants.write);
  }

  /**
   * What a tool gets, worked out once for each entry.
   *
   * @param entry The tool.
   * @returns The plan.
   */
  plan(entry: ToolEntry): ToolPlan {
    const known = this.#plans.get(entry);
    if (known) return known;
    const { config, folders } = this.#options;
    folders.prepare(entry.name, entry.permissions);
    const context = this.#context(entry);
    const plan: ToolPlan = {
      plan: this.#withSpill(entry, this.#guarded(planGrants(entry.permissions, context), context)),
      context,
      isolation: this.#isolation(entry),
      memoryMb: limitOf(entry.memoryMb, config.limits?.memoryMb, DEFAULT_MEMORY_MB),
      timeoutMs: limitOf(entry.timeoutMs, config.limits?.timeoutMs, DEFAULT_TIMEOUT_MS),
    };
    this.#plans.set(entry, plan);
    return plan;
  }

  /**
   * Where a call runs, with what.
   *
   * @param snapshot The table that the call is pinned to.
   * @param entry The tool.
   * @param args The call's arguments, checked.
   * @returns The placement, or why an argument may not decide a grant.
   */
  place(snapshot: RegistrySnapshot, entry: ToolEntry, args: JsonObject): CallPlacement {
    const planned = this.plan(entry);
    if (planned.plan.argumentGrants.length > 0) return this.#placeOnce(entry, planned, args);
    return {
      ok: true,
      grants: planned.plan.grants,
      placement: this.placement(snapshot, entry),
    };
  }

  /**
   * The cell in which a tool's module is loaded when no call decides its grants.
   *
   * @param snapshot The table.
   * @param entry The tool.
   * @returns The placement.
   */
  placement(snapshot: RegistrySnapshot, entry: ToolEntry): Placement {
    const tables = this.#placements.get(snapshot) ?? new Map<string, readonly Placement[]>();
    this.#placements.set(snapshot, tables);
    const group = this.#group(entry);
    const known = tables.get(group) ?? this.#divide(snapshot, group);
    tables.set(group, known);
    return known[hashOf(entry.name) % known.length]!;
  }

  /**
   * The module of a tool, as workers know it.
   *
   * @param entry The tool; its handler is in a module.
   * @returns The module.
   */
  module(entry: ToolEntry): ModuleSpec {
    const known = this.#modules.get(entry);
    if (known) return known;
    const { handler, source } = entry;
    if (handler.kind !== "module") throw new TypeError("The handler is not in a module");
    const { url, integrity, folder } = handler;
    const module: ModuleSpec = { url, integrity, folder, source: source.path };
    this.#modules.set(entry, module);
    return module;
  }

  #guarded(plan: GrantPlan, context: GrantContext): GrantPlan {
    const refused = this.#refusals(plan.grants.write, context);
    return refused.length === 0 ? plan : { ...plan, refused: [...plan.refused, ...refused] };
  }

  #refusals(write: readonly string[], { dataDir, tmpDir }: GrantContext): readonly string[] {
    const { places, hasCells } = this.#options;
    const refused = places.refusals(write, [dataDir, tmpDir]);
    const [denied] = places.denials(write);
    if (hasCells || denied === undefined) return refused;
    return [
      ...refused,
      `write holds "${denied}", which no tool may change; only a process can keep it closed, and none may be ` +
      "started here",
    ];
  }

  #withSpill(entry: ToolEntry, plan: GrantPlan): GrantPlan {
    if (!isSpillReader(entry) || plan.grants.read.length === 0) return plan;
    const read = [...plan.grants.read, this.#options.folders.spill];
    return { ...plan, grants: { ...plan.grants, read } };
  }

  #placeOnce(entry: ToolEntry, planned: ToolPlan, args: JsonObject): CallPlacement {
    const resolved = resolveArgumentGrants(planned.plan, args, planned.context);
    if (!resolved.ok) return resolved;
    const { grants, denyNet, anyHost } = resolved;
    if (this.#options.namesFoundUnsafe?.() && hasNames(grants.net)) {
      return { ok: false, message: NAMES_UNSAFE };
    }
    const [refused] = this.#refusals(grants.write, planned.context);
    if (refused !== undefined) return { ok: false, message: refused };
    // The cell is started before the call's host is known, so that it may reach any public one; the worker
    // gets the call's host alone. Paths are known only now, and such a cell is started for the call.
    const kinds = new Set(planned.plan.argumentGrants.map(({ kind }) => kind));
    const isOpen = kinds.has("net") && anyHost;
    const cellGrants = isOpen ? { ...grants, net: [ANY_HOST] } : grants;
    const placement: Placement = {
      group: `call:${this.#group(entry)}:${moduleKey(entry)}`,
      cell: {
        ...this.#spec(planned, this.#forCell(cellGrants, entry), [entry]),
        denyNet,
      },
      perCall: true,
      shared: false,
      spare: isOpen && kinds.size === 1,
      inProcess: !this.#options.hasCells,
    };
    return { ok: true, grants, placement };
  }

  // Tools of one owner and one risk class share a cell. A memory limit or a list of denied addresses of its
  // own sets a tool apart, because a cell has one of each; so do write grants that are inherited.
  #group(entry: ToolEntry): string {
    const { plan, memoryMb } = this.plan(entry);
    const { write } = plan.grants;
    const inherited = this.#options.places.denials(write).length > 0
      ? `:${JSON.stringify(write.toSorted())}`
      : "";
    const group = `${entry.owner}:${plan.riskClass}:${memoryMb}:${
      plan.denyNet.join(",")
    }${inherited}`;
    // By its name and not its content: an edit leaves the cell.
    return this.#isShared(entry) ? group : `${group}:${entry.name}`;
  }

  #isShared(entry: ToolEntry): boolean {
    const { plan, isolation } = this.plan(entry);
    return !plan.exclusive && isolation !== "process";
  }

  // What a cell is started with does not grow with the number of tools: a group whose grants are long has
  // several cells.
  #divide(snapshot: RegistrySnapshot, group: string): readonly Placement[] {
    const members = snapshot.entries().filter((entry) =>
      entry.handler.kind === "module" && this.#group(entry) === group
    );
    for (let count = 1;; count *= 2) {
      const parts = Array.from({ length: count }, (): ToolEntry[] => []);
      for (const member of members) parts[hashOf(member.name) % count]!.push(member);
      const specs = parts.map((part) => this.#sharedSpec(this.plan(members[0]!), part));
      if (count < members.length && specs.some((spec) => isLong(spec))) continue;
      return specs.map((cell, index) => ({
        group: count === 1 ? group : `${group}:${index}/${count}`,
        cell,
        perCall: false,
        shared: this.#isShared(members[0]!),
        spare: true,
        inProcess: !this.#options.hasCells,
      }));
    }
  }

  #sharedSpec(planned: ToolPlan, members: readonly ToolEntry[]): CellSpec {
    const grants = members.map((entry) => this.#forCell(this.plan(entry).plan.grants, entry));
    return this.#spec(planned, union(grants), members);
  }

  #spec(planned: ToolPlan, grants: ResolvedGrants, members: readonly ToolEntry[]): CellSpec {
    const spec: CellSpec = {
      grants,
      denyNet: planned.plan.denyNet,
      denyWrite: this.#options.places.denials(grants.write),
      memoryMb: planned.memoryMb,
      startsPrograms: members.some((entry) => this.plan(entry).plan.grants.run.length > 0),
      env: this.#environment(grants.net.length > 0 ? [...grants.env, ...TRUST] : grants.env),
    };
    // The package's own tools look where links lead, and rename no folder; what they say of themselves is true.
    const isOwn = members.every(({ owner }) => owner === "builtin");
    const isReadOnly = isOwn && members.every(({ annotations }) => annotations?.readOnlyHint);
    this.#options.reach.plan(spec, {
      everywhere: !isReadOnly && (spec.startsPrograms || grants.ffi.length > 0),
      write: grants.write,
      except: isOwn ? spec.denyWrite : [],
    });
    return spec;
  }

  // A cell holds the folder above what each of its workers gets, so that its own grants are the same whatever tools
  // come and go. Code of a tool never has them (measured on Deno 2.9.6), unless it inherits what the cell may write.
  #forCell(grants: ResolvedGrants, { handler }: ToolEntry): ResolvedGrants {
    const { folders: { dataRoot, temporaryRoot }, places } = this.#options;
    const widen = (paths: readonly string[]): readonly string[] =>
      paths.map((path) =>
        [dataRoot, temporaryRoot].find((root) => path.startsWith(`${root}${sep}`)) ?? path
      );
    const store = handler.kind === "module" ? [dirname(handler.folder)] : [];
    const isInherited = places.denials(grants.write).length > 0;
    return {
      ...grants,
      read: [...widen(grants.read), ...store],
      write: isInherited ? grants.write : widen(grants.write),
    };
  }

  #environment(names: readonly string[]): Record<string, string> {
    const pairs = names.map((name) => [name, this.#options.environment(name)] as const);
    return Object.fromEntries(
      pairs.filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
  }

  #isolation(entry: ToolEntry): Isolation {
    if (entry.isolation === "inline") return "inline";
    const { config, isolation } = this.#options;
    const wanted = [entry.isolation, isolation, config.isolation?.default];
    return wanted.includes("process") ? "process" : "worker";
  }

  #context(entry: ToolEntry): GrantContext {
    const { workspace, folders, config, environment } = this.#options;
    return {
      workspace,
      toolDir: entry.source.path ? dirname(entry.source.path) : workspace,
      dataDir: folders.data(entry.name),
      tmpDir: folders.temporary(entry.name),
      path: environment("PATH"),
      ceilings: [...ceilingsFor(config, entry), ...serverWord(entry)],
    };
  }
}

// The entry of a server in the configuration is the operator's own word for what the server may touch.
function serverWord({ source, permissions }: ToolEntry): readonly Ceiling[] {
  if (source.kind !== "mcp") return [];
  return [{ allow: permissions, source: `mcpServers.${source.server}.permissions` }];
}

function moduleKey(entry: ToolEntry): string {
  return entry.handler.kind === "module" ? entry.handler.integrity : "inline";
}

// What a file says holds within the operator's limit, which also holds where the file says nothing.
function limitOf(own: number | undefined, most: number | undefined, usual: number): number {
  return Math.min(own ?? most ?? usual, most ?? Infinity);
}

function isLong({ grants, env }: CellSpec): boolean {
  return JSON.stringify([grants, env]).length > MAX_SPEC_CHARS;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0;
  }
  return hash;
}

// Sorted, so that the same tools in another order get the same cell.
function union(all: readonly ResolvedGrants[]): ResolvedGrants {
  const join = (key: keyof ResolvedGrants): string[] =>
    [...new Set(all.flatMap((grants) => grants[key]))].toSorted();
  const keys = Object.keys(NO_GRANTS) as (keyof ResolvedGrants)[];
  return Object.fromEntries(keys.map((key) => [key, join(key)])) as unknown as ResolvedGrants;
}
