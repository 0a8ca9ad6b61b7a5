/**
 * Which port the browser comes back to.
 * @module
 */
import type { OAuthStore } from "./oauth_store.ts";

/**
 * The port of the last registration for a server, so that it can be used again.
 *
 * @param store Where registrations are kept.
 * @param serverUrl The server's URL.
 * @returns The port when it is free, else `undefined`.
 */
export async function redirectPort(
  store: OAuthStore,
  serverUrl: string,
): Promise<number | undefined> {
  const issuer = (await store.login(serverUrl)).tokens?.issuer;
  const { clients } = await store.read();
  const client = issuer !== undefined && Object.hasOwn(clients, issuer)
    ? clients[issuer]
    : undefined;
  if (client === undefined || !("redirect_uris" in client)) return undefined;
  const uris: unknown = client.redirect_uris;
  const port = Array.isArray(uris) ? Number(URL.parse(String(uris[0]))?.port) : 0;
  return port > 0 && isFree(port) ? port : undefined;
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
