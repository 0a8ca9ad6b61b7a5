/**
 * The check functions of tools, each where it runs: in the tool's own worker, or in this process for a tool that
 * the program links itself.
 * @module
 */
import type { CheckContext } from "../../core/context.ts";
import type { ModuleHandler, ToolEntry } from "../../core/entry.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Check, CheckAnswer } from "../../registry/availability/check.ts";
import { checkKeyOf } from "../../registry/availability/check_key.ts";
import { runInlineCheck } from "../../registry/availability/inline_check.ts";
import { CHECK_DEADLINE_MS } from "../../registry/availability/verdict_cache.ts";
import type { RegistrySnapshot } from "../../registry/snapshot.ts";
import type { Config } from "../config.ts";
import { sanitiseErrorText } from "../error_text.ts";
import type { HostEnvironment } from "../host_environment.ts";
import type { CallPool } from "../lazy_pool.ts";
import { snapshotWith } from "../snapshot_with.ts";
import type { ToolPlanner } from "../tool_planner.ts";

/** What checks are asked with. */
export interface ToolCheckOptions {
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Runs checks in workers. */
  readonly pool: Pick<CallPool, "check">;
  /** The operator's configuration. */
  readonly config: Config;
  /** Reads environment variables, for tools that run in this process. */
  readonly environment: HostEnvironment;
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
}

/** The checks of tools. */
export class ToolChecks {
  readonly #options: ToolCheckOptions;
  readonly #checks = new WeakMap<ToolEntry, Check>();

  /**
   * Makes the checks available to be asked.
   *
   * @param options What they are asked with.
   */
  constructor(options: ToolCheckOptions) {
    this.#options = options;
  }

  /**
   * The check of a tool.
   *
   * @param entry A tool that has one.
   * @returns The check.
   */
  of(entry: ToolEntry): Check {
    const known = this.#checks.get(entry);
    if (known) return known;
    const check: Check = {
      key: checkKeyOf(entry, this.#setting(entry)),
      label: entry.name,
      inWorker: entry.handler.kind === "module",
      run: (signal) => this.#run(entry, signal),
    };
    this.#checks.set(entry, check);
    return check;
  }

  // With other grants, or another section of the configuration, the same function may say something else.
  #setting(entry: ToolEntry): string {
    const { grants } = this.#options.planner.plan(entry).plan;
    const config = this.#config(entry);
    return JSON.stringify(
      entry.handler.kind === "inline" ? [config, grants.env] : [config, grants],
    );
  }

  #config({ name }: ToolEntry): JsonObject {
    return this.#options.config.tools?.[name] ?? {};
  }

  #run(entry: ToolEntry, signal: AbortSignal): Promise<CheckAnswer> {
    const { handler } = entry;
    return handler.kind === "inline"
      ? runInlineCheck(handler, this.#inlineContext(entry, signal))
      : this.#runInWorker(entry, handler);
  }

  async #runInWorker(entry: ToolEntry, handler: ModuleHandler): Promise<CheckAnswer> {
    const { planner, pool } = this.#options;
    const { grants } = planner.plan(entry).plan;
    const answer = await pool.check(
      {
        module: planner.module(entry),
        grants,
        placement: planner.placement(snapshotWith(entry, this.#options.snapshot()), entry),
      },
      { tool: handler.export, env: grants.env, config: this.#config(entry) },
      CHECK_DEADLINE_MS,
    );
    const { reason } = answer;
    return reason === undefined ? answer : { ...answer, reason: sanitiseErrorText(reason) };
  }

  #inlineContext(entry: ToolEntry, signal: AbortSignal): CheckContext {
    const granted = this.#options.planner.plan(entry).plan.grants.env;
    return Object.freeze({
      signal,
      config: Object.freeze({ ...this.#config(entry) }),
      env: (name: string): string | undefined => {
        if (granted.includes(name)) return this.#options.environment(name);
        throw new ToolError(
          `Cannot read environment variable "${name}": add it to permissions.env of the tool`,
        );
      },
    });
  }
}
