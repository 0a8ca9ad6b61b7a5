/**
 * Error texts of the OAuth steps without what they must not tell.
 * @module
 */
import { redactSecrets } from "../../runtime/redact.ts";

const MAX_LENGTH = 500;
const PARAMETER =
  /((?:access_token|refresh_token|id_token|client_secret|client_assertion|code|code_verifier|state)(?:"\s{0,4}:\s{0,4}"|=))[^\s"&]{1,4096}/g;

/**
 * Says what went wrong, for a person.
 *
 * @param error What was thrown; its text may come from a foreign server.
 * @param secrets Values that must not appear.
 * @returns One line, shortened, without these values and without what looks like a secret.
 */
export function oauthErrorText(error: unknown, secrets: Iterable<string | undefined> = []): string {
  let text = error instanceof Error ? error.message : String(error);
  for (const secret of secrets) {
    if (secret !== undefined && secret.length > 0) text = text.replaceAll(secret, "[redacted]");
  }
  text = redactSecrets(text.replace(PARAMETER, "$1[redacted]"));
  // deno-lint-ignore no-control-regex
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH) + "…" : line;
}
