import { registry, toolResult } from "@cloister/cloister/tool";

registry.register({
  name: "word_count",
  toolset: "text",
  description: "Count words in a file of the workspace.",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  permissions: { read: ["$WORKSPACE"] }, // unset or {} means nothing at all
  emoji: "🔢",
  handler: async ({ path }, context) =>
    toolResult({ words: (await Deno.readTextFile(context.resolve(path))).split(/\s+/).length }),
});
