/**
 * What each tool gets, and in which cell it runs.
 * @module
 */
import { dirname } from "./paths.ts";
import type { Isolation, ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import { DEFAULT_MEMORY_MB } from "../core/limits.ts";
import { ANY_HOST, NO_GRANTS, type ResolvedGrants } from "../core/permissions.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { CellSpec } from "../workers/cell_command.ts";
import type { Placement } from "../workers/execution.ts";
import { ceilingsFor, type Config } from "./config.ts";
import {
  type Ceiling,
  type GrantContext,
  type GrantPlan,
  planGrants,
  resolveArgumentGrants,
} from "./grants/mod.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { RuntimeFolders } from "./runtime_folders.ts";
import { isSpillReader } from "./spill_reader.ts";

/** Variables that tell Deno itself which certificates to trust; a tool reads them only when it declares them. */
const TRUST: readonly string[] = ["DENO_CERT", "DENO_TLS_CA_STORE"];

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
}

/** A tool's plan with what it was made from. */
export interface ToolPlan {
  /** What the tool gets. */
  readonly plan: GrantPlan;
  /** Where its variables point. */
  readonly context: GrantContext;
  /** Where its handler runs. */
  readonly isolation: Isolation;
  /** Its cell's limit in megabytes. */
  readonly memoryMb: number;
}

/** Where one call runs, with what. */
export type CallPlacement =
  | { readonly ok: true; readonly grants: ResolvedGrants; readonly placement: Placement }
  | { readonly ok: false; readonly message: string };

/** Plans tools. */
export class ToolPlanner {
  readonly #options: PlannerOptions;
  readonly #plans = new WeakMap<ToolEntry, ToolPlan>();
  readonly #specs = new WeakMap<RegistrySnapshot, Map<string, CellSpec>>();

  /**
   * Makes a planner.
   *
   * @param options What it works with.
   */
  constructor(options: PlannerOptions) {
    this.#options = options;
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
      plan: this.#withSpill(entry, planGrants(entry.permissions, context)),
      context,
      isolation: this.#isolation(entry),
      memoryMb: entry.memoryMb ?? config.limits?.memoryMb ?? DEFAULT_MEMORY_MB,
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
    const group = this.#group(entry);
    return {
      group,
      cell: this.#sharedSpec(snapshot, group),
      perCall: false,
      spare: true,
      inProcess: !this.#options.hasCells,
    };
  }

  #withSpill(entry: ToolEntry, plan: GrantPlan): GrantPlan {
    if (!isSpillReader(entry) || plan.grants.read.length === 0) return plan;
    const read = [...plan.grants.read, this.#options.folders.spill];
    return { ...plan, grants: { ...plan.grants, read } };
  }

  #placeOnce(entry: ToolEntry, planned: ToolPlan, args: JsonObject): CallPlacement {
    const resolved = resolveArgumentGrants(planned.plan, args, planned.context);
    if (!resolved.ok) return resolved;
    const { grants } = resolved;
    // The cell is started before the call's host is known, so that it may reach any public one; the worker
    // gets the call's host alone. Paths are known only now, and such a cell is started for the call.
    const kinds = new Set(planned.plan.argumentGrants.map(({ kind }) => kind));
    const onlyNet = kinds.size === 1 && kinds.has("net");
    const cellGrants = kinds.has("net") ? { ...grants, net: [ANY_HOST] } : grants;
    const cell = this.#spec(planned, withFiles(cellGrants, entry), [entry]);
    const placement: Placement = {
      group: `call:${this.#group(entry)}:${moduleKey(entry)}`,
      cell,
      perCall: true,
      spare: onlyNet,
      inProcess: !this.#options.hasCells,
    };
    return { ok: true, grants, placement };
  }

  // Tools of one owner and one risk class share a cell. A memory limit or a list of denied addresses of its
  // own sets a tool apart, because a cell has one of each.
  #group(entry: ToolEntry): string {
    const { plan, isolation, memoryMb } = this.plan(entry);
    const shared = `${entry.owner}:${plan.riskClass}:${memoryMb}:${plan.denyNet.join(",")}`;
    if (plan.exclusive || isolation === "process") {
      return `${shared}:${moduleKey(entry)}:${entry.name}`;
    }
    return shared;
  }

  #sharedSpec(snapshot: RegistrySnapshot, group: string): CellSpec {
    const specs = this.#specs.get(snapshot) ?? new Map<string, CellSpec>();
    this.#specs.set(snapshot, specs);
    const known = specs.get(group);
    if (known) return known;
    const members = snapshot.entries().filter((entry) =>
      entry.handler.kind === "module" && this.#group(entry) === group
    );
    const grants = members.map((entry) => withFiles(this.plan(entry).plan.grants, entry));
    const spec = this.#spec(this.plan(members[0]!), union(grants), members);
    specs.set(group, spec);
    return spec;
  }

  #spec(planned: ToolPlan, grants: ResolvedGrants, members: readonly ToolEntry[]): CellSpec {
    return {
      grants,
      denyNet: planned.plan.denyNet,
      memoryMb: planned.memoryMb,
      startsPrograms: members.some((entry) => this.plan(entry).plan.grants.run.length > 0),
      env: this.#environment(grants.net.length > 0 ? [...grants.env, ...TRUST] : grants.env),
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

function withFiles(grants: ResolvedGrants, entry: ToolEntry): ResolvedGrants {
  const files = entry.handler.kind === "module" ? entry.handler.files : [];
  return { ...grants, read: [...grants.read, ...files] };
}

// Sorted, so that the same tools in another order get the same cell.
function union(all: readonly ResolvedGrants[]): ResolvedGrants {
  const join = (key: keyof ResolvedGrants): string[] =>
    [...new Set(all.flatMap((grants) => grants[key]))].toSorted();
  const keys = Object.keys(NO_GRANTS) as (keyof ResolvedGrants)[];
  return Object.fromEntries(keys.map((key) => [key, join(key)])) as unknown as ResolvedGrants;
}
