/**
 * Tool definitions for models.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import type { Availability } from "../registry/prober.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { Config } from "./config.ts";
import { FrozenMap } from "./frozen_map.ts";
import type {
  DefinitionOf,
  Definitions,
  Dialect,
  McpDefinition,
  Omission,
  OpenAIDefinition,
  Selection,
} from "./runtime_types.ts";

/** What OpenAI and others accept as a function's name. */
const PROVIDER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The dialects that there are. */
export const DIALECTS: readonly Dialect[] = Object.freeze(["openai", "mcp"]);

/**
 * What the configuration offers.
 *
 * @param config The configuration.
 * @returns The selection, with aliases as they were written.
 */
export function configuredSelection({ enabledToolsets, disabledToolsets }: Config): Selection {
  return {
    ...(enabledToolsets && { toolsets: enabledToolsets }),
    ...(disabledToolsets && { disabledToolsets }),
  };
}

/** Says whether a tool can be used now. */
export type JudgeTool = (entry: ToolEntry) => Availability | Promise<Availability>;

/** What the definitions are made from. */
export interface DefinitionInput {
  /** The table. */
  readonly snapshot: RegistrySnapshot;
  /** Which tools; aliases are resolved. */
  readonly selection: Selection;
  /** Says whether a tool can be used now. */
  readonly judge: JudgeTool;
}

/**
 * A selection with every alias next to the toolset that it stands for.
 *
 * @param selection The selection.
 * @param alias Gives the toolset of an alias.
 * @returns The selection.
 */
export function resolveAliases(
  selection: Selection,
  alias: (name: string) => string | undefined,
): Selection {
  const { toolsets, disabledToolsets } = selection;
  if (!toolsets && !disabledToolsets) return selection;
  const real = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => [name, alias(name) ?? []].flat());
  return {
    ...selection,
    ...(toolsets && { toolsets: real(toolsets) }),
    ...(disabledToolsets && { disabledToolsets: real(disabledToolsets) }),
  };
}

/**
 * Says of single tools whether a selection holds them; what is disabled is subtracted last.
 *
 * @param selection The selection, its aliases resolved.
 * @returns The test.
 */
export function selectionTest(selection: Selection): (entry: ToolEntry) => boolean {
  const chosen = selection.toolsets && new Set(selection.toolsets);
  const names = selection.names && new Set(selection.names);
  const disabled = new Set(selection.disabledToolsets);
  return (entry) => {
    if (disabled.has(entry.toolset)) return false;
    if (!chosen && !names) return true;
    return chosen?.has(entry.toolset) || names?.has(entry.name) || false;
  };
}

/**
 * The entries of a selection, sorted by name.
 *
 * @param snapshot The table.
 * @param selection The selection, its aliases resolved.
 * @returns The entries.
 */
export function selectEntries(
  snapshot: RegistrySnapshot,
  selection: Selection,
): readonly ToolEntry[] {
  return snapshot.names().map((name) => snapshot.get(name)!).filter(selectionTest(selection));
}

function toOpenAI(entry: ToolEntry): OpenAIDefinition {
  const { name, description, schema } = entry;
  return Object.freeze({
    type: "function",
    function: Object.freeze({ name, description, parameters: schema }),
  });
}

function toMcp(entry: ToolEntry): McpDefinition {
  const { name, title, description, schema, outputSchema, annotations } = entry;
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: schema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations: annotations as JsonObject }),
  });
}

/**
 * Makes the definitions of a selection.
 *
 * @param input The table, the selection, and who judges availability.
 * @param dialect How definitions are written.
 * @returns The definitions, frozen, and what was left out.
 */
export async function makeDefinitions<D extends Dialect>(
  input: DefinitionInput,
  dialect: D,
): Promise<Definitions<D>> {
  const entries = selectEntries(input.snapshot, input.selection);
  const verdicts = await Promise.all(entries.map(input.judge));
  const omitted: Omission[] = [];
  const names = new Map<string, string>();
  const tools: DefinitionOf<D>[] = [];
  entries.forEach((entry, index) => {
    const reason = whyOmitted(entry, verdicts[index]!, dialect);
    if (reason !== undefined) {
      omitted.push(Object.freeze({ name: entry.name, reason }));
      return;
    }
    names.set(entry.name, entry.name);
    tools.push((dialect === "mcp" ? toMcp(entry) : toOpenAI(entry)) as DefinitionOf<D>);
  });
  return Object.freeze({
    generation: input.snapshot.generation,
    tools: Object.freeze(tools),
    names: new FrozenMap(names),
    omitted: Object.freeze(omitted),
    losses: Object.freeze([]),
  });
}

function whyOmitted(
  entry: ToolEntry,
  verdict: Availability,
  dialect: Dialect,
): string | undefined {
  if (!verdict.available) return verdict.reason ?? "Its check says that it is not available";
  if (dialect === "mcp" || PROVIDER_NAME.test(entry.name)) return undefined;
  return `Its name is not of the form ${PROVIDER_NAME.source}`;
}
