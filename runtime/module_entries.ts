/**
 * From a module's tools to entries of the table.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { DiscoveredModule, DiscoveredTool } from "../registry/discovery_types.ts";
import { createModuleEntry } from "../registry/entry.ts";

/**
 * Whether a tool is of a module as it is now.
 *
 * @param entry The tool.
 * @param module The module.
 * @returns False also when the module has changed since.
 */
export function isEntryOf({ handler }: ToolEntry, { admitted }: DiscoveredModule): boolean {
  return handler.kind === "module" && handler.integrity === admitted?.integrity;
}

/**
 * Makes the table's entries of a module. A declaration that the table refuses, such as a toolset that belongs to a
 * server, costs its module only.
 *
 * @param module The module.
 * @returns Its entries; the module as failed, when one is refused.
 */
export function entriesOf(module: DiscoveredModule): ToolEntry[] | DiscoveredModule {
  const entries: ToolEntry[] = [];
  for (const tool of module.tools) {
    try {
      entries.push(entryOf(module, tool));
    } catch (error) {
      const { path, diagnostics } = module;
      const { line, column } = tool;
      const { message } = error as Error;
      const fault = {
        severity: "error",
        code: "entry_refused",
        message,
        path,
        line,
        column,
      } as const;
      const { admitted: _, ...rest } = module;
      return { ...rest, status: "failed", tools: [], diagnostics: [...diagnostics, fault] };
    }
  }
  return entries;
}

function entryOf(module: DiscoveredModule, tool: DiscoveredTool): ToolEntry {
  const { url, integrity, folder } = module.admitted!;
  return createModuleEntry(tool.declaration, {
    owner: module.root.owner,
    handler: {
      kind: "module",
      url,
      integrity,
      export: tool.declaration.name,
      folder,
    },
    source: { kind: "file", path: module.path, line: tool.line, column: tool.column },
  });
}
