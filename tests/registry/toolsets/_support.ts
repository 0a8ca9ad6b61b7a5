/** What the tests of toolsets share. */
import type { OwnToolset } from "../../../registry/toolsets/composition.ts";
import { isSelected, selectTools } from "../../../registry/toolsets/tool_selection.ts";
import type { ToolsetSelection } from "../../../registry/toolsets/tool_selection.ts";
import { ToolsetCatalogue } from "../../../registry/toolsets/toolset_catalogue.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import { tool } from "../table_support.ts";

/** A table and its toolsets. */
export interface Toolsets {
  readonly table: ToolRegistry;
  readonly catalogue: ToolsetCatalogue;
  /** The tools of a toolset. */
  tools(name: string): readonly string[];
  /** The tools of a selection. */
  select(selection: ToolsetSelection): readonly string[];
}

/** A table with the tools of a map from toolset to names, and the operator's toolsets. */
export function toolsets(
  registered: { readonly [toolset: string]: readonly string[] },
  own: { readonly [name: string]: OwnToolset } = {},
): Toolsets {
  const table = new ToolRegistry({ onEvent: () => {} });
  for (const [toolset, names] of Object.entries(registered)) {
    for (const name of names) table.register(tool(name, { toolset }));
  }
  const catalogue = new ToolsetCatalogue({ own, aliases: table });
  return {
    table,
    catalogue,
    tools: (name) => catalogue.resolve(table.snapshot(), name).tools,
    select: (selection) => {
      const snapshot = table.snapshot();
      const selected = selectTools(selection, catalogue, snapshot);
      return snapshot.names().filter((name) => isSelected(selected, name));
    },
  };
}

/** The package's own tools. */
export const SHIPPED: { readonly [toolset: string]: readonly string[] } = {
  file: ["read_file", "write_file", "patch", "search_files"],
  terminal: ["terminal"],
  web: ["web_extract"],
};
