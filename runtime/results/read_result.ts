/**
 * The tool that reads spilled results where no file may be read.
 * @module
 */
import { lstat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { ToolError } from "../../core/errors.ts";
import type { ToolRegistration } from "../../core/registration.ts";
import { join } from "../paths.ts";
import type { SpillStore } from "../spill.ts";
import { READ_RESULT } from "./read_result_name.ts";

/** Options of {@linkcode createReadResultTool}. */
export interface ReadResultOptions {
  /** Whether the session may read the result of this id. @default {every id of the store} */
  readonly canRead?: (id: string) => boolean;
}

/** A page that fits the smallest limit of results. */
const PAGE_CHARS = 8_000;
const MAX_PAGE_CHARS = 50_000;
const ID = /^[A-Za-z0-9_-]{1,200}(?:\.untrusted)?$/;

const SCHEMA = {
  type: "object",
  properties: {
    id: { type: "string", minLength: 1, description: "The id that the shortened result names." },
    offset: {
      type: "integer",
      minimum: 0,
      default: 0,
      description: "The first character, from 0.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: MAX_PAGE_CHARS,
      default: PAGE_CHARS,
      description: "How many characters at most.",
    },
  },
  required: ["id"],
  additionalProperties: false,
} as const;

/**
 * Makes the tool `read_result`, for sessions that have no `read_file`. It reads nothing but the results that
 * were too long for the model. Register it as `builtin`: then its own results are never spilled.
 *
 * @param store Where the results are.
 * @param options Which of them it may read.
 * @returns The registration.
 *
 * @example For a session without files
 * ```ts ignore
 * registry.register(createReadResultTool(store), { owner: "builtin" });
 * ```
 */
export function createReadResultTool(
  store: SpillStore,
  { canRead = () => true }: ReadResultOptions = {},
): ToolRegistration<typeof SCHEMA> {
  return {
    name: READ_RESULT,
    title: "Read a long result",
    toolset: "results",
    description: "Read on in a result that was too long to be shown whole. The shortened result " +
      "names its id. The last line, in brackets, says how long it is and how to go on.",
    emoji: "📜",
    schema: SCHEMA,
    maxResultSizeChars: Infinity,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    handler: async ({ id, offset = 0, limit = PAGE_CHARS }, { signal }) => {
      const path = await pathOf(store, id, canRead);
      const page = await readChars(path, offset, limit, signal);
      if (offset > 0 && offset >= page.total) {
        throw new ToolError(
          `Cannot read result "${id}" from character ${offset}: it has ${page.total}`,
          { details: { total_chars: page.total } },
        );
      }
      return `${page.text}\n${footer(offset, page)}`;
    },
  };
}

async function pathOf(
  store: SpillStore,
  id: string,
  canRead: (id: string) => boolean,
): Promise<string> {
  const path = join(store.dir, `${id}.txt`);
  const isThere = ID.test(id) && canRead(id) &&
    await lstat(path).then((info) => info.isFile(), () => false);
  if (isThere) return path;
  throw new ToolError(
    `There is no result "${
      id.slice(0, 200)
    }", or it is gone: take the id from the shortened result; ` +
      "results are kept for a day, unless the cache folder is emptied. Make the call again if you need its result",
  );
}

interface CharPage {
  readonly text: string;
  readonly total: number;
}

/** Reads through the whole file, to know its length, and holds no more than the page. */
async function readChars(
  path: string,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<CharPage> {
  let total = 0;
  let text = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", signal })) {
    const piece = chunk as string;
    const from = Math.max(0, offset - total);
    const wanted = limit - text.length;
    if (wanted > 0 && from < piece.length) text += piece.slice(from, from + wanted);
    total += piece.length;
  }
  // Half a character stays for the next page.
  const isCut = /[\uD800-\uDBFF]$/.test(text) && text.length > 1;
  return { text: isCut ? text.slice(0, -1) : text, total };
}

function footer(offset: number, { text, total }: CharPage): string {
  const end = offset + text.length;
  const next = end < total ? `; go on with offset=${end}` : "";
  return `[characters ${offset}-${Math.max(offset, end - 1)} of ${total}${next}]`;
}
