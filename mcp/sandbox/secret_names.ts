/**
 * Names that say that something is secret.
 * @module
 */

const SECRET_WORDS: ReadonlySet<string> = new Set(
  ("apikey apikeys auth authorization bearer cookie cookies credential credentials cred creds dsn jwt key keys keyfile " +
    "pass passcode passphrase passwd password pat pin private pw pwd salt secret secrets session signature token " +
    "tokens webhook").split(" "),
);
const JOINED =
  /secret|passw(?:or)?d|passphrase|token|apikey|accesskey|privatekey|credential|authoriz/;
/** Addresses with a password in them. */
const STORES = /database|postgres|mysql|maria|mongo|redis|amqp|rabbit|broker|smtp|elastic|\bdb\b/;
const SECRET_FILES =
  /^(?:\.env(?:\..*)?|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519).*|credentials.*|secrets?\..*|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i;
const SECRET_FOLDERS: ReadonlySet<string> = new Set(
  ".ssh .gnupg .aws .azure .kube .docker .git .password-store".split(" "),
);

/**
 * Whether a variable's name says that its value may be secret.
 *
 * @param name The name.
 * @returns True when it does.
 */
export function isSecretVariable(name: string): boolean {
  if (name === "PWD" || name === "OLDPWD") return false;
  const text = name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const words = text.split(/[^a-z0-9]+/).map((word) => word.replace(/\d+$/, ""));
  if (words.some((word) => SECRET_WORDS.has(word)) || JOINED.test(text)) return true;
  const isAddress = words.some((word) => /^(?:url|uri|connection|connstr)$/.test(word));
  return isAddress && STORES.test(words.join(" "));
}

/**
 * Whether a path inside the workspace says that what is there may be secret.
 *
 * @param path The path.
 * @returns True when it does.
 */
export function isSecretPath(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return SECRET_FILES.test(parts.at(-1) ?? "") ||
    parts.some((part) => SECRET_FOLDERS.has(part.toLowerCase()));
}
