/**
 * What is kept of logins: the shape of the file, and the check of what is read from it.
 * @module
 */
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/** What a server said about the login that it wants. */
export interface Challenge {
  /** The rights it asks for, separated by spaces. */
  readonly scope?: string;
  /** Where it describes itself. */
  readonly resourceMetadataUrl?: string;
  /** Whether the login was good and only its rights were too narrow. */
  readonly insufficient?: boolean;
}

/** The login at one server. */
export interface ServerLogin {
  /** The tokens, stamped with the issuer that gave them. */
  readonly tokens?: StoredOAuthTokens;
  /** When the access token ends, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Which authorization server it is, as it was found when the person signed in. */
  readonly discovery?: OAuthDiscoveryState;
  /** What the server asked for last. */
  readonly challenge?: Challenge;
}

/** Everything that is kept. */
export interface OAuthRecord {
  /** The version of this shape. */
  readonly version: 1;
  /** Logins by the server's URL. */
  readonly servers: { readonly [serverUrl: string]: ServerLogin };
  /** Registrations of this client by the issuer that made them. */
  readonly clients: { readonly [issuer: string]: StoredOAuthClientInformation };
}

/**
 * A record without logins.
 *
 * @returns The record.
 */
export function emptyRecord(): OAuthRecord {
  return { version: 1, servers: {}, clients: {} };
}

/**
 * Checks what was read from the file.
 *
 * @param value The parsed text.
 * @returns The record, or `undefined` when it is none.
 */
export function parseRecord(value: unknown): OAuthRecord | undefined {
  if (!isObject(value) || value.version !== 1) return undefined;
  if (!isObject(value.servers) || !isObject(value.clients)) return undefined;
  if (!Object.values(value.servers).every(isLogin)) return undefined;
  if (!Object.values(value.clients).every(isClient)) return undefined;
  return value as unknown as OAuthRecord;
}

function isLogin(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { tokens, expiresAt, discovery, challenge } = value;
  return (tokens === undefined || isTokens(tokens)) &&
    (expiresAt === undefined || typeof expiresAt === "number") &&
    (discovery === undefined ||
      isObject(discovery) && typeof discovery.authorizationServerUrl === "string") &&
    (challenge === undefined || isObject(challenge));
}

function isTokens(value: unknown): boolean {
  return isObject(value) && typeof value.access_token === "string" &&
    typeof value.issuer === "string" &&
    (value.refresh_token === undefined || typeof value.refresh_token === "string") &&
    (value.scope === undefined || typeof value.scope === "string");
}

function isClient(value: unknown): boolean {
  return isObject(value) && typeof value.client_id === "string" && typeof value.issuer === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
