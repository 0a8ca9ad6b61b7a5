import { join } from "node:path";
import { login, type LoginOptions, type LoginResult } from "../../../mcp/oauth/login.ts";
import { OAuthStore } from "../../../mcp/oauth/oauth_store.ts";
import {
  AuthorizationServer,
  type AuthorizationServerOptions,
  ResourceServer,
  type ResourceServerOptions,
} from "../../fixtures/mcp/authorization_server.ts";

/** A server behind a login, its authorization server, and a store in a folder of its own. */
export interface LoginArena extends AsyncDisposable {
  readonly issuer: AuthorizationServer;
  readonly server: ResourceServer;
  readonly folder: string;
  readonly store: OAuthStore;
  /** Signs in, with a person that agrees at once. */
  signIn(options?: Partial<LoginOptions>): Promise<LoginResult>;
}

/** A person who opens the page and follows where it leads. */
export async function agree(url: URL): Promise<void> {
  await (await fetch(url)).body?.cancel();
}

export async function loginArena(
  options: AuthorizationServerOptions = {},
  resource: Partial<ResourceServerOptions> = {},
): Promise<LoginArena> {
  const folder = join(await Deno.makeTempDir({ prefix: "cloister-oauth-" }), "cache");
  const issuer = new AuthorizationServer(options);
  const server = new ResourceServer({
    issuers: () => [issuer.issuer],
    accepts: (token) => issuer.tokens.has(token),
    ...resource,
  });
  const store = new OAuthStore(folder);
  return {
    issuer,
    server,
    folder,
    store,
    signIn: (more = {}) =>
      login({ name: "docs", serverUrl: server.url, store, openBrowser: agree, ...more }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
      await Deno.remove(join(folder, ".."), { recursive: true });
    },
  };
}
