/**
 * What a server says when it wants a login.
 * @module
 */
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { Challenge } from "./oauth_record.ts";

/**
 * Reads what a refused request was answered.
 *
 * @param response An answer with status 401 or 403.
 * @returns What the server asks for; `undefined` when it is no question of the login.
 */
export function readChallenge(response: Response): Challenge | undefined {
  const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
  const insufficient = response.status === 403 && error === "insufficient_scope";
  if (response.status !== 401 && !insufficient) return undefined;
  return {
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: resourceMetadataUrl.href }),
    ...(insufficient && { insufficient }),
  };
}

/**
 * Asks a server without a login, to learn which one it wants.
 *
 * @param serverUrl The server's URL.
 * @param fetchFn Makes the request.
 * @returns What it asks for; `undefined` when it did not refuse.
 */
export async function probeChallenge(
  serverUrl: string,
  fetchFn: FetchLike,
): Promise<Challenge | undefined> {
  const response = await fetchFn(serverUrl, {
    method: "POST",
    // A redirect is no answer to the question, and the request is not sent again.
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  return readChallenge(response);
}
