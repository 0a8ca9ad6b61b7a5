/**
 * Who makes a request, as far as sessions, limits and waiting calls are kept apart.
 * @module
 */
import { createHash } from "node:crypto";
import type { AuthInfo } from "@modelcontextprotocol/server";

/** Everybody, where nobody has to say who they are. */
export const ANYBODY = "anybody";

/**
 * The principal behind a verified token. Where the verifier names no subject (`extra.sub`), each token is one of its
 * own: clients are shared by many people.
 *
 * @param auth What the verifier said; absent where there is none.
 * @returns The principal.
 */
export function principalOf(auth: AuthInfo | undefined): string {
  if (auth === undefined) return ANYBODY;
  const subject = auth.extra?.sub;
  const who = typeof subject === "string" && subject !== ""
    ? ["subject", subject]
    : ["token", createHash("sha256").update(auth.token).digest("hex")];
  return JSON.stringify([auth.clientId, ...who]);
}
