import { registry } from "@cloister/cloister/tool";

registry.register({
  name: "spin",
  toolset: "bench",
  description: "Never ends.",
  schema: { type: "object", properties: {} },
  timeoutMs: 300,
  handler: () => {
    for (;;);
  },
});
