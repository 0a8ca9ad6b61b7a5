/**
 * The tool `write_file`: a whole file at once.
 * @module
 */
import { registry, ToolError, toolResult } from "@cloister/cloister/tool";
import { commit, refuseReadOnly, relativeName } from "./_commit.ts";
import { encodeText, lineCount } from "./_text.ts";
import { type Place, placeOf, regularFile } from "./_workspace.ts";

registry.register({
  name: "write_file",
  title: "Write a file",
  toolset: "file",
  description:
    "Write a whole text file of the workspace (UTF-8), replacing what was there; missing folders are made. " +
    "The file is replaced in one step and keeps its mode.",
  emoji: "✍️",
  schema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "File, relative to the workspace." },
      content: { type: "string", description: "The whole new content." },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  permissions: { read: ["$WORKSPACE"], write: ["$WORKSPACE"] },
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  handler: async ({ path, content }, context) => {
    const place = await placeOf(path, context);
    await refuseUnwritable(place, path, content);
    const bytes = encodeText(content, "utf-8");
    const change = { name: place.name, real: place.real, after: bytes, like: place.info };
    await commit([change], place.root, context);
    return toolResult({
      path: place.name,
      ...(place.link ? { link_target: relativeName(place.real, place.root) } : {}),
      status: place.info ? "overwritten" : "created",
      bytes: bytes.length,
      lines: lineCount(content),
      ...(place.info ? { previous_bytes: place.info.size } : {}),
    });
  },
});

async function refuseUnwritable(place: Place, path: string, content: string): Promise<void> {
  if (place.info) await regularFile(place);
  else if (/[\\/]$/.test(path)) {
    throw new ToolError(`Cannot write "${path}": it ends with a slash, a file name was expected`);
  }
  refuseReadOnly(place.name, place.info);
  if (!content.isWellFormed()) {
    throw new ToolError(
      `Cannot write "${place.name}": the content holds half a surrogate pair, which UTF-8 cannot store`,
    );
  }
}
