/**
 * The one fixture that runs in the server's own process, because it changes the server's table, which no code in a
 * worker can. All others are sandboxed tool files.
 * @module
 */
import type { ToolRegistry } from "../../registry/tool_registry.ts";

/**
 * Registers `test_trigger_tool_change`.
 *
 * @param registry The table of the server.
 */
export function registerFrontTools(registry: ToolRegistry): void {
  let changes = 0;
  registry.register({
    name: "test_trigger_tool_change",
    toolset: "conformance",
    description: "Changes the list of tools.",
    schema: { type: "object", properties: {}, additionalProperties: false },
    handler: () => {
      // Each change differs from all before it: two that undo one another are none.
      registry.register({
        name: "test_changed_tool",
        toolset: "conformance",
        description: `Was changed ${++changes} times.`,
        schema: { type: "object", properties: {}, additionalProperties: false },
        handler: () => "Here",
      });
      return `Changed the list ${changes} times`;
    },
  });
}
