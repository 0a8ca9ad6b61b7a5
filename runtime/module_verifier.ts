/**
 * Loads modules once before their tools are offered, where reading them leaves open whether that succeeds: each in a
 * worker with the grants of its tool and no others.
 * @module
 */
import type { ModuleHandler, ToolEntry } from "../core/entry.ts";
import { hashText } from "../registry/hash.ts";
import { inParallel } from "../registry/in_parallel.ts";
import type { LoadOutcome } from "../workers/load_outcome.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { LoadFault, LoadOptions, ModuleTool } from "./load_module.ts";
import { LoadRecord } from "./load_record.ts";

/** What a verifier works with. */
export interface VerifierOptions extends LoadOptions {
  /** Reads environment variables: whether a granted one is set is part of what a load rests on. */
  readonly environment: HostEnvironment;
  /** What keeps a tool from being offered anyway. */
  readonly findObstacle: (entry: ToolEntry) => string | undefined;
  /** Where it is kept what is known from before. */
  readonly cacheDir: string;
}

/** Loads modules to see whether they load. */
export class ModuleVerifier {
  readonly #options: VerifierOptions;
  readonly #record: LoadRecord;
  readonly #keys = new WeakMap<ToolEntry, Promise<string>>();
  readonly #proven = new WeakSet<ToolEntry>();
  readonly #running = new Map<string, Promise<LoadOutcome>>();

  /**
   * Makes a verifier.
   *
   * @param options What it works with.
   */
  constructor(options: VerifierOptions) {
    this.#options = options;
    this.#record = new LoadRecord(options.cacheDir);
  }

  /**
   * Whether a tool's module is known to load, without looking at anything.
   *
   * @param entry The tool.
   * @returns True when this verifier has seen it, or the proof of it.
   */
  knows(entry: ToolEntry): boolean {
    return this.#proven.has(entry);
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
    const { findObstacle } = this.#options;
    const open = tools.filter(({ entry }) => findObstacle(entry) === undefined);
    const lanes = 2 * navigator.hardwareConcurrency;
    const faults = await inParallel(open, (tool) => this.#checkOne(tool, again), lanes);
    this.#record.save();
    return faults.filter((fault) => fault !== undefined);
  }

  async #checkOne(tool: ModuleTool, again: boolean): Promise<LoadFault | undefined> {
    const { entry, module } = tool;
    const record = this.#record;
    const key = await this.#keyOf(entry);
    if (record.has(key) && !again) {
      this.#proven.add(entry);
      return undefined;
    }
    // Loaded only now: most starts know of every load.
    const { explainLoad, tryLoad } = await import("./load_module.ts");
    const running = this.#running.get(key) ?? tryLoad(entry, this.#options);
    this.#running.set(key, running);
    const outcome = await running.finally(() => this.#running.delete(key));
    if (outcome.ok) {
      record.add(key);
      this.#proven.add(entry);
    }
    // Where nobody could try, nothing is known, and a call finds out.
    if (outcome.ok || outcome.by === "host") return undefined;
    record.delete(key);
    this.#proven.delete(entry);
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
}
