/**
 * Keys that other MCP clients write into the same entries.
 * @module
 */
import type { EntryReader } from "./entry_reader.ts";
import type { FaultList } from "./server_fault.ts";

/** The largest `timeout` that is taken for seconds: the largest that clients which write seconds offer. */
const MOST_SECONDS = 3_600;

/** What to do instead, by key; an empty text for what changes nothing. */
const UNUSED: ReadonlyMap<string, string> = new Map([
  ["alwaysAllow", 'Calls are approved by "approval.tools" of the configuration'],
  ["autoApprove", 'Calls are approved by "approval.tools" of the configuration'],
  ["envFile", 'Files with variables are not read: name each one in "env", as "${NAME}"'],
  ["headersHelper", 'No program is run for headers: use "headers" with "${NAME}"'],
  ["sandboxEnabled", 'A server whose command is "npm:<package>@<version>" runs sandboxed'],
  ["watchPaths", "Files of a server are not watched"],
  ...("description dev gallery icon iconPath id name source version".split(" ")
    .map((key) => [key, ""] as const)),
]);

/** The types as clients spell them. */
const TYPES: ReadonlyMap<string, "stdio" | "http" | "sse"> = new Map([
  ["stdio", "stdio"],
  ["local", "stdio"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamable_http", "http"],
  ["streamableHttp", "http"],
  ["sse", "sse"],
]);

/**
 * Tells of keys that mean nothing here.
 *
 * @param reader The entry.
 * @param faults Takes what there is to say.
 */
export function noteUnused(reader: EntryReader, faults: FaultList): void {
  for (const [key, hint] of UNUSED) {
    if (hint === "" || !reader.has(key)) continue;
    faults.add("warning", "server_key_unused", `"${key}" of other clients is not used`, hint);
  }
}

/**
 * How the entry says to talk to the server.
 *
 * @param reader The entry.
 * @param faults Takes what there is to say.
 * @returns The type, or `undefined` when it says nothing of it.
 */
export function readType(
  reader: EntryReader,
  faults: FaultList,
): "stdio" | "http" | "sse" | undefined {
  const text = reader.text("type", "transport");
  if (text === undefined) return undefined;
  const type = TYPES.get(text);
  if (type === undefined) {
    const known = [...TYPES.keys()].join(", ");
    faults.add("error", "server_value", `"type" is ${JSON.stringify(text)}: expected ${known}`);
  }
  return type;
}

/**
 * The deadline of calls. Clients do not agree about the unit of `timeout`: those that write seconds take 3600 at
 * most, those that write milliseconds usually write more.
 *
 * @param reader The entry.
 * @param otherwise What it is when it is left out.
 * @param faults Takes what there is to say.
 * @returns Milliseconds.
 */
export function readTimeout(reader: EntryReader, otherwise: number, faults: FaultList): number {
  if (reader.has("timeoutMs") || !reader.has("timeout")) {
    return reader.milliseconds("timeoutMs", otherwise);
  }
  const value = reader.milliseconds("timeout", otherwise);
  const milliseconds = value <= MOST_SECONDS ? value * 1_000 : value;
  faults.add(
    "info",
    "server_timeout_unit",
    `"timeout" of other clients, ${value}, is taken for ${milliseconds} ms`,
    'Write "timeoutMs" to be clear',
  );
  return milliseconds;
}

/**
 * Whether the server is used.
 *
 * @param reader The entry.
 * @returns True unless `enabled` is false or `disabled` is true.
 */
export function readEnabled(reader: EntryReader): boolean {
  return reader.flag("enabled", true) && !reader.flag("disabled", false);
}

/**
 * Whom calls are asked about for.
 *
 * @param reader The entry.
 * @returns `full` when nothing is said; what is not known counts as `untrusted`.
 */
export function readTrust(reader: EntryReader): "full" | "untrusted" {
  const value = reader.value("trust");
  return value === undefined || value === "full" || value === true ? "full" : "untrusted";
}

/** Which tools join the table. */
export interface ToolChoice {
  /** Whitelist; absent means every tool. */
  readonly include?: readonly string[];
  /** Blacklist. */
  readonly exclude: readonly string[];
  /** Whether the utilities for resources are offered. */
  readonly resources: boolean;
  /** Whether the utilities for prompts are offered. */
  readonly prompts: boolean;
}

/**
 * Which tools join the table.
 *
 * @param reader The entry.
 * @returns The choice.
 */
export function readTools(reader: EntryReader): ToolChoice {
  const isList = Array.isArray(reader.value("tools"));
  const tools = reader.object(isList ? "" : "tools");
  const include = (isList ? reader.texts("tools") : tools.texts("include")) ??
    reader.texts("includeTools");
  const exclude = tools.texts("exclude") ?? reader.texts("excludeTools") ??
    reader.texts("disabledTools") ?? [];
  return {
    ...(include === undefined ? {} : { include: Object.freeze([...include]) }),
    exclude: Object.freeze([...exclude]),
    resources: tools.flag("resources", true),
    prompts: tools.flag("prompts", true),
  };
}
