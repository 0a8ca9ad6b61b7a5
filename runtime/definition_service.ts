/**
 * Lists of definitions: remembered while they hold, except for what tools say of themselves each time.
 * @module
 */
import type { SchemaOverrides } from "../core/context.ts";
import type { ToolEntry } from "../core/entry.ts";
import { DIALECTS } from "../registry/dialects/dialect_names.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import type { AvailabilityProber } from "./availability.ts";
import { type DefinitionKey, DefinitionMemo } from "./definition_memo.ts";
import type { PreparedDefinitions } from "./definitions.ts";
import type { Definitions, Dialect } from "./runtime_types.ts";
import type { SelectionReporter } from "./selection_reporter.ts";

/** How often the table may change while its modules are tried, before it is taken as it is. */
const MOST_ROUNDS = 3;

/** Asks tools about themselves. */
export interface OverrideSource {
  /**
   * Asks tools for their descriptions and schemas.
   *
   * @param entries The tools.
   * @param tools Names of all tools of the list.
   * @returns What those said that said something usable.
   */
  ask(
    entries: readonly ToolEntry[],
    tools: readonly string[],
  ): Promise<ReadonlyMap<ToolEntry, SchemaOverrides>>;
}

/** What a service works with. */
export interface DefinitionServiceOptions {
  /** The table. */
  readonly registry: ToolRegistry;
  /** Judges availability. */
  readonly availability: AvailabilityProber;
  /** Says what is odd about selections. */
  readonly reporter: SelectionReporter;
  /** Makes sure that the modules of tools load; takes out of the table what does not. */
  readonly verify: (entries: readonly ToolEntry[]) => Promise<void>;
  /** Says what the front knows of a tool and its file does not, such as where commands run. */
  readonly describe: (entry: ToolEntry) => Promise<SchemaOverrides> | undefined;
  /** Loads what asks tools about themselves. */
  readonly openOverrides: () => Promise<OverrideSource>;
  /** A time that only grows, in milliseconds. */
  readonly now: () => number;
}

interface Remembered {
  readonly prepared: PreparedDefinitions;
  list: Definitions<Dialect>;
  /** What the front says of tools. */
  readonly known: ReadonlyMap<ToolEntry, SchemaOverrides>;
  said?: ReadonlyMap<ToolEntry, SchemaOverrides>;
}

/** Makes lists of definitions. */
export class DefinitionService {
  readonly #options: DefinitionServiceOptions;
  readonly #memo: DefinitionMemo<Remembered>;
  #overrides: Promise<OverrideSource> | undefined;

  /**
   * Makes a service that remembers nothing yet.
   *
   * @param options What it works with.
   */
  constructor(options: DefinitionServiceOptions) {
    this.#options = options;
    this.#memo = new DefinitionMemo(options.now);
  }

  /**
   * The definitions of a selection.
   *
   * @param selection Which tools.
   * @param dialect How definitions are written.
   * @returns The definitions, frozen and shared between callers, and what was left out.
   * @throws {RangeError} If there is no such dialect.
   */
  async define<D extends Dialect>(selection: BoundSelection, dialect: D): Promise<Definitions<D>> {
    if (!DIALECTS.includes(dialect)) {
      const expected = DIALECTS.map((name) => `"${name}"`).join(", ");
      throw new RangeError(
        `Cannot write definitions in dialect "${dialect}": expected one of ${expected}`,
      );
    }
    const { registry, availability } = this.#options;
    const { generation } = registry;
    const key = { generation, epoch: availability.epoch, dialect, selection: selection.key };
    const known = this.#memo.get(key) ?? await this.#make(selection, dialect);
    const isStatic = known.prepared.dynamic.length === 0;
    return (isStatic ? known.list : await this.#refresh(known, dialect)) as Definitions<D>;
  }

  async #make(selection: BoundSelection, dialect: Dialect): Promise<Remembered> {
    const { availability, reporter } = this.#options;
    const { prepareDefinitions, writeDefinitions } = await import("./definitions.ts");
    const snapshot = await this.#verified(selection);
    const pass = availability.pass();
    await reporter.reportSelected(selection, snapshot);
    const judge = (entry: ToolEntry) => pass.probe(entry);
    const prepared = await prepareDefinitions({ snapshot, selection, judge }, dialect);
    const front = await this.#describe(prepared);
    const list = writeDefinitions(prepared, dialect, front);
    const made: Remembered = { prepared, known: front, list };
    const holds = snapshot.entries().filter(({ name }) => selection.has(snapshot, name))
      .reduce((least, entry) => Math.min(least, availability.holdsMs(entry)), Infinity);
    const { generation } = prepared;
    const key: DefinitionKey = {
      generation,
      epoch: availability.epoch,
      dialect,
      selection: selection.key,
    };
    this.#memo.set(key, made, holds);
    return made;
  }

  // With a tool that does not load another one of its name may come to light, which has to load in its turn.
  async #verified(selection: BoundSelection): Promise<RegistrySnapshot> {
    const { registry, verify } = this.#options;
    let snapshot = registry.snapshot();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await verify(snapshot.entries().filter(({ name }) => selection.has(snapshot, name)));
      const now = registry.snapshot();
      if (now === snapshot) break;
      snapshot = now;
    }
    return snapshot;
  }

  // The same words give the same list, so that whoever compares lists sees no change.
  async #refresh(known: Remembered, dialect: Dialect): Promise<Definitions<Dialect>> {
    const { writeDefinitions } = await import("./definitions.ts");
    const source = await (this.#overrides ??= this.#options.openOverrides());
    const { dynamic, offered } = known.prepared;
    const said = await source.ask(dynamic, offered.map(({ entry }) => entry.name));
    if (known.said && isUnchanged(known.said, said, dynamic)) return known.list;
    known.said = said;
    known.list = writeDefinitions(known.prepared, dialect, new Map([...known.known, ...said]));
    return known.list;
  }

  async #describe({ offered }: PreparedDefinitions): Promise<Remembered["known"]> {
    const known = new Map<ToolEntry, SchemaOverrides>();
    for (const { entry } of offered) {
      const said = this.#options.describe(entry);
      if (said) known.set(entry, await said);
    }
    return known;
  }
}

function isUnchanged(
  before: ReadonlyMap<ToolEntry, SchemaOverrides>,
  after: ReadonlyMap<ToolEntry, SchemaOverrides>,
  entries: readonly ToolEntry[],
): boolean {
  return entries.every((entry) =>
    JSON.stringify(before.get(entry)) === JSON.stringify(after.get(entry))
  );
}
