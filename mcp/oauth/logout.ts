/**
 * Signing out of a remote server.
 * @module
 */
import type { FetchLike } from "@modelcontextprotocol/client";
import { checkAuthUrl, createAuthFetch } from "./auth_fetch.ts";
import type { OAuthConfig } from "./oauth_provider.ts";
import type { OAuthRecord, ServerLogin } from "./oauth_record.ts";
import { type OAuthStore, serverKey } from "./oauth_store.ts";
import { clientOf } from "./refresh_tokens.ts";

/** Options of {@linkcode logout}. */
export interface LogoutOptions {
  /** The server's URL. */
  readonly serverUrl: string;
  /** Where logins are kept. */
  readonly store: OAuthStore;
  /** What the configuration says. */
  readonly config?: OAuthConfig;
}

/** What signing out came to. */
export interface LogoutResult {
  /** Whether there was a login. */
  readonly wasSignedIn: boolean;
  /** Whether the authorization server was told, where it takes that. */
  readonly revoked: boolean;
}

/**
 * Takes the login at a server out of the store, and tells the authorization server that its tokens are over
 * (RFC 7009) where it takes that. A registration of this client goes with the last login that used it.
 *
 * @param options The server, the store and the configuration.
 * @returns What it came to.
 */
export async function logout(options: LogoutOptions): Promise<LogoutResult> {
  const { serverUrl, store } = options;
  const record = await store.read();
  const login = await store.login(serverUrl);
  await store.update((current) => without(current, serverKey(serverUrl), login.tokens?.issuer));
  const wasSignedIn = login.tokens !== undefined;
  // Gone here first: a server that does not answer must not keep a person signed in.
  return { wasSignedIn, revoked: wasSignedIn && await revoke(options, record, login) };
}

function without(record: OAuthRecord, key: string, issuer: string | undefined): OAuthRecord {
  const { [key]: _gone, ...servers } = record.servers;
  const isUsed = Object.values(servers).some(({ tokens }) => tokens?.issuer === issuer);
  if (issuer === undefined || isUsed) return { ...record, servers };
  const { [issuer]: _client, ...clients } = record.clients;
  return { ...record, servers, clients };
}

async function revoke(
  { serverUrl, config }: LogoutOptions,
  record: OAuthRecord,
  login: ServerLogin,
): Promise<boolean> {
  const { tokens, discovery } = login;
  const metadata: unknown = discovery?.authorizationServerMetadata;
  const endpoint = (metadata as { readonly revocation_endpoint?: unknown } | undefined)
    ?.revocation_endpoint;
  const client = clientOf(record, login, config);
  if (typeof endpoint !== "string" || client === undefined) return false;
  try {
    const url = checkAuthUrl(endpoint, serverUrl, "the address to sign out at");
    const body = new URLSearchParams({ token: tokens!.refresh_token ?? tokens!.access_token });
    const headers = new Headers();
    if (client.client_secret === undefined) body.set("client_id", client.client_id);
    else headers.set("authorization", basic(client.client_id, client.client_secret));
    return await isDone(createAuthFetch(serverUrl), url, { method: "POST", headers, body });
  } catch {
    return false;
  }
}

async function isDone(fetchFn: FetchLike, url: URL, init: RequestInit): Promise<boolean> {
  return (await fetchFn(url, { ...init, redirect: "manual" })).ok;
}

// RFC 6749 section 2.3.1: both parts are form-encoded before they are joined.
function basic(id: string, secret: string): string {
  const bytes = new TextEncoder().encode(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`);
  return `Basic ${bytes.toBase64()}`;
}
