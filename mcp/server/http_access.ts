/**
 * Who may talk to the MCP server over HTTP.
 * @module
 */
import { createHash, timingSafeEqual } from "node:crypto";
import {
  type AuthInfo,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  type OAuthTokenVerifier,
  originValidationResponse,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { principalOf } from "./principal.ts";
import { rpcError } from "./rpc_response.ts";

/** Names that a request may call this server by. */
export interface McpGateOptions {
  /** Host names without port. @default {["localhost", "127.0.0.1", "[::1]"]} */
  readonly allowedHosts?: readonly string[];
  /** Host names of origins, without scheme and port. @default {the allowed hosts} */
  readonly allowedOrigins?: readonly string[];
}

/** Tokens that an authorization server gives out. */
export interface McpAuthOptions {
  /** Says what a token is good for; must name its audience in `resource` and its end in `expiresAt`. */
  readonly verifier: OAuthTokenVerifier;
  /** The issuers of the authorization servers. */
  readonly authorizationServers: readonly string[];
  /** This server's own address: tokens must be meant for it. */
  readonly resource: URL;
  /** Scopes that a token must have. @default {[]} */
  readonly scopes?: readonly string[];
}

/** How access is decided. */
export interface HttpAccessOptions {
  /** Checks Host and Origin; left out where somebody in front does. */
  readonly gate?: McpGateOptions;
  /** The one token that every request must carry. */
  readonly token?: string;
  /** Tokens of an authorization server, in place of `token`. */
  readonly auth?: McpAuthOptions;
}

/** Who was let in, or the answer to who was not. */
export type Admission =
  | { readonly principal: string; readonly authInfo?: AuthInfo }
  | { readonly refused: Response };

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Decides who may talk to the server. */
export class HttpAccess {
  readonly #options: HttpAccessOptions;
  readonly #verify: ((request: Request) => Promise<AuthInfo | Response>) | undefined;

  /**
   * Makes the rules.
   *
   * @param options How access is decided.
   * @throws {TypeError} If both a token and an authorization server are given.
   */
  constructor(options: HttpAccessOptions) {
    const { token, auth } = options;
    if (token !== undefined && auth !== undefined) {
      throw new TypeError('Cannot serve MCP with both "token" and "auth": leave one of them out');
    }
    this.#options = options;
    this.#verify = auth && requireBearerAuth({
      verifier: auth.verifier,
      requiredScopes: [...auth.scopes ?? []],
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(auth.resource),
      expectedResource: auth.resource,
    });
  }

  /** Whether tokens are checked here. */
  get checksTokens(): boolean {
    return this.#verify !== undefined || this.#options.token !== undefined;
  }

  /**
   * Checks the names that a request calls this server and its own page by.
   *
   * @param request The request.
   * @returns The refusal, or `undefined`.
   */
  refuseNames(request: Request): Response | undefined {
    const { gate } = this.#options;
    if (gate === undefined) return undefined;
    const hosts = [...gate.allowedHosts ?? LOOPBACK];
    return hostHeaderValidationResponse(request, hosts) ??
      originValidationResponse(request, [...gate.allowedOrigins ?? hosts]);
  }

  /**
   * Answers a request for the metadata of RFC 9728.
   *
   * @param request The request.
   * @returns The answer; `undefined` for a request of another kind.
   */
  metadata(request: Request): Response | undefined {
    const path = new URL(request.url).pathname;
    if (!path.startsWith(METADATA_PATH)) return undefined;
    const { auth } = this.#options;
    const own = auth && new URL(getOAuthProtectedResourceMetadataUrl(auth.resource)).pathname;
    if (auth === undefined || (path !== own && path !== METADATA_PATH)) {
      return rpcError({ status: 404, code: -32_000, message: "There is nothing here" });
    }
    if (request.method !== "GET") {
      const headers = { allow: "GET" };
      return rpcError({ status: 405, code: -32_000, message: "Method not allowed", headers });
    }
    return Response.json({
      resource: auth.resource.href,
      authorization_servers: [...auth.authorizationServers],
      ...(auth.scopes && auth.scopes.length > 0 ? { scopes_supported: [...auth.scopes] } : {}),
      bearer_methods_supported: ["header"],
      resource_name: "cloister",
    }, { headers: { "access-control-allow-origin": "*" } });
  }

  /**
   * Checks the token of a request.
   *
   * @param request The request.
   * @returns Who makes it, or the refusal: 401, or 403 for a token without the scopes.
   */
  async admit(request: Request): Promise<Admission> {
    if (this.#verify !== undefined) {
      const authInfo = await this.#verify(request);
      if (authInfo instanceof Response) return { refused: authInfo };
      return { principal: principalOf(authInfo), authInfo };
    }
    const { token } = this.#options;
    if (token === undefined || isToken(request, token)) {
      return { principal: principalOf(undefined) };
    }
    return {
      refused: rpcError({
        status: 401,
        code: -32_000,
        message: "This server needs a token: send it as 'Authorization: Bearer <token>'",
        headers: { "www-authenticate": 'Bearer realm="cloister"' },
      }),
    };
  }
}

function isToken(request: Request, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  // Hashes have one length, so that the comparison tells nothing, not even that.
  return timingSafeEqual(digest(sent), digest(token));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
