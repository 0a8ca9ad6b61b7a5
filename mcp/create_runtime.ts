/**
 * Makes a runtime that has the tools of MCP servers too; what is behind it is loaded only when it is needed.
 * @module
 */
import type { RuntimeExtension } from "../runtime/extension.ts";
import type { Runtime, RuntimeOptions } from "../runtime/runtime_types.ts";

/**
 * Makes a runtime: a table of tools together with what runs them. Dispose of it (`await using`) to end its
 * cells and its connections to MCP servers.
 *
 * @param options Table, folders, configuration.
 * @returns The runtime; its roots have been discovered unless `discover` is false, and the MCP servers of its
 * configuration were reached, or failed, unless `mcp` says otherwise.
 * @throws {Error} If Deno is too old, or the configuration has faults; the message holds each with its place.
 * @throws {Deno.errors.NotFound} If the workspace does not exist.
 *
 * @example Call a tool of the program's own
 * ```ts
 * import { createRuntime, ToolRegistry } from "@cloister/cloister";
 *
 * const registry = new ToolRegistry();
 * registry.register({
 *   name: "shout",
 *   toolset: "text",
 *   description: "Write a text in capitals.",
 *   schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
 *   handler: ({ text }) => text.toUpperCase(),
 * });
 * await using runtime = await createRuntime({ registry, discover: false });
 * const result = await runtime.dispatch("shout", { text: "hello" });
 * console.log(result.content); // HELLO
 * ```
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { buildRuntime } = await import("../runtime/build_runtime.ts");
  const { mcp = "wait" } = options;
  return await buildRuntime(options, undefined, mcp === "off" ? [] : [mcpExtension(mcp)]);
}

/**
 * What adds the MCP servers of the configuration to a runtime. A configuration without servers costs nothing.
 *
 * @param mode Whether the runtime waits until they were reached.
 * @param waitMs How long it waits at most, in milliseconds. @default {120_000}
 * @returns The extension.
 */
export function mcpExtension(
  mode: "wait" | "background",
  waitMs?: number,
): RuntimeExtension {
  return async (host) => {
    if (Object.keys(host.config.mcpServers ?? {}).length === 0) return undefined;
    const { joinServers } = await import("./join_servers.ts");
    return await joinServers(host, mode, waitMs);
  };
}
