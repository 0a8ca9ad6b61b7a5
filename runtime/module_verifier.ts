/**
 * Loads modules once before their tools are offered, where reading them leaves open whether that succeeds: each in a
 * worker with the grants of its tool and no others.
 * @module
 */
import type { ModuleHandler, ToolEntry } from "../core/entry.ts";
import { hashText } from "../registry/hash.ts";
import { inParallel } from "../registry/in_parallel.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { LoadOutcome } from "../workers/load_outcome.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { CallPool } from "./lazy_pool.ts";
import type { LoadFault, ModuleTool } from "./load_fault.ts";
import type { LoadRecord } from "./load_record.ts";
import { snapshotWith } from "./snapshot_with.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** How long a module's top level may take, in milliseconds. */
const LOAD_MS = 2_000;

/** What a verifier works with. */
export interface VerifierOptions {
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Loads modules in workers. */
  readonly pool: Pick<CallPool, "load">;
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
  /** Reads environment variables: whether a granted one is set is part of what a load rests on. */
  readonly environment: HostEnvironment;
  /** What keeps a tool from being offered anyway. */
  readonly findObstacle: (entry: ToolEntry) => string | undefined;
  /** What is known from before. */
  readonly record: LoadRecord;
}

/** Loads modules to see whether they load. */
export class ModuleVerifier {
  readonly #options: VerifierOptions;
  readonly #keys = new WeakMap<ToolEntry, Promise<string>>();
  readonly #running = new Map<string, Promise<LoadOutcome>>();

  /**
   * Makes a verifier.
   *
   * @param options What it works with.
   */
  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /**
   * Loads the modules of tools, with the grants of each, unless that is known to succeed. Tools that cannot be offered
   * anyway are left out.
   *
   * @param tools The tools.
   * @param again Whether what is known counts for nothing.
   * @returns The ones whose module does not load. Never rejects because of a module.
   */
  async check(tools: readonly ModuleTool[], again: boolean): Promise<readonly LoadFault[]> {
    const { findObstacle, record } = this.#options;
    const open = tools.filter(({ entry }) => findObstacle(entry) === undefined);
    const lanes = 2 * navigator.hardwareConcurrency;
    const faults = await inParallel(open, (tool) => this.#checkOne(tool, again), lanes);
    record.save();
    return faults.filter((fault) => fault !== undefined);
  }

  async #checkOne(tool: ModuleTool, again: boolean): Promise<LoadFault | undefined> {
    const { entry, module } = tool;
    const { record } = this.#options;
    const key = await this.#keyOf(entry);
    if (record.has(key) && !again) return undefined;
    const running = this.#running.get(key) ?? this.#load(entry);
    this.#running.set(key, running);
    const outcome = await running.finally(() => this.#running.delete(key));
    if (outcome.ok) record.add(key);
    // Where nobody could try, nothing is known, and a call finds out.
    if (outcome.ok || outcome.by === "host") return undefined;
    record.delete(key);
    const { explainLoad } = await import("./load_fault.ts");
    return { ...tool, ...explainLoad(entry, module.admitted, outcome) };
  }

  // The value of a variable is not looked at: it may be a secret, and is nobody's to keep.
  #keyOf(entry: ToolEntry): Promise<string> {
    const known = this.#keys.get(entry);
    if (known) return known;
    const { planner, environment } = this.#options;
    const { plan } = planner.plan(entry);
    const set = plan.grants.env.filter((name) => environment(name) !== undefined);
    const { integrity } = entry.handler as ModuleHandler;
    const key = hashText(JSON.stringify([
      import.meta.url,
      Deno.version.deno,
      integrity,
      plan.grants,
      plan.denyNet,
      set,
    ]));
    this.#keys.set(entry, key);
    return key;
  }

  /** In a cell apart from the one of its calls: a module that ends its cell takes no call along. */
  async #load(entry: ToolEntry): Promise<LoadOutcome> {
    const { planner, pool, snapshot } = this.#options;
    const { plan, isolation } = planner.plan(entry);
    const shared = planner.placement(snapshotWith(entry, snapshot()), entry);
    const placement = { ...shared, group: `load:${shared.group}`, spare: false };
    const perCall = plan.exclusive || isolation === "process";
    const module = entry.handler as ModuleHandler;
    const order = { module, grants: plan.grants, placement: { ...placement, perCall } };
    const first = await pool.load(order, LOAD_MS);
    // Another module may have ended the cell; alone it can only have been this one.
    if (first.ok || first.by !== "cell" || perCall) return first;
    return await pool.load({ ...order, placement: { ...placement, perCall: true } }, LOAD_MS);
  }
}
