/**
 * Taking values that look like secrets out of texts.
 * @module
 */
import type { JsonObject, JsonValue } from "../core/json.ts";

const REDACTED = "[redacted]";
const SECRET_NAME =
  /pass(?:word|wd|phrase)?$|secret|token$|api[-_]?key|private[-_]?key|authorization|cookie|credential/i;
// Every repetition is bounded or runs over one class of characters only, so that time stays linear.
const KNOWN_KEYS =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{30,}|hf_\w{20,}|eyJ[\w-]{10,2048}\.[\w-]{4,2048}\.[\w-]{4,2048})/g;
const PEM =
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z ]{0,32}PRIVATE KEY-----)?/g;
const SCHEME = /\b(Bearer|Basic)[ \t]{1,4}[\w.~+/=-]{8,4096}/gi;
const USER_INFO = /(:\/\/)[^\s/?#@:]{0,128}:[^\s/?#@]{1,256}@/g;
const ASSIGNED =
  /((?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key)(?:["'][ \t]{0,4}:[ \t]{0,4}["']|[ \t]{0,4}=[ \t]{0,4}["']?))[^\s"',;&]{4,4096}/gi;
// After a bare colon often stands prose ("unexpected token: comma"); a digit makes it a value.
const TOLD =
  /((?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key):[ \t]{0,4})(?=[^\s"',;&0-9]{0,64}[0-9])[^\s"',;&]{4,4096}/gi;

/**
 * Replaces what looks like a secret: keys of well-known services, private keys, bearer tokens, passwords in
 * URLs and in assignments. A help against accidents, not a boundary.
 *
 * @param text Any text.
 * @returns The text with `[redacted]` in place of each find.
 */
export function redactSecrets(text: string): string {
  return text
    .replace(PEM, REDACTED)
    .replace(KNOWN_KEYS, REDACTED)
    .replace(SCHEME, `$1 ${REDACTED}`)
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(ASSIGNED, `$1${REDACTED}`)
    .replace(TOLD, `$1${REDACTED}`);
}

/**
 * Does the same in a text that may be JSON, which it then stays.
 *
 * @param text Any text.
 * @returns The text without secrets.
 */
export function redactJson(text: string): string {
  let isFound = false;
  const redact = (_key: string, value: unknown): unknown => {
    if (typeof value !== "string") return value;
    const clean = redactSecrets(value);
    isFound ||= clean !== value;
    return clean;
  };
  try {
    const clean = JSON.stringify(JSON.parse(text), redact);
    return isFound ? clean : text;
  } catch {
    return redactSecrets(text);
  }
}

/**
 * Does the same for every text in a JSON object; members whose name says that they are secret go as a whole.
 *
 * @param data The object.
 * @returns A copy without secrets.
 */
export function redactObject(data: JsonObject): JsonObject {
  return redactValue(data, 0) as JsonObject;
}

function redactValue(value: JsonValue, depth: number): JsonValue {
  if (typeof value === "string") return redactSecrets(value);
  if (value === null || typeof value !== "object") return value;
  if (depth > 20) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET_NAME.test(key) && item !== null && typeof item !== "boolean"
        ? REDACTED
        : redactValue(item, depth + 1),
    ]),
  );
}
