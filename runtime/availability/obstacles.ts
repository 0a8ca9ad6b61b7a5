/**
 * What keeps a tool from being used, as far as can be seen without running any of its code.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import { hasNames, NAMES_UNSAFE } from "../../core/host_names.ts";
import type { RuntimeCells } from "../cells.ts";
import type { Config } from "../config.ts";
import type { HostEnvironment } from "../host_environment.ts";
import type { ToolPlanner } from "../tool_planner.ts";
import { LocalFacts } from "./local_facts.ts";

/** What obstacles are looked for with. */
export interface ObstacleOptions {
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** The operator's configuration. */
  readonly config: Config;
  /** Reads environment variables. */
  readonly environment: HostEnvironment;
  /** Whether processes can be started. */
  readonly hasCells: boolean;
  /** What cells share; absent where none can be started. */
  readonly cells?: Pick<RuntimeCells, "namesSafe" | "namesFoundUnsafe">;
  /** Whether permissioned workers can be started in this very process. */
  readonly hasWorkers: boolean;
  /** The workspace, for relative file requirements. */
  readonly workspace: string;
}

/** Finds what keeps tools from being used: isolation, variables, programs, files, the operator's word. */
export class Obstacles {
  readonly #options: ObstacleOptions;

  /**
   * Makes a finder.
   *
   * @param options What it looks with.
   */
  constructor(options: ObstacleOptions) {
    this.#options = options;
  }

  /**
   * Begins a look at many tools.
   *
   * @returns What is on this machine; nothing has been looked at yet.
   */
  facts(): LocalFacts {
    return new LocalFacts(this.#options.environment, this.#options.workspace);
  }

  /**
   * What keeps a tool from being used.
   *
   * @param entry The tool.
   * @param facts What has been looked at on this machine. @default {nothing}
   * @returns The reason, or `undefined`.
   */
  find(entry: ToolEntry, facts?: LocalFacts): string | undefined {
    return this.#missingIsolation(entry) ?? this.#missingVariable(entry) ??
      this.#missingThing(entry, facts) ?? this.#options.planner.plan(entry).plan.refused[0] ??
      this.#unsafeName(entry);
  }

  /**
   * Finds out what takes a process and is told by `find` from then on; only for tools that it matters to.
   *
   * @param entry The tool.
   * @returns When it is known; `undefined` when there is nothing to find out.
   */
  findOut(entry: ToolEntry): Promise<unknown> | undefined {
    const { planner, cells } = this.#options;
    if (entry.handler.kind === "inline" || cells === undefined) return undefined;
    const { grants, argumentGrants } = planner.plan(entry).plan;
    const matters = hasNames(grants.net) || argumentGrants.some(({ kind }) => kind === "net");
    return matters ? cells.namesSafe() : undefined;
  }

  #unsafeName(entry: ToolEntry): string | undefined {
    const { planner, cells } = this.#options;
    if (entry.handler.kind === "inline" || !cells?.namesFoundUnsafe) return undefined;
    return hasNames(planner.plan(entry).plan.grants.net) ? NAMES_UNSAFE : undefined;
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

  #missingThing({ requires }: ToolEntry, known: LocalFacts | undefined): string | undefined {
    const { bins, files } = requires;
    if (!bins && !files) return undefined;
    const facts = known ?? this.facts();
    const bin = bins?.find((name) => !facts.hasProgram(name));
    if (bin !== undefined) return `Program "${bin}" is not on the PATH`;
    const file = files?.find((path) => !facts.hasFile(path));
    return file === undefined ? undefined : `File "${file}" does not exist`;
  }
}
