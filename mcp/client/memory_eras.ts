/**
 * A memory for protocol eras that lasts as long as the program.
 * @module
 */
import type { McpServerSpec } from "../config/server_config.ts";
import type { EraCache, ServerEra } from "./connection_services.ts";

/**
 * Makes an empty memory.
 *
 * @returns The memory.
 */
export function createMemoryEras(): EraCache {
  const eras = new Map<string, ServerEra>();
  return {
    get: (key) => eras.get(key),
    set: (key, era) => void (era === undefined ? eras.delete(key) : eras.set(key, era)),
  };
}

/**
 * Names a server in an {@linkcode EraCache}: a server that is started in another way is another server. The key
 * holds neither the environment nor headers, because they may hold secrets.
 *
 * @param spec The server.
 * @returns Its key.
 */
export function eraKey({ name, launch }: McpServerSpec): string {
  switch (launch.kind) {
    case "npm":
      return JSON.stringify([name, "npm", launch.package]);
    case "command":
      return JSON.stringify([name, "command", launch.command, ...launch.args]);
    case "http":
      return JSON.stringify([name, "http", launch.url]);
    default:
      return launch satisfies never;
  }
}
