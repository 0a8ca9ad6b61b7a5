import { registry } from "@cloister/cloister/tool";

registry.register({
  name: "echo",
  toolset: "bench",
  description: "Gives the text back.",
  schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  outputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: ({ text }) => ({ text }),
});
