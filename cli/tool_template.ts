/**
 * The file that `cloister new` writes.
 * @module
 */

/**
 * The text of a first tool file: literal, without permissions, and complete.
 *
 * @param name The tool's name.
 * @param toolset The tool's toolset.
 * @param description What the tool does.
 * @returns TypeScript text.
 */
export function toolTemplate(name: string, toolset: string, description: string): string {
  return `import { registry, toolResult } from "@cloister/cloister/tool";

registry.register({
  name: ${JSON.stringify(name)},
  toolset: ${JSON.stringify(toolset)},
  description: ${JSON.stringify(description)},
  schema: {
    type: "object",
    properties: {
      text: { type: "string", description: "The text to work on." },
    },
    required: ["text"],
    additionalProperties: false,
  },
  // What the handler may touch, such as { read: ["$WORKSPACE"] }. Empty means nothing at all.
  permissions: {},
  annotations: { readOnlyHint: true },
  handler: ({ text }) => toolResult({ characters: text.length }),
});
`;
}
