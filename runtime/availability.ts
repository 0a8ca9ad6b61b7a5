/**
 * Whether a tool can be used now, and why not: first what can be seen without running anything, then its own
 * check in its own worker.
 * @module
 */
import { delimiter, isAbsolute, join, resolve } from "./paths.ts";
import type { ToolEntry } from "../core/entry.ts";
import type { Availability, Prober } from "../registry/prober.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { Config } from "./config.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { CallPool } from "./lazy_pool.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** How long a check's verdict holds, in milliseconds (reference 1.9). */
const VERDICT_MS = 30_000;
/** How long a check may take, in milliseconds. */
const CHECK_MS = 5_000;

/** What availability is judged with. */
export interface AvailabilityOptions {
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Runs checks. */
  readonly pool: CallPool;
  /** The operator's configuration. */
  readonly config: Config;
  /** Reads environment variables. */
  readonly environment: HostEnvironment;
  /** Whether processes can be started. */
  readonly hasCells: boolean;
  /** Whether permissioned workers can be started in this very process. */
  readonly hasWorkers: boolean;
  /** The workspace, for relative file requirements. */
  readonly workspace: string;
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
  /** Answers for tools that run in this process. */
  readonly inline: Prober;
}

/** Judges availability. */
export class AvailabilityProber implements Prober {
  readonly #options: AvailabilityOptions;
  #verdicts = new WeakMap<ToolEntry, Availability>();
  #running = new WeakMap<ToolEntry, Promise<Availability>>();
  #epoch = 0;

  /**
   * Makes a prober.
   *
   * @param options What it works with.
   */
  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  /**
   * Says whether a tool can be used now; may run its check. Never rejects.
   *
   * @param entry The tool.
   * @returns The verdict.
   */
  async probe(entry: ToolEntry): Promise<Availability> {
    const reason = this.findObstacle(entry);
    if (reason !== undefined) return { available: false, reason, checkedAt: Date.now() };
    if (!entry.hasCheckFn) return { available: true, checkedAt: Date.now() };
    if (entry.handler.kind === "inline") return await this.#options.inline.probe(entry);
    return this.#fresh(entry) ?? await this.#ask(entry);
  }

  /**
   * The last verdict, without running anything.
   *
   * @param entry The tool.
   * @returns The verdict, or `undefined` when it is not known.
   */
  peek(entry: ToolEntry): Availability | undefined {
    const reason = this.findObstacle(entry);
    if (reason !== undefined) return { available: false, reason, checkedAt: Date.now() };
    if (!entry.hasCheckFn) return { available: true, checkedAt: Date.now() };
    if (entry.handler.kind === "inline") return this.#options.inline.peek(entry);
    return this.#fresh(entry);
  }

  /** Grows whenever verdicts are forgotten or one of them changed. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * For how long a tool's verdict holds.
   *
   * @param entry The tool.
   * @returns Milliseconds; 0 when its check has not answered.
   */
  holdsMs(entry: ToolEntry): number {
    if (!entry.hasCheckFn) return VERDICT_MS;
    if (entry.handler.kind === "inline") return 0;
    const checkedAt = this.#verdicts.get(entry)?.checkedAt;
    return checkedAt === undefined ? 0 : Math.max(0, checkedAt + VERDICT_MS - Date.now());
  }

  /** Forgets every verdict. */
  invalidate(): void {
    this.#epoch++;
    this.#verdicts = new WeakMap();
    this.#running = new WeakMap();
    this.#options.inline.invalidate();
  }

  /**
   * What keeps a tool from being used, as far as can be seen without running anything.
   *
   * @param entry The tool.
   * @returns The reason, or `undefined`.
   */
  findObstacle(entry: ToolEntry): string | undefined {
    return this.#missingIsolation(entry) ?? this.#missingVariable(entry) ??
      this.#missingThing(entry) ?? this.#options.planner.plan(entry).plan.refused[0];
  }

  #missingIsolation(entry: ToolEntry): string | undefined {
    const { config, hasCells, hasWorkers, planner } = this.#options;
    if (entry.handler.kind === "inline" || hasCells) return undefined;
    if (planner.plan(entry).isolation === "process") {
      return "It needs a process of its own, and no process may be started here (grant --allow-run=deno)";
    }
    if (!config.isolation?.inProcess?.includes(entry.name)) {
      return "No process may be started here to contain it (grant --allow-run=deno, or name it in " +
        "isolation.inProcess of the configuration)";
    }
    return hasWorkers
      ? undefined
      : "This runtime has no permissioned workers (--unstable-worker-options)";
  }

  #missingVariable(entry: ToolEntry): string | undefined {
    for (const wanted of entry.requiresEnv) {
      const names = typeof wanted === "string" ? [wanted] : wanted;
      if (names.some((name) => this.#options.environment(name))) continue;
      return `Environment variable ${names.join(" or ")} is not set, or may not be read here`;
    }
    return undefined;
  }

  #missingThing(entry: ToolEntry): string | undefined {
    const bin = entry.requires.bins?.find((name) => !this.#hasProgram(name));
    if (bin !== undefined) return `Program "${bin}" is not on the PATH`;
    const file = entry.requires.files?.find((path) =>
      !exists(resolve(this.#options.workspace, path))
    );
    return file === undefined ? undefined : `File "${file}" does not exist`;
  }

  #hasProgram(name: string): boolean {
    if (isAbsolute(name)) return exists(name);
    const folders = (this.#options.environment("PATH") ?? "").split(delimiter);
    return folders.some((folder) => folder !== "" && exists(join(folder, name)));
  }

  #fresh(entry: ToolEntry): Availability | undefined {
    const verdict = this.#verdicts.get(entry);
    return verdict && Date.now() - verdict.checkedAt! < VERDICT_MS ? verdict : undefined;
  }

  #ask(entry: ToolEntry): Promise<Availability> {
    const running = this.#running.get(entry) ?? this.#runCheck(entry);
    this.#running.set(entry, running);
    return running;
  }

  async #runCheck(entry: ToolEntry): Promise<Availability> {
    const { handler } = entry;
    if (handler.kind !== "module") return { available: true };
    const { planner, pool, config } = this.#options;
    const { grants } = planner.plan(entry).plan;
    const placement = planner.placement(this.#options.snapshot(), entry);
    const said = await pool.check(
      { module: handler, grants, placement },
      { tool: handler.export, env: grants.env, config: config.tools?.[entry.name] ?? {} },
      CHECK_MS,
    );
    const verdict = { ...said, checkedAt: Date.now() };
    if (this.#verdicts.get(entry)?.available !== verdict.available) this.#epoch++;
    this.#verdicts.set(entry, verdict);
    this.#running.delete(entry);
    return verdict;
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
