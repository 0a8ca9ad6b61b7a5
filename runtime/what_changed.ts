/**
 * Whether a tool still is what was offered.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { DiscoveredModule } from "../registry/discovery_types.ts";

/**
 * What is different about a tool: what was offered to the model must be what runs, its declaration and its grants.
 *
 * @param before The tool as it was offered.
 * @param now The tool as it is in the table.
 * @param module Its file as it is now.
 * @returns The difference in a sentence; `undefined` when there is none.
 */
export function whatChanged(
  before: ToolEntry,
  now: ToolEntry | undefined,
  module: DiscoveredModule,
): string | undefined {
  const file = `"${module.path}"`;
  if (!now) {
    const why = module.diagnostics.find(({ severity }) => severity === "error")?.message;
    return `Tool "${before.name}" changed: its file ${file} no longer registers it${
      why === undefined ? "" : ` (${why})`
    }`;
  }
  if (describe(before) === describe(now)) return undefined;
  return `Tool "${before.name}" changed: its file ${file} now declares something else. ` +
    "Ask for the definitions again before calling it";
}

function describe(entry: ToolEntry): string {
  const { name, toolset, description, schema, outputSchema, permissions, owner, annotations } =
    entry;
  return JSON.stringify([
    name,
    toolset,
    description,
    schema,
    outputSchema,
    permissions,
    owner,
    annotations,
    entry.isolation,
    entry.requiresEnv,
  ]);
}
