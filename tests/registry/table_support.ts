/** What the tests of the table share. */
import type { ModuleHandler, Owner, ToolEntry } from "../../core/entry.ts";
import type { ToolRegistration } from "../../core/registration.ts";
import { createInlineEntry } from "../../registry/entry.ts";
import type { TableEvent } from "../../registry/table_event.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";

/** A registration with as little as possible in it. */
export function tool(name: string, more: Partial<ToolRegistration> = {}): ToolRegistration {
  return {
    name,
    toolset: "text",
    description: `The tool ${name}.`,
    schema: { type: "object" },
    handler: () => name,
    ...more,
  };
}

/** An entry of an owner. */
export function entry(name: string, owner: Owner, override = false): ToolEntry {
  return createInlineEntry(tool(name), owner, { override });
}

/** Where a module's handler is. */
export const MODULE: ModuleHandler = {
  kind: "module",
  url: "file:///store/a.ts",
  integrity: "aa",
  export: "alpha",
  folder: "/store",
};

/** A table together with what it said. */
export function loggedTable(): { readonly table: ToolRegistry; readonly events: TableEvent[] } {
  const events: TableEvent[] = [];
  return { table: new ToolRegistry({ onEvent: (event) => events.push(event) }), events };
}
