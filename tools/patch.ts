/**
 * The tool `patch`: changes parts of files.
 * @module
 */
import {
  type JsonValue,
  registry,
  type ToolContext,
  ToolError,
  toolResult,
} from "@cloister/cloister/tool";
import { commit } from "./_commit.ts";
import { type Draft, Drafts } from "./_drafts.ts";
import { replaceText } from "./_replace.ts";
import { lineCount } from "./_text.ts";
import { applyChunks } from "./_v4a_apply.ts";
import { type Operation, parsePatch } from "./_v4a_parse.ts";

registry.register({
  name: "patch",
  title: "Change files",
  toolset: "file",
  description:
    'Change files of the workspace. Mode "replace": put new_string in the place of old_string in one file; ' +
    "old_string must be there exactly once unless replace_all is set, and white space that differs a little " +
    'is forgiven. Mode "patch": a V4A patch over several files, all of it or nothing:\n' +
    "*** Begin Patch\n*** Update File: a.ts\n@@ function main() {\n context line\n-old line\n+new line\n" +
    "*** Add File: b.ts\n+first line\n*** Delete File: c.ts\n*** End Patch\n" +
    'After "Update File" may come "*** Move to: PATH"; "*** End of File" ties a chunk to the end. ' +
    "Gives a unified diff. Encoding, line ends and mode of the files are kept.",
  emoji: "🔧",
  schema: {
    type: "object",
    properties: {
      mode: { type: "string", enum: ["replace", "patch"] },
      path: { type: "string", description: "Mode replace: the file, relative to the workspace." },
      old_string: { type: "string", description: "Mode replace: the text to find." },
      new_string: { type: "string", description: "Mode replace: the text to put there." },
      replace_all: { type: "boolean", default: false, description: "Mode replace: every place." },
      patch: { type: "string", description: "Mode patch: the V4A patch." },
    },
    required: ["mode"],
    additionalProperties: false,
  },
  permissions: { read: ["$WORKSPACE"], write: ["$WORKSPACE"] },
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  handler: (args, context) => {
    if (args.mode === "patch") {
      return patchFiles(needed(args.patch, "patch", "patch"), context);
    }
    return replaceInFile({
      path: needed(args.path, "path", "replace"),
      old: needed(args.old_string, "old_string", "replace"),
      replacement: needed(args.new_string, "new_string", "replace"),
      all: args.replace_all ?? false,
    }, context);
  },
});

interface ReplaceRequest {
  readonly path: string;
  readonly old: string;
  readonly replacement: string;
  readonly all: boolean;
}

function needed(value: string | undefined, name: string, mode: string): string {
  if (value !== undefined) return value;
  throw new ToolError(`Mode "${mode}" needs "${name}", a string`);
}

async function replaceInFile(request: ReplaceRequest, context: ToolContext): Promise<string> {
  const drafts = new Drafts(context);
  const { draft, text: before } = await drafts.existing(request.path);
  const { name } = draft.place;
  refuseBroken(request.replacement, name);
  const { text, strategy, lines } = replaceText(before, { ...request, name });
  draft.text = text;
  const diff = await drafts.diff();
  await commit(drafts.changes(), drafts.root, context);
  return toolResult({
    path: name,
    status: "updated",
    strategy,
    replacements: lines.length,
    lines,
    diff,
  });
}

async function patchFiles(patch: string, context: ToolContext): Promise<string> {
  refuseBroken(patch, "patch");
  const drafts = new Drafts(context);
  const files: JsonValue[] = [];
  for (const operation of parsePatch(patch)) {
    context.signal.throwIfAborted();
    files.push(await perform(operation, drafts));
  }
  const changes = drafts.changes();
  if (changes.length === 0) throw new ToolError("Cannot apply the patch: it changes nothing");
  const diff = await drafts.diff();
  await commit(changes, drafts.root, context);
  return toolResult({ files, diff });
}

async function perform(operation: Operation, drafts: Drafts): Promise<JsonValue> {
  switch (operation.kind) {
    case "add": {
      const draft = await drafts.absent(operation.path);
      draft.text = operation.content;
      return { path: draft.place.name, status: "added", lines: lineCount(operation.content) };
    }
    case "delete": {
      const { draft } = await drafts.existing(operation.path);
      refuseLink(draft, "delete");
      draft.text = undefined;
      return { path: draft.place.name, status: "deleted" };
    }
    case "update":
      return await update(operation, drafts);
  }
}

async function update(
  { path, moveTo, chunks }: Operation & { kind: "update" },
  drafts: Drafts,
): Promise<JsonValue> {
  const { draft, text: before } = await drafts.existing(path);
  const { name } = draft.place;
  const { text, fuzzy } = applyChunks(before, chunks, name);
  const how = { chunks: chunks.length, ...(fuzzy ? { whitespace_ignored: true } : {}) };
  if (moveTo === undefined) {
    draft.text = text;
    return { path: name, status: "updated", ...how };
  }
  refuseLink(draft, "move");
  const target = await drafts.absent(moveTo);
  Object.assign(target, { text, encoding: draft.encoding, like: draft.like });
  draft.text = undefined;
  return { path: target.place.name, status: "moved", from: name, ...how };
}

function refuseLink({ place }: Draft, action: string): void {
  if (!place.link) return;
  throw new ToolError(`Cannot ${action} "${place.name}": it is a link, name the file it leads to`);
}

function refuseBroken(text: string, name: string): void {
  if (text.isWellFormed()) return;
  throw new ToolError(
    `Cannot write "${name}": the new text holds half a surrogate pair, which cannot be stored`,
  );
}
