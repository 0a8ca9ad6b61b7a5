import { registry, toolResult } from "@cloister/cloister/tool";

registry.register({
  name: "echo_process",
  toolset: "bench",
  description: "Gives the text back, from a cell of its own.",
  schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  isolation: "process",
  handler: ({ text }) => toolResult({ text }),
});
