/**
 * The login of a run: stored tokens, renewed where that needs no person. No browser is ever opened here.
 * @module
 */
import { InsufficientScopeError, UnauthorizedError } from "@modelcontextprotocol/client";
import type { AuthProvider, FetchLike } from "@modelcontextprotocol/client";
import { checkAuthUrl, createAuthFetch } from "./auth_fetch.ts";
import { readChallenge } from "./challenge.ts";
import { LoginRequiredError } from "./login_required.ts";
import type { Challenge } from "./oauth_record.ts";
import type { OAuthConfig } from "./oauth_provider.ts";
import type { OAuthStore } from "./oauth_store.ts";
import { refreshTokens } from "./refresh_tokens.ts";

/** How long before its end a token is renewed. */
const EARLY_MS = 30_000;

/** Options of {@linkcode createServerAuth}. */
export interface ServerAuthOptions {
  /** The server's name in the configuration. */
  readonly name: string;
  /** Its URL. */
  readonly serverUrl: string;
  /** Where logins are kept. */
  readonly store: OAuthStore;
  /** What the configuration says. */
  readonly config?: OAuthConfig;
  /** Ends every request to an authorization server. */
  readonly signal?: AbortSignal;
}

/** The login of a run, for the transports of the SDK. */
export interface ServerAuth extends AuthProvider {
  /**
   * Wraps the fetch of a transport, to learn from its answers which rights a server asks for. Tokens are not
   * added here.
   *
   * @param base The fetch to wrap. @default {fetch}
   * @returns The fetch for the transport.
   */
  watch(base?: FetchLike): FetchLike;
}

/**
 * Makes the login of a run for one server. What it hands out is for that server's own URL only: the transport
 * puts it into the `Authorization` header of requests to it.
 *
 * @param options The server, the store and the configuration.
 * @returns The login, for the option `authProvider` of a transport.
 * @throws {Error} If the server's URL is plain `http:` and not on this machine.
 */
export function createServerAuth(options: ServerAuthOptions): ServerAuth {
  checkAuthUrl(options.serverUrl, options.serverUrl, "a login for the server");
  return new StoredAuth(options);
}

/**
 * Says that a person must sign in, when that is what an error of a connection means.
 *
 * @param error What a connection or a call threw.
 * @param name The server's name in the configuration.
 * @returns The error to show, or `undefined` when it is about something else.
 */
export function loginRequired(error: unknown, name: string): LoginRequiredError | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    if (one instanceof LoginRequiredError) return one;
    if (one instanceof InsufficientScopeError) return new LoginRequiredError(name, "scope");
    if (one instanceof UnauthorizedError || statusOf(one) === 401) {
      return new LoginRequiredError(name, "refused");
    }
  }
  return undefined;
}

class StoredAuth implements ServerAuth {
  readonly #options: ServerAuthOptions;
  readonly #fetch: FetchLike;
  // Calls under way together may have been sent with different tokens.
  readonly #sent = new WeakMap<Response, string>();
  #given: string | undefined;
  #renewing: Promise<string | undefined> | undefined;

  constructor(options: ServerAuthOptions) {
    this.#options = options;
    this.#fetch = createAuthFetch(options.serverUrl, options.signal);
  }

  async token(): Promise<string | undefined> {
    const { tokens, expiresAt } = await this.#login();
    const isOld = expiresAt !== undefined && expiresAt - EARLY_MS < Date.now();
    const token = tokens?.access_token;
    this.#given = isOld && tokens?.refresh_token !== undefined
      // When nothing comes of it the server has the last word.
      ? await this.#renew(token).catch(() => undefined) ?? token
      : token;
    return this.#given;
  }

  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const given = this.#sent.get(response) ?? this.#given;
    await this.#remember(readChallenge(response));
    const { tokens } = await this.#login();
    if (tokens === undefined) this.#fail("not_signed_in");
    // Another process signed in or renewed meanwhile.
    if (tokens.access_token !== given) return;
    if (tokens.refresh_token === undefined) this.#fail("refused");
    if (await this.#renew(given) === undefined) this.#fail("refresh_failed");
  }

  watch(base: FetchLike = fetch): FetchLike {
    return async (url, init) => {
      const response = await base(url, init);
      const token = new Headers(init?.headers).get("authorization")?.replace(/^Bearer /, "");
      if (response.status === 401 && token !== undefined) this.#sent.set(response, token);
      if (response.status === 403) await this.#remember(readChallenge(response));
      return response;
    };
  }

  #login() {
    return this.#options.store.login(this.#options.serverUrl);
  }

  #fail(reason: LoginRequiredError["reason"]): never {
    throw new LoginRequiredError(this.#options.name, reason);
  }

  /** Calls in flight together share one renewal. */
  async #renew(stale: string | undefined): Promise<string | undefined> {
    const { serverUrl, store, config } = this.#options;
    this.#renewing ??= refreshTokens({
      serverUrl,
      store,
      ...(config && { config }),
      fetchFn: this.#fetch,
      stale,
    }).finally(() => this.#renewing = undefined);
    return await this.#renewing;
  }

  async #remember(challenge: Challenge | undefined): Promise<void> {
    if (challenge === undefined) return;
    const { store, serverUrl } = this.#options;
    const { challenge: old } = await this.#login();
    if (JSON.stringify(old) === JSON.stringify(challenge)) return;
    await store.changeLogin(serverUrl, (login) => ({ ...login, challenge }));
  }
}

function statusOf(error: Error): unknown {
  return "status" in error ? error.status : undefined;
}
