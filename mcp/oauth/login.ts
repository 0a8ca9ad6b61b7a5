/**
 * Signing in to a remote server with a person, and out.
 * @module
 */
import {
  auth,
  computeScopeUnion,
  exchangeAuthorization,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import type { FetchLike } from "@modelcontextprotocol/client";
import { checkAuthUrl, createAuthFetch } from "./auth_fetch.ts";
import { probeChallenge } from "./challenge.ts";
import { type LoopbackRedirect, openLoopbackRedirect } from "./loopback_redirect.ts";
import { createOAuthProvider, type LoginProvider, type OAuthConfig } from "./oauth_provider.ts";
import type { Challenge, ServerLogin } from "./oauth_record.ts";
import type { OAuthStore } from "./oauth_store.ts";
import { oauthErrorText } from "./redact_oauth.ts";
import { redirectPort } from "./redirect_port.ts";

/** Options of {@linkcode login}. */
export interface LoginOptions {
  /** The server's name in the configuration. */
  readonly name: string;
  /** Its URL. */
  readonly serverUrl: string;
  /** Where logins are kept. */
  readonly store: OAuthStore;
  /** What the configuration says. */
  readonly config?: OAuthConfig;
  /** Shows the person the address to open, and opens it where that is allowed. */
  readonly openBrowser: (url: URL) => void | Promise<void>;
  /** How long to wait for the person, in milliseconds. @default {300_000} */
  readonly timeoutMs?: number;
  /** Ends the login. */
  readonly signal?: AbortSignal;
}

/** What a login came to. */
export interface LoginResult {
  /** The authorization server that gave the tokens. */
  readonly issuer: string;
  /** The rights that were given, where it told them. */
  readonly scope?: string;
  /** Whether it can be renewed without a person. */
  readonly renewable: boolean;
}

/**
 * Signs in: finds the authorization server, registers this client where needed, sends the person to the login
 * page, and turns the answer into tokens.
 *
 * @param options The server, the store, and how to reach the person.
 * @returns What it came to; the tokens are in the store only.
 * @throws {Error} If any step fails; the text holds no secrets.
 */
export async function login(options: LoginOptions): Promise<LoginResult> {
  const { serverUrl, store, config, signal } = options;
  checkAuthUrl(serverUrl, serverUrl, "a login for the server");
  const fetchFn = createAuthFetch(serverUrl, signal);
  await using redirect = openLoopbackRedirect({
    port: config?.redirectPort ?? await redirectPort(store, serverUrl),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(signal && { signal }),
  });
  const provider = createOAuthProvider({ ...options, redirect });
  try {
    return await signIn(options, provider, redirect, fetchFn);
  } catch (error) {
    const reason = oauthErrorText(error, provider.secrets);
    throw new Error(`Cannot sign in to MCP server ${JSON.stringify(options.name)}: ${reason}`);
  }
}

async function signIn(
  { serverUrl, store, config }: LoginOptions,
  provider: LoginProvider,
  redirect: LoopbackRedirect,
  fetchFn: FetchLike,
): Promise<LoginResult> {
  const before = await store.login(serverUrl);
  const challenge = await probeChallenge(serverUrl, fetchFn) ?? before.challenge;
  const scope = wantedScope(config, challenge, before);
  const answered = redirect.wait((answer) => checkIssuer(provider, answer));
  answered.catch(() => {});
  await auth(provider, {
    serverUrl,
    ...(scope !== undefined && { scope }),
    ...(challenge?.resourceMetadataUrl !== undefined &&
      { resourceMetadataUrl: new URL(challenge.resourceMetadataUrl) }),
    fetchFn,
    forceReauthorization: true,
  });
  return await redeem(provider, await answered, fetchFn);
}

/** Rights that were given stay: what is asked for now comes on top. */
function wantedScope(
  config: OAuthConfig | undefined,
  challenge: Challenge | undefined,
  { challenge: last, tokens }: ServerLogin,
): string | undefined {
  const more = last?.insufficient ? [tokens?.scope, last.scope] : [];
  return computeScopeUnion(config?.scopes?.join(" "), challenge?.scope, ...more);
}

// RFC 9207: an answer of another authorization server must not have its code sent to this one.
function checkIssuer({ discovered }: LoginProvider, answer: URLSearchParams): void {
  const metadata = discovered?.authorizationServerMetadata;
  validateAuthorizationResponseIssuer({
    iss: answer.get("iss") ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
}

async function redeem(
  provider: LoginProvider,
  answer: URLSearchParams,
  fetchFn: FetchLike,
): Promise<LoginResult> {
  const code = answer.get("code");
  if (!code) throw new Error(`the authorization server answered ${refusal(answer)}`);
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = provider
    .discovered!;
  const issuer = authorizationServerMetadata?.issuer ?? authorizationServerUrl;
  const clientInformation = await provider.clientInformation({ issuer });
  if (clientInformation === undefined) throw new Error("the registration of this client is gone");
  const iss = answer.get("iss");
  const tokens = await exchangeAuthorization(authorizationServerUrl, {
    ...(authorizationServerMetadata && { metadata: authorizationServerMetadata }),
    // As the server wrote it: parsing may add a slash, and then it is another resource.
    ...(resourceMetadata && { resource: resourceMetadata.resource }),
    clientInformation,
    authorizationCode: code,
    ...(iss !== null && { iss }),
    codeVerifier: await provider.codeVerifier(),
    redirectUri: String(provider.redirectUrl),
    fetchFn,
  });
  await provider.saveTokens({ ...tokens, issuer }, { issuer });
  return {
    issuer,
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
    renewable: tokens.refresh_token !== undefined,
  };
}

function refusal(answer: URLSearchParams): string {
  const error = answer.get("error") ?? "neither a code nor an error";
  const description = answer.get("error_description");
  return JSON.stringify(description === null ? error : `${error}: ${description}`);
}
