/**
 * The one fixture that runs in the server's own process, because it changes the server's table, which no code in a
 * worker can. All others are sandboxed tool files.
 * @module
 */
import type { ToolRegistry } from "../../registry/tool_registry.ts";

const ADDED = "test_added_tool";

/**
 * Registers `test_trigger_tool_change`.
 *
 * @param registry The table of the server.
 */
export function registerFrontTools(registry: ToolRegistry): void {
  registry.register({
    name: "test_trigger_tool_change",
    toolset: "conformance",
    description: "Adds a tool to the list, or takes it out again.",
    schema: { type: "object", properties: {}, additionalProperties: false },
    handler: () => {
      if (registry.deregister(ADDED)) return `Removed ${ADDED}`;
      registry.register({
        name: ADDED,
        toolset: "conformance",
        description: "Is there, or is not.",
        schema: { type: "object", properties: {}, additionalProperties: false },
        handler: () => "Here",
      });
      return `Added ${ADDED}`;
    },
  });
}
