/**
 * What tools say of themselves each time a list is made: asked in parallel, with little time, and checked.
 * @module
 */
import type { SchemaOverrides } from "../core/context.ts";
import type { ToolEntry } from "../core/entry.ts";
import { within } from "../workers/deadline.ts";
import type { Clock } from "../registry/availability/clock.ts";
import { questionRestMs } from "../registry/availability/verdict_cache.ts";
import type { OverrideSource } from "./definition_service.ts";
import { type AskOptions, askTool, type Question } from "./ask_overrides.ts";
import { readOverrides } from "./read_overrides.ts";

/** How long a tool has, from when it was asked, in milliseconds. */
const ANSWER_MS = 250;
/** How long the first list waits for a worker to be there, in milliseconds. */
const START_MS = 5_000;
/** How many answers of a tool are kept: each list of tools may get another one. */
const KEPT_ANSWERS = 8;

/** What overrides are asked with. */
export interface SchemaOverrideOptions extends AskOptions {
  /** Tells the time. */
  readonly clock: Clock;
  /** Receives what went wrong. */
  readonly onWarning: (message: string) => void;
}

type Answer = { readonly good?: SchemaOverrides; readonly fault?: string };

interface GoodAnswer {
  readonly overrides: SchemaOverrides;
  /** When it was asked for, on the clock that only grows. */
  readonly at: number;
}

interface Known {
  /** Last good answers, by what was asked. */
  readonly good: Map<string, GoodAnswer>;
  readonly running: Map<string, Question<Answer>>;
  asked: boolean;
  warned?: string;
}

/** Asks tools for their descriptions and schemas, and keeps the last good answers. */
export class SchemaOverridesSource implements OverrideSource {
  readonly #options: SchemaOverrideOptions;
  readonly #known = new WeakMap<ToolEntry, Known>();

  /**
   * Makes a source that has asked nobody yet.
   *
   * @param options What it works with.
   */
  constructor(options: SchemaOverrideOptions) {
    this.#options = options;
  }

  /**
   * Asks tools, in parallel.
   *
   * @param entries The tools.
   * @param tools Names of all tools of the list.
   * @returns What those said that said something usable. Never rejects.
   */
  async ask(
    entries: readonly ToolEntry[],
    tools: readonly string[],
  ): Promise<ReadonlyMap<ToolEntry, SchemaOverrides>> {
    const said = new Map<ToolEntry, SchemaOverrides>();
    const restMs = questionRestMs(entries.filter(isInWorker).length);
    await Promise.all(entries.map(async (entry) => {
      const overrides = await this.#askOne(entry, tools, isInWorker(entry) ? restMs : 0);
      if (overrides) said.set(entry, overrides);
    }));
    return said;
  }

  async #askOne(
    entry: ToolEntry,
    tools: readonly string[],
    restMs: number,
  ): Promise<SchemaOverrides | undefined> {
    const known = this.#know(entry);
    const key = tools.join("\n");
    const last = known.good.get(key);
    if (last && this.#options.clock.now() - last.at < restMs) return last.overrides;
    const question = known.running.get(key) ?? this.#begin(entry, tools, key, known);
    const answer = await this.#wait(question, known, known.good.has(key));
    if (answer?.good) {
      known.warned = undefined;
      return answer.good;
    }
    if (answer) {
      this.#warn(entry, known, `${answer.fault}. Its own description and schema are used`);
      return undefined;
    }
    const instead = last ? "Its last answer is used" : "Its own description and schema are used";
    const late = `dynamicSchemaOverrides did not answer within ${ANSWER_MS} ms`;
    this.#warn(entry, known, `${late}. ${instead}`);
    return last?.overrides;
  }

  #know(entry: ToolEntry): Known {
    const known = this.#known.get(entry) ??
      { good: new Map(), running: new Map(), asked: false } satisfies Known;
    this.#known.set(entry, known);
    return known;
  }

  // A tool that is slow to answer is not asked the same again before it has.
  #begin(
    entry: ToolEntry,
    tools: readonly string[],
    key: string,
    known: Known,
  ): Question<Answer> {
    const at = this.#options.clock.now();
    const { asked, answer } = askTool(entry, tools, this.#options);
    const checked = answer.then((given): Answer => {
      known.running.delete(key);
      const read = given.ok ? readOverrides(given.overrides, entry.name) : given;
      if (!read.ok) return { fault: read.reason };
      known.good.delete(key);
      if (known.good.size >= KEPT_ANSWERS) known.good.delete(known.good.keys().next().value!);
      known.good.set(key, { overrides: read.overrides, at });
      return { good: read.overrides };
    });
    const question = { asked, answer: checked };
    known.running.set(key, question);
    return question;
  }

  // A worker takes longer to start than a tool has to answer: the very first list waits for it.
  async #wait(
    { asked, answer }: Question<Answer>,
    known: Known,
    hasLast: boolean,
  ): Promise<Answer | undefined> {
    const isFirst = !known.asked && !hasLast;
    known.asked = true;
    if (isFirst) await within(Promise.race([asked, answer]), START_MS);
    return await within(answer, ANSWER_MS);
  }

  #warn(entry: ToolEntry, known: Known, message: string): void {
    if (known.warned === message) return;
    known.warned = message;
    this.#options.onWarning(`Tool "${entry.name}": ${message}`);
  }
}

function isInWorker({ handler }: ToolEntry): boolean {
  return handler.kind === "module";
}
