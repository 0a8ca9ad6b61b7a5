/**
 * Which MCP servers belong to which runtime.
 * @module
 */
import type { Runtime } from "../runtime/runtime_types.ts";
import type { McpServers } from "./mcp_servers.ts";

const hubs = new WeakMap<Runtime, McpServers>();

/**
 * The MCP servers of a runtime.
 *
 * @param runtime The runtime.
 * @returns Its servers; `undefined` when its configuration names none, or they are off.
 */
export function mcpServersOf(runtime: Runtime): McpServers | undefined {
  return hubs.get(runtime);
}

/**
 * Notes a runtime's servers.
 *
 * @param runtime The runtime.
 * @param servers Its servers.
 */
export function noteServers(runtime: Runtime, servers: McpServers): void {
  hubs.set(runtime, servers);
}
