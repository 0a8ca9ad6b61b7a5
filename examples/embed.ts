/**
 * Uses the tools from a program. In the checkout:
 *
 *     deno run $(deno task -q cli permissions) examples/embed.ts
 *
 * @module
 */
import { createRuntime, ToolRegistry } from "@cloister/cloister";

const registry = new ToolRegistry();
// This handler is part of the program: it runs in this process, with this process's permissions.
registry.register({
  name: "shout",
  toolset: "text",
  description: "Write a text in capitals.",
  schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: ({ text }) => text.toUpperCase(),
});

// The built-in tools and those of ./tools are found beside it; their handlers run in cells.
await using runtime = await createRuntime({ registry });

const { tools } = await runtime.getDefinitions({ toolsets: ["file", "text"] });
console.log("for the model:", tools.map((tool) => tool.function.name).join(", "));

const results = [
  await runtime.dispatch("shout", { text: "hello" }),
  await runtime.dispatch("read_file", { path: "deno.json", limit: 2 }),
  await runtime.dispatch("read_file", '{"path": "/etc/hostname"}'),
];
for (const result of results) {
  console.log(result.ok ? result.content : `${result.error.code}: ${result.error.message}`);
}
