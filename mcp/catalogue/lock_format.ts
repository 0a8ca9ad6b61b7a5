/**
 * The text of a lock file.
 * @module
 */
import { isPlain } from "../../registry/plain_copy.ts";
import type { PinnedTool, ServerPins } from "./pins.ts";
import { canonicalJson, hashDefinition, type ToolDefinition } from "./tool_definition.ts";

const VERSION = 1;

/** What a lock file holds, by server. */
export type LockContent = ReadonlyMap<string, ServerPins>;

/**
 * Writes a lock file's text: sorted, without times, so that equal content is equal text.
 *
 * @param content What it holds.
 * @returns The text.
 */
export function writeLock(content: LockContent): string {
  const servers = [...content].map(([name, { launch, tools }]) => [name, {
    launch,
    tools: Object.fromEntries(
      [...tools].map(([tool, { hash, definition, listed }]) => [
        tool,
        { definition, hash, ...(listed ? {} : { listed }) },
      ]),
    ),
  }]);
  return `${canonicalJson({ version: VERSION, servers: Object.fromEntries(servers) }, 2)}\n`;
}

/**
 * Reads a lock file's text. A pin whose hash is not that of its definition is refused: somebody changed the file by
 * hand, and what was accepted is not known.
 *
 * @param text The text.
 * @param path The file's path, for messages.
 * @returns What it holds.
 * @throws {Error} If it is no lock file; the message holds the place.
 */
export async function parseLock(text: string, path: string): Promise<LockContent> {
  const value = parseJson(text, path);
  const refuse = (pointer: string, expected: string) => damaged(`${path}#${pointer}`, expected);
  if (!isPlain(value)) throw refuse("", "an object");
  if (value.version !== VERSION) throw refuse("/version", `the version ${VERSION}`);
  if (!isPlain(value.servers)) throw refuse("/servers", "an object");
  const servers = await Promise.all(
    Object.entries(value.servers).map(async ([name, pins]) =>
      [name, await readPins(pins, `/servers/${name}`, refuse)] as const
    ),
  );
  return new Map(servers);
}

type Refuse = (pointer: string, expected: string) => Error;

async function readPins(value: unknown, pointer: string, refuse: Refuse): Promise<ServerPins> {
  if (!isPlain(value)) throw refuse(pointer, "an object");
  const { launch, tools } = value;
  if (typeof launch !== "string") throw refuse(`${pointer}/launch`, "a text");
  if (!isPlain(tools)) throw refuse(`${pointer}/tools`, "an object");
  const pins = await Promise.all(
    Object.entries(tools).map(async ([name, tool]) =>
      [name, await readPin(name, tool, `${pointer}/tools/${name}`, refuse)] as const
    ),
  );
  return { launch, tools: new Map(pins) };
}

async function readPin(
  name: string,
  value: unknown,
  pointer: string,
  refuse: Refuse,
): Promise<PinnedTool> {
  if (!isPlain(value) || !isPlain(value.definition)) throw refuse(pointer, "a pinned tool");
  const { listed = true } = value;
  if (typeof listed !== "boolean") throw refuse(`${pointer}/listed`, "true or false");
  const definition = value.definition as ToolDefinition;
  if (definition.name !== name) throw refuse(`${pointer}/definition/name`, `"${name}"`);
  const pinned = await hashDefinition(definition);
  if (pinned.hash !== value.hash) throw refuse(`${pointer}/hash`, "the hash of the definition");
  return { ...pinned, listed };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(placeOf(text, path, error as Error), `JSON (${(error as Error).message})`);
  }
}

function placeOf(text: string, path: string, { message }: Error): string {
  const offset = /\bposition (\d+)/.exec(message)?.[1];
  if (offset === undefined) return path;
  const lines = text.slice(0, Number(offset)).split("\n");
  return `${path}:${lines.length}:${lines.at(-1)!.length + 1}`;
}

function damaged(place: string, expected: string): Error {
  return new Error(
    `Cannot use the lock file: ${place}: expected ${expected}. Restore the file, or delete it to ` +
      "take what the servers say now",
  );
}
