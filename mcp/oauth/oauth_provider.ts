/**
 * How this client presents itself to an authorization server, and what it remembers during one login.
 * @module
 */
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { McpServerConfig } from "../config/server_config.ts";
import { checkAuthHop } from "./auth_fetch.ts";
import type { LoopbackRedirect } from "./loopback_redirect.ts";
import type { OAuthStore } from "./oauth_store.ts";

/** What the configuration says about the login. */
export type OAuthConfig = NonNullable<McpServerConfig["oauth"]>;

/** Options of {@linkcode createOAuthProvider}. */
export interface OAuthProviderOptions {
  /** The MCP server's URL. */
  readonly serverUrl: string;
  /** Where logins are kept. */
  readonly store: OAuthStore;
  /** What the configuration says. */
  readonly config?: OAuthConfig;
  /** Shows the person the address to open, and opens it where that is allowed. */
  readonly openBrowser: (url: URL) => void | Promise<void>;
  /** Where the browser comes back to. */
  readonly redirect: Pick<LoopbackRedirect, "url" | "state">;
}

/** The provider of one login. */
export interface LoginProvider extends OAuthClientProvider {
  /** Which authorization server this login is at; absent until it was found. */
  readonly discovered: OAuthDiscoveryState | undefined;
  /** The values that no text may show. */
  readonly secrets: readonly string[];
}

/**
 * Makes the provider of one login.
 *
 * @param options The server, the store, the configuration, the browser and where it comes back to.
 * @returns The provider, for the functions of the SDK.
 */
export function createOAuthProvider(options: OAuthProviderOptions): LoginProvider {
  return new Provider(options);
}

/**
 * The configured client id as the address of a metadata document, when it is one.
 *
 * @param config What the configuration says.
 * @returns The address, or `undefined`.
 */
export function metadataUrlOf(config: OAuthConfig | undefined): string | undefined {
  const id = config?.clientId;
  return id !== undefined && URL.parse(id)?.protocol === "https:" ? id : undefined;
}

class Provider implements LoginProvider {
  readonly #options: OAuthProviderOptions;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly secrets: string[] = [];
  discovered: OAuthDiscoveryState | undefined;
  #verifier: string | undefined;

  constructor(options: OAuthProviderOptions) {
    this.#options = options;
    this.secrets.push(...[options.config?.clientSecret, options.redirect.state].filter(isText));
    const url = metadataUrlOf(options.config);
    if (url !== undefined) this.clientMetadataUrl = url;
    this.clientMetadata = {
      client_name: "Cloister",
      redirect_uris: [options.redirect.url],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
      token_endpoint_auth_method: "none",
    };
  }

  get redirectUrl(): string {
    return this.#options.redirect.url;
  }

  state(): string {
    return this.#options.redirect.state;
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    if (context === undefined) return undefined;
    const { config, store, serverUrl } = this.#options;
    if (config?.clientId !== undefined && this.clientMetadataUrl === undefined) {
      const bound = (await store.login(serverUrl)).tokens?.issuer;
      checkIssuer(config.clientId, bound, context.issuer);
      return {
        client_id: config.clientId,
        ...(config.clientSecret !== undefined && { client_secret: config.clientSecret }),
        issuer: context.issuer,
      };
    }
    const { clients } = await store.read();
    const client = Object.hasOwn(clients, context.issuer) ? clients[context.issuer] : undefined;
    return client !== undefined && this.#fits(client) ? this.#seen(client) : undefined;
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    const issuer = context?.issuer ?? client.issuer;
    if (issuer === undefined) return;
    this.#seen(client);
    await this.#options.store.update((record) => ({
      ...record,
      clients: { ...record.clients, [issuer]: { ...client, issuer } },
    }));
  }

  // Renewing is done elsewhere, under a lock: a login always asks the person.
  tokens(): undefined {
    return undefined;
  }

  async saveTokens(
    tokens: StoredOAuthTokens,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    const issuer = context?.issuer ?? tokens.issuer;
    await this.#options.store.changeLogin(this.#options.serverUrl, () => ({
      tokens: { ...tokens, issuer },
      ...(tokens.expires_in !== undefined && { expiresAt: Date.now() + tokens.expires_in * 1000 }),
      ...(this.discovered && { discovery: this.discovered }),
    }));
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const methods = this.discovered?.authorizationServerMetadata?.code_challenge_methods_supported;
    if (this.discovered?.authorizationServerMetadata && !methods?.includes("S256")) {
      throw new Error(
        `Cannot sign in at ${JSON.stringify(url.origin)}: expected an authorization server that ` +
          `takes proof keys (code_challenge_methods_supported with "S256")`,
      );
    }
    await checkAuthHop(url, this.#options.serverUrl, "the login page");
    await this.#options.openBrowser(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.secrets.push(verifier);
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error("Cannot finish a login that was not begun");
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }

  // A login looks anew: the authorization server may be another by now.
  discoveryState(): undefined {
    return undefined;
  }

  #seen(client: StoredOAuthClientInformation): StoredOAuthClientInformation {
    if (client.client_secret !== undefined) this.secrets.push(client.client_secret);
    return client;
  }

  /** Whether a registration of earlier is good for this login. */
  #fits(client: StoredOAuthClientInformation): boolean {
    if (client.client_id === this.clientMetadataUrl) return true;
    if (
      this.clientMetadataUrl !== undefined && URL.parse(client.client_id)?.protocol === "https:"
    ) {
      return false;
    }
    if (!("redirect_uris" in client) || !Array.isArray(client.redirect_uris)) return false;
    const ends = "client_secret_expires_at" in client ? Number(client.client_secret_expires_at) : 0;
    return client.redirect_uris.includes(this.redirectUrl) &&
      !(ends > 0 && ends * 1000 < Date.now());
  }
}

// A server that names another authorization server would else be handed the client's secret.
function checkIssuer(clientId: string, bound: string | undefined, issuer: string): void {
  if (bound === undefined || bound === issuer) return;
  throw new Error(
    `Cannot use client ${JSON.stringify(clientId)} at ${JSON.stringify(issuer)}: it was used at ` +
      `${JSON.stringify(bound)} before; sign out first if the change is right`,
  );
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
