/**
 * Tool definitions for models.
 * @module
 */
import type { SchemaOverrides } from "../core/context.ts";
import type { ToolEntry } from "../core/entry.ts";
import { projectEntry } from "../registry/dialects/project_entry.ts";
import { projectSchema } from "../registry/dialects/project_schema.ts";
import { longestName, nameTools } from "../registry/dialects/provider_names.ts";
import { writeDefinition } from "../registry/dialects/write_definition.ts";
import type { Availability } from "../registry/prober.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import { FrozenMap } from "./frozen_map.ts";
import type { DefinitionOf, Definitions, Dialect, Loss, Omission } from "./runtime_types.ts";

/** Says whether a tool can be used now. */
export type JudgeTool = (entry: ToolEntry) => Availability | Promise<Availability>;

/** What the definitions are made from. */
export interface DefinitionInput {
  /** The table. */
  readonly snapshot: RegistrySnapshot;
  /** Which tools. */
  readonly selection: BoundSelection;
  /** Says whether a tool can be used now. */
  readonly judge: JudgeTool;
}

/** A tool that is offered. */
interface OfferedTool {
  readonly entry: ToolEntry;
  /** The provider's name of it. */
  readonly name: string;
}

/** Everything about a list but what tools say of themselves anew each time. */
export interface PreparedDefinitions {
  /** The generation of the table. */
  readonly generation: number;
  /** The tools that are offered, sorted by their names in the table. */
  readonly offered: readonly OfferedTool[];
  /** Those of them that are asked for their description and schema each time. */
  readonly dynamic: readonly ToolEntry[];
  /** The tools that are left out. */
  readonly omitted: readonly Omission[];
}

const NO_OVERRIDES: ReadonlyMap<ToolEntry, SchemaOverrides> = new Map();
const allNames = new WeakMap<RegistrySnapshot, Map<number, ReadonlyMap<string, string>>>();

/**
 * Finds out which tools a list offers.
 *
 * @param input The table, the selection, and who judges availability.
 * @param dialect How definitions are written.
 * @returns What the list is written from.
 */
export async function prepareDefinitions(
  { snapshot, selection, judge }: DefinitionInput,
  dialect: Dialect,
): Promise<PreparedDefinitions> {
  const entries = snapshot.entries().filter(({ name }) => selection.has(snapshot, name));
  const verdicts = await Promise.all(entries.map(judge));
  const names = namesOf(snapshot, longestName(dialect));
  const omitted: Omission[] = [...selection.refused(snapshot)];
  const offered: OfferedTool[] = [];
  entries.forEach((entry, index) => {
    const name = names.get(entry.name);
    const reason = whyOmitted(entry, verdicts[index]!, name, dialect);
    if (reason === undefined) offered.push({ entry, name: name! });
    else omitted.push({ name: entry.name, reason });
  });
  return {
    generation: snapshot.generation,
    offered,
    dynamic: offered.map(({ entry }) => entry).filter(({ hasDynamicSchema }) => hasDynamicSchema),
    omitted,
  };
}

/**
 * Writes a list.
 *
 * @param prepared What it is written from.
 * @param dialect How definitions are written.
 * @param overrides What tools say of themselves; the names of the table hold whatever they say.
 * @returns The definitions, frozen, and what was left out and lost.
 */
export function writeDefinitions<D extends Dialect>(
  prepared: PreparedDefinitions,
  dialect: D,
  overrides: ReadonlyMap<ToolEntry, SchemaOverrides> = NO_OVERRIDES,
): Definitions<D> {
  const omitted: Omission[] = [...prepared.omitted];
  const names = new Map<string, string>();
  const tools: DefinitionOf<D>[] = [];
  const losses: Loss[] = [];
  for (const { entry, name } of prepared.offered) {
    const { description = entry.description, parameters } = overrides.get(entry) ?? {};
    const written = parameters ? projectSchema(parameters, dialect) : projectEntry(entry, dialect);
    if (!written.ok) {
      omitted.push({ name: entry.name, reason: written.reason });
      continue;
    }
    names.set(name, entry.name);
    tools.push(writeDefinition({ entry, name, description, schema: written.schema }, dialect));
    losses.push(...written.losses.map((loss) => Object.freeze({ name: entry.name, ...loss })));
  }
  return Object.freeze({
    generation: prepared.generation,
    tools: Object.freeze(tools),
    names: new FrozenMap(names),
    omitted: Object.freeze(omitted.map(freeze).sort((a, b) => a.name < b.name ? -1 : 1)),
    losses: Object.freeze(losses),
  });
}

/**
 * Makes the definitions of a selection, without asking tools about themselves.
 *
 * @param input The table, the selection, and who judges availability.
 * @param dialect How definitions are written.
 * @returns The definitions, frozen, and what was left out.
 */
export async function makeDefinitions<D extends Dialect>(
  input: DefinitionInput,
  dialect: D,
): Promise<Definitions<D>> {
  return writeDefinitions(await prepareDefinitions(input, dialect), dialect);
}

function freeze(omission: Omission): Omission {
  return Object.freeze(omission);
}

// Over the whole table: a name must not depend on what is selected.
function namesOf(snapshot: RegistrySnapshot, longest: number): ReadonlyMap<string, string> {
  const known = allNames.get(snapshot) ?? new Map<number, ReadonlyMap<string, string>>();
  allNames.set(snapshot, known);
  const names = known.get(longest) ?? nameTools(snapshot.names(), longest);
  known.set(longest, names);
  return names;
}

function whyOmitted(
  entry: ToolEntry,
  verdict: Availability,
  name: string | undefined,
  dialect: Dialect,
): string | undefined {
  if (!verdict.available) return verdict.reason ?? "Its check says that it is not available";
  if (name === undefined) return "No name that providers take is left for it";
  // A tool that is asked each time may yet give a schema that can be written.
  const projection = entry.hasDynamicSchema ? undefined : projectEntry(entry, dialect);
  return projection && !projection.ok ? projection.reason : undefined;
}
