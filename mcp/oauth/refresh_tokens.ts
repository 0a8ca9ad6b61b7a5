/**
 * Renewing an access token without a person.
 * @module
 */
import { OAuthError, refreshAuthorization } from "@modelcontextprotocol/client";
import type { FetchLike, StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import type { OAuthRecord, ServerLogin } from "./oauth_record.ts";
import type { OAuthConfig } from "./oauth_provider.ts";
import { metadataUrlOf } from "./oauth_provider.ts";
import { type OAuthStore, serverKey } from "./oauth_store.ts";
import { oauthErrorText } from "./redact_oauth.ts";

/** What {@linkcode refreshTokens} works with. */
export interface RefreshOptions {
  /** The server's URL. */
  readonly serverUrl: string;
  /** Where logins are kept. */
  readonly store: OAuthStore;
  /** What the configuration says. */
  readonly config?: OAuthConfig;
  /** Makes the request. */
  readonly fetchFn: FetchLike;
  /** The access token that is of no more use. */
  readonly stale: string | undefined;
}

/**
 * Gets a new access token for the stored one. One process at a time does it: a second use of the same refresh
 * token counts as theft at many authorization servers, and ends the login.
 *
 * @param options The server, the store, and the token that is of no more use.
 * @returns The new access token; `undefined` when only a person can help.
 * @throws {Error} If the authorization server cannot be reached or fails; the login is kept.
 */
export async function refreshTokens(options: RefreshOptions): Promise<string | undefined> {
  const { store, serverUrl, stale } = options;
  return await store.exclusively("refresh", async () => {
    const record = await store.read();
    const key = serverKey(serverUrl);
    const login = Object.hasOwn(record.servers, key) ? record.servers[key]! : {};
    // Another process was faster.
    if (login.tokens && login.tokens.access_token !== stale) return login.tokens.access_token;
    const client = clientOf(record, login, options.config);
    if (!login.tokens?.refresh_token || !login.discovery || !client) return undefined;
    return await refresh(options, login, client);
  });
}

async function refresh(
  { store, serverUrl, fetchFn }: RefreshOptions,
  { tokens, discovery }: ServerLogin,
  clientInformation: StoredOAuthClientInformation,
): Promise<string | undefined> {
  const { refresh_token: refreshToken = "", scope, issuer } = tokens!;
  const resource = discovery!.resourceMetadata?.resource;
  try {
    const fresh = await refreshAuthorization(discovery!.authorizationServerUrl, {
      ...(discovery!.authorizationServerMetadata &&
        { metadata: discovery!.authorizationServerMetadata }),
      clientInformation,
      refreshToken,
      ...(resource !== undefined && { resource }),
      fetchFn,
    });
    await store.changeLogin(serverUrl, (login) => ({
      ...login,
      // RFC 6749 section 6: a scope that is not told is the one of before.
      tokens: { ...(scope !== undefined && { scope }), ...fresh, issuer },
      expiresAt: fresh.expires_in === undefined ? undefined : Date.now() + fresh.expires_in * 1000,
    }));
    return fresh.access_token;
  } catch (error) {
    if (!(error instanceof OAuthError) || !isFinal(error)) {
      const secrets = [refreshToken, clientInformation.client_secret];
      throw new Error(
        `Cannot renew the login at ${JSON.stringify(discovery!.authorizationServerUrl)}: ` +
          oauthErrorText(error, secrets),
      );
    }
    await store.changeLogin(serverUrl, (login) => ({
      ...login,
      ...(login.tokens && { tokens: { ...login.tokens, refresh_token: undefined } }),
    }));
    return undefined;
  }
}

/** Whether asking again with the same refresh token makes no sense. */
function isFinal({ code }: OAuthError): boolean {
  return code === "invalid_grant" || code === "invalid_client" || code === "unauthorized_client";
}

/**
 * The client that a login was made with. It belongs to the issuer of the tokens and goes nowhere else.
 *
 * @param record Everything that is kept.
 * @param login The login.
 * @param config What the configuration says.
 * @returns The client, or `undefined` when it is not known any more.
 */
export function clientOf(
  { clients }: OAuthRecord,
  { tokens, discovery }: ServerLogin,
  config: OAuthConfig | undefined,
): StoredOAuthClientInformation | undefined {
  const issuer = tokens?.issuer;
  const recorded = discovery?.authorizationServerMetadata?.issuer ??
    discovery?.authorizationServerUrl;
  if (issuer === undefined || issuer !== recorded) return undefined;
  if (config?.clientId !== undefined && metadataUrlOf(config) === undefined) {
    const { clientId, clientSecret } = config;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      issuer,
    };
  }
  return Object.hasOwn(clients, issuer) ? clients[issuer] : undefined;
}
