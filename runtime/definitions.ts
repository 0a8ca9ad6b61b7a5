/**
 * Tool definitions for models.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import type { Availability } from "../registry/prober.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import { FrozenMap } from "./frozen_map.ts";
import type {
  DefinitionOf,
  Definitions,
  Dialect,
  McpDefinition,
  Omission,
  OpenAIDefinition,
} from "./runtime_types.ts";

/** What OpenAI and others accept as a function's name. */
const PROVIDER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The dialects that there are. */
export const DIALECTS: readonly Dialect[] = Object.freeze(["openai", "mcp"]);

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
  const { snapshot, selection } = input;
  const entries = snapshot.entries().filter(({ name }) => selection.has(snapshot, name));
  const verdicts = await Promise.all(entries.map(input.judge));
  const omitted: Omission[] = [...selection.refused(snapshot)];
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
    omitted: Object.freeze(omitted.sort((a, b) => a.name < b.name ? -1 : 1)),
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
