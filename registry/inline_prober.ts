/**
 * The prober of a table that no runtime has taken over: it runs the checks of inline tools in place.
 * @module
 */
import type { CheckContext, CheckResult } from "../core/context.ts";
import type { ToolEntry } from "../core/entry.ts";
import type { Availability, Prober } from "./prober.ts";

type Check = (context: CheckContext) => CheckResult | Promise<CheckResult>;

const ALWAYS: Availability = Object.freeze({ available: true });
const NOT_KNOWN: Availability = Object.freeze({
  available: false,
  reason: "Not known: the check runs in a worker, and no runtime uses this table",
});

/** Runs the checks of inline tools where it is; a check that is running is shared by all who ask. */
export class InlineProber implements Prober {
  #verdicts = new WeakMap<Check, Availability>();
  readonly #running = new Map<Check, Promise<Availability>>();

  /**
   * Runs the tool's check.
   *
   * @param entry The tool.
   * @returns The verdict; a check that throws makes the tool unavailable, with the reason.
   */
  probe(entry: ToolEntry): Promise<Availability> {
    if (!entry.hasCheckFn) return Promise.resolve(ALWAYS);
    const check = checkOf(entry);
    if (!check) return Promise.resolve(NOT_KNOWN);
    const running = this.#running.get(check) ?? this.#run(check);
    this.#running.set(check, running);
    return running;
  }

  /**
   * The last verdict of the tool's check.
   *
   * @param entry The tool.
   * @returns The verdict, or `undefined` when the check has not run.
   */
  peek(entry: ToolEntry): Availability | undefined {
    if (!entry.hasCheckFn) return ALWAYS;
    const check = checkOf(entry);
    return check && this.#verdicts.get(check);
  }

  /** Forgets every verdict. */
  invalidate(): void {
    this.#verdicts = new WeakMap();
  }

  async #run(check: Check): Promise<Availability> {
    const verdicts = this.#verdicts;
    // Later, so that `probe` has noted this run before the check is called.
    await Promise.resolve();
    const verdict = await judge(check);
    verdicts.set(check, verdict);
    this.#running.delete(check);
    return verdict;
  }
}

function checkOf(entry: ToolEntry): Check | undefined {
  return entry.handler.kind === "inline" ? entry.handler.checkFn : undefined;
}

async function judge(check: Check): Promise<Availability> {
  const checkedAt = Date.now();
  try {
    return verdictOf(await check(emptyContext()), checkedAt);
  } catch (error) {
    return { available: false, reason: `The check failed: ${describe(error)}`, checkedAt };
  }
}

function verdictOf(result: CheckResult, checkedAt: number): Availability {
  if (typeof result !== "object" || result === null) {
    return { available: Boolean(result), checkedAt };
  }
  const available = Boolean(result.available);
  return result.reason === undefined
    ? { available, checkedAt }
    : { available, reason: String(result.reason), checkedAt };
}

function emptyContext(): CheckContext {
  return {
    signal: new AbortController().signal,
    config: Object.freeze({}),
    env: () => undefined,
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
