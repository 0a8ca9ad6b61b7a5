/**
 * Which servers of a configuration sign in by OAuth.
 * @module
 */
import type { McpServerSpec } from "../config/server_config.ts";
import { reachOfUrl } from "../../runtime/grants/name_reach.ts";
import { OAuthStore } from "./oauth_store.ts";
import { createServerAuth, type ServerAuth } from "./server_auth.ts";

/**
 * Makes the login of a run for a server: every remote server has one unless the configuration gives it an
 * `Authorization` header. A server that asks for no login never notices.
 *
 * @param spec The server.
 * @param cacheDir The cache folder, where logins are kept.
 * @param signal Ends every request to an authorization server.
 * @returns The login, or `undefined` for servers that have none.
 */
export function authOfServer(
  { name, launch }: McpServerSpec,
  cacheDir: string | undefined,
  signal?: AbortSignal,
): ServerAuth | undefined {
  if (launch.kind !== "http" || cacheDir === undefined) return undefined;
  const hasHeader = Object.keys(launch.headers).some((key) => /^authorization$/i.test(key));
  if (launch.auth === undefined && (hasHeader || !mayCarryTokens(launch.url))) return undefined;
  return createServerAuth({
    name,
    serverUrl: launch.url,
    store: new OAuthStore(cacheDir),
    ...(launch.oauth && { config: launch.oauth }),
    ...(signal && { signal }),
  });
}

function mayCarryTokens(url: string): boolean {
  const parsed = new URL(url);
  return parsed.protocol === "https:" || reachOfUrl(parsed) === "loopback";
}
