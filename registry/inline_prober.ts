/**
 * The prober of a table that no runtime has taken over: it runs the checks of inline tools in place.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { Check } from "./availability/check.ts";
import { checkKeyOf } from "./availability/check_key.ts";
import type { Clock } from "./availability/clock.ts";
import { runInlineCheck } from "./availability/inline_check.ts";
import { VerdictCache } from "./availability/verdict_cache.ts";
import type { Availability, Prober } from "./prober.ts";

const ALWAYS: Availability = Object.freeze({ available: true });
const NOT_KNOWN: Availability = Object.freeze({
  available: false,
  reason: "Not known: the check runs in a worker, and no runtime uses this table",
});

/** Runs the checks of inline tools where it is, and remembers what they said for 30 seconds. */
export class InlineProber implements Prober {
  readonly #cache: VerdictCache;

  /**
   * Makes a prober that knows nothing yet.
   *
   * @param clock Tells the time. @default {the machine's clock}
   */
  constructor(clock?: Clock) {
    this.#cache = new VerdictCache({ clock });
  }

  /**
   * Says whether the tool can be used now; may run its check.
   *
   * @param entry The tool.
   * @returns The verdict; a check that throws makes the tool unavailable, with the reason.
   */
  async probe(entry: ToolEntry): Promise<Availability> {
    if (!entry.hasCheckFn) return ALWAYS;
    const check = checkOf(entry);
    return check ? await this.#cache.ask(check) : NOT_KNOWN;
  }

  /**
   * What is known of the tool, without running anything.
   *
   * @param entry The tool.
   * @returns The verdict, or `undefined` when its check would have to run.
   */
  peek(entry: ToolEntry): Availability | undefined {
    if (!entry.hasCheckFn) return ALWAYS;
    const check = checkOf(entry);
    return check && this.#cache.peek(check.key);
  }

  /** Forgets every verdict. */
  invalidate(): void {
    this.#cache.invalidate();
  }
}

function checkOf(entry: ToolEntry): Check | undefined {
  const { handler, name } = entry;
  if (handler.kind !== "inline") return undefined;
  return {
    key: checkKeyOf(entry),
    label: name,
    run: (signal) =>
      runInlineCheck(handler, { signal, config: Object.freeze({}), env: () => undefined }),
  };
}
