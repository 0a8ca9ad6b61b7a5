/**
 * What a configuration's MCP servers need of the process that talks to them.
 * @module
 */
import type { JsonObject } from "../../core/json.ts";

/** Values for flags of Deno. */
export interface ServerNeeds {
  /** Hosts of remote servers, with their port where the address names one. */
  readonly hosts: readonly string[];
  /** Programs of servers that are no packages. */
  readonly programs: readonly string[];
  /** Environment variables that entries name. */
  readonly variables: readonly string[];
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Works out what the servers need. An entry that makes no sense needs nothing: it is told of where it is used.
 *
 * @param servers The `mcpServers` of a configuration.
 * @returns Values for `--allow-net`, `--allow-run` and `--allow-env`.
 */
export function serverNeeds(servers: { readonly [name: string]: JsonObject } = {}): ServerNeeds {
  const used = Object.values(servers).filter(({ enabled }) => enabled !== false);
  return {
    hosts: used.flatMap(({ url }) => hostOf(url)),
    programs: used.flatMap(({ command }) => programOf(command)),
    variables: [...JSON.stringify(used).matchAll(VARIABLE)].map(([, name]) => name!),
  };
}

function hostOf(url: unknown): readonly string[] {
  return typeof url === "string" && URL.canParse(url) ? [new URL(url).host] : [];
}

function programOf(command: unknown): readonly string[] {
  return typeof command === "string" && !command.startsWith("npm:") ? [command] : [];
}
