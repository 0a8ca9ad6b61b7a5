/**
 * What became of a tool whose files were looked at again: what was offered to the model must be what runs.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { DiscoveredModule } from "../registry/discovery_types.ts";

/**
 * Compares a tool with what its file declares now.
 *
 * @param before The tool, as it was called.
 * @param now The tool of that name in the table now.
 * @param module Its file, as it is now.
 * @returns Why the call may not run; `undefined` when declaration and grants are the same.
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

/**
 * Whether two tools run the same bytes.
 *
 * @param before The tool, as it was called.
 * @param now The tool of that name in the table now.
 * @returns True when both are modules with the same hash.
 */
export function runsSameBytes(before: ToolEntry, now: ToolEntry | undefined): boolean {
  return before.handler.kind === "module" && now?.handler.kind === "module" &&
    before.handler.integrity === now.handler.integrity;
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
