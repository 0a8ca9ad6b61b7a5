import { registry } from "@cloister/cloister/tool";
import { sampleRecords } from "./_sample_records.ts";

const made = new Map<number, ReturnType<typeof sampleRecords>>();

registry.register({
  name: "records",
  toolset: "bench",
  description: "Gives records of about so many characters.",
  schema: { type: "object", properties: { chars: { type: "integer" } }, required: ["chars"] },
  maxResultSizeChars: Infinity,
  handler: ({ chars }) => {
    const value = made.get(chars) ?? sampleRecords(chars);
    made.set(chars, value);
    return { ...value };
  },
});
