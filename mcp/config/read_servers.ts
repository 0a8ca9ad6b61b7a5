/**
 * From `mcpServers` of a configuration to servers with every default filled in.
 * @module
 */
import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { HostEnvironment } from "../../runtime/host_environment.ts";
import { EntryReader, isObject } from "./entry_reader.ts";
import { noteUnused, readEnabled, readTimeout, readTools, readTrust } from "./foreign_keys.ts";
import { interpolate } from "./interpolate.ts";
import { readLaunch } from "./read_launch.ts";
import type { McpServerSpec } from "./server_config.ts";
import { FaultList, type ServerFault } from "./server_fault.ts";

/** What a server's name looks like. */
export const SERVER_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

const TIMEOUT_MS = 300_000;
const CONNECT_TIMEOUT_MS = 60_000;
const KEEPALIVE_MS = 180_000;
const KEEPALIVE_FLOOR_MS = 5_000;
/** Keys whose texts may name variables. */
const INTERPOLATED = [
  "command",
  "args",
  "env",
  "headers",
  "url",
  "serverUrl",
  "httpUrl",
  "cwd",
  "oauth",
];
// What a person does not see at the ends of a text that was pasted.
const HIDDEN_EDGE = /^[\s\u200b-\u200f\u2060\ufeff]|[\s\u200b-\u200f\u2060\ufeff]$/u;

/** How servers are read. */
export interface ReadServersOptions {
  /** Reads variables of the operator. */
  readonly environment: HostEnvironment;
  /** Who brings them; variables are put into the operator's own entries only. */
  readonly origin: McpServerSpec["origin"];
}

/** What reading gave. */
export interface ReadServers {
  /** The servers that can be used, in their order. */
  readonly servers: readonly McpServerSpec[];
  /** What there is to say; a server with an error is not among the servers. */
  readonly faults: readonly ServerFault[];
}

/**
 * Reads servers. What is no object holds no servers.
 *
 * @param section `mcpServers` of a configuration, or what a plugin brings.
 * @param options Where variables come from, and who brings the servers.
 * @returns The servers and what there is to say.
 */
export function readServers(
  section: unknown,
  options: ReadServersOptions,
): ReadServers {
  const servers: McpServerSpec[] = [];
  const faults: ServerFault[] = [];
  for (const [name, entry] of isObject(section) ? Object.entries(section) : []) {
    const list = new FaultList(name);
    const server = readServer(name, entry, options, list);
    faults.push(...list.faults);
    if (server !== undefined && !list.isFatal) servers.push(server);
  }
  return { servers, faults };
}

/**
 * Puts servers of several origins together; of two with one name the first stays.
 *
 * @param lists The servers, the operator's own first.
 * @returns The servers, and a warning for each that lost its name.
 */
export function joinServerLists(lists: readonly (readonly McpServerSpec[])[]): ReadServers {
  const byName = new Map<string, McpServerSpec>();
  const faults: ServerFault[] = [];
  for (const server of lists.flat()) {
    const first = byName.get(server.name);
    if (first === undefined) byName.set(server.name, server);
    else {
      const list = new FaultList(server.name);
      const message = `the one of ${server.origin} is not used, ${first.origin} has the name`;
      list.add("warning", "server_name_taken", message);
      faults.push(...list.faults);
    }
  }
  return { servers: [...byName.values()], faults };
}

function readServer(
  name: string,
  raw: JsonValue | undefined,
  options: ReadServersOptions,
  faults: FaultList,
): McpServerSpec | undefined {
  if (!SERVER_NAME.test(name)) {
    const expected = 'expected a letter or digit, then up to 63 letters, digits, "_", "." or "-"';
    faults.add("error", "server_name", `the name cannot be used: ${expected}`);
    return undefined;
  }
  if (!isObject(raw)) {
    faults.add("error", "server_value", "the entry is not an object");
    return undefined;
  }
  noteHiddenEdges(raw, faults);
  const reader = new EntryReader(
    options.origin === "config" ? withVariables(raw, options.environment, faults) : raw,
    faults,
  );
  noteUnused(reader, faults);
  const launch = readLaunch(reader, faults);
  if (launch === undefined) return undefined;
  return Object.freeze({ name, origin: options.origin, launch, ...readRest(reader, faults) });
}

function readRest(
  reader: EntryReader,
  faults: FaultList,
): Omit<McpServerSpec, "name" | "origin" | "launch"> {
  const idleTimeoutMs = reader.milliseconds("idleTimeoutMs", undefined);
  const maxLifetimeMs = reader.milliseconds("maxLifetimeMs", undefined);
  return {
    enabled: readEnabled(reader),
    lazy: reader.flag("lazy", false),
    ...readTools(reader),
    timeoutMs: readTimeout(reader, TIMEOUT_MS, faults),
    connectTimeoutMs: reader.milliseconds("connectTimeoutMs", CONNECT_TIMEOUT_MS),
    keepaliveMs: readKeepalive(reader, faults),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    ...(maxLifetimeMs === undefined ? {} : { maxLifetimeMs }),
    parallel: reader.flag("supportsParallelToolCalls", false),
    trust: readTrust(reader),
  };
}

function readKeepalive(reader: EntryReader, faults: FaultList): number {
  const value = reader.milliseconds("keepaliveMs", KEEPALIVE_MS);
  if (value >= KEEPALIVE_FLOOR_MS) return value;
  const message = `"keepaliveMs" is ${value}: at least ${KEEPALIVE_FLOOR_MS} is used`;
  faults.add("warning", "server_keepalive", message);
  return KEEPALIVE_FLOOR_MS;
}

function withVariables(
  entry: JsonObject,
  environment: HostEnvironment,
  faults: FaultList,
): JsonObject {
  const unset = new Set<string>();
  const replace = (value: JsonValue): JsonValue => {
    if (typeof value === "string") {
      const found = interpolate(value, environment);
      for (const variable of found.unset) unset.add(variable);
      return found.text;
    }
    if (Array.isArray(value)) return value.map(replace);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item!)]));
  };
  const replaced = Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      INTERPOLATED.includes(key) ? replace(value!) : value,
    ]),
  );
  if (unset.size > 0) {
    faults.add(
      "warning",
      "server_variable_unset",
      `${
        [...unset].map((name) => `\${${name}}`).join(", ")
      } stays as it is: not set, or not readable here`,
      `Set it, or let Cloister read it with --allow-env=${[...unset].join(",")}`,
    );
  }
  return replaced as JsonObject;
}

// Told once for each server, and never changed: it may be meant.
function noteHiddenEdges(entry: JsonObject, faults: FaultList): void {
  const found: string[] = [];
  const look = (value: JsonValue | undefined, path: string): void => {
    if (typeof value === "string") {
      if (HIDDEN_EDGE.test(value)) found.push(path);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        look(item, path === "" ? key : `${path}.${key}`);
      }
    }
  };
  look(entry, "");
  if (found.length === 0) return;
  faults.add(
    "warning",
    "server_hidden_whitespace",
    `blanks or characters that cannot be seen are at an end of ${
      found.slice(0, 10).map((path) => `"${path}"`).join(", ")
    }; they are left as they are`,
  );
}
