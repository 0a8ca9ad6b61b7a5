/**
 * Makes a runtime; the code behind it is loaded only when somebody does.
 * @module
 */
import type { Runtime, RuntimeOptions } from "./runtime_types.ts";

/**
 * Makes a runtime: a table of tools together with what runs them. Dispose of it (`await using`) to end its
 * cells.
 *
 * @param options Table, folders, configuration.
 * @returns The runtime; its roots have been discovered unless `discover` is false.
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
  const { buildRuntime } = await import("./build_runtime.ts");
  return await buildRuntime(options);
}
