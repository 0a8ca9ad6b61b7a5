/**
 * The secret that a manifest is sealed with: who can write the cache folder and not read the secret cannot make one.
 * @module
 */
const KEY_BYTES = 32;
const ALGORITHM = { name: "HMAC", hash: "SHA-256" } as const;

/**
 * Reads the secret, and makes one when there is none.
 *
 * @param path Its file, in a folder of the person's own.
 * @returns The secret; `undefined` when it can be neither read nor made.
 */
export async function loadManifestKey(path: string): Promise<CryptoKey | undefined> {
  const bytes = readKey(path) ?? makeKey(path);
  return bytes && await crypto.subtle.importKey("raw", bytes, ALGORITHM, false, ["sign", "verify"]);
}

function readKey(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Deno.readFileSync(path);
    return bytes.length === KEY_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

// Whoever of two comes first makes it, and the other one reads it; one that is damaged is made again.
function makeKey(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    Deno.mkdirSync(path.replace(/[/\\][^/\\]*$/, ""), { recursive: true, mode: 0o700 });
    const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    const isDamaged = isFile(path);
    Deno.writeFileSync(path, bytes, isDamaged ? {} : { createNew: true, mode: 0o600 });
    return bytes;
  } catch {
    return readKey(path);
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Seals a text.
 *
 * @param key The secret.
 * @param text The text.
 * @returns The seal, hexadecimal.
 */
export async function sealText(key: CryptoKey, text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(text))).toHex();
}

/**
 * Whether a seal belongs to a text.
 *
 * @param key The secret.
 * @param text The text.
 * @param seal The seal, hexadecimal.
 * @returns True when it was made of this text with this secret.
 */
export async function isSealed(key: CryptoKey, text: string, seal: string): Promise<boolean> {
  return await crypto.subtle.verify("HMAC", key, Uint8Array.fromHex(seal), encode(text));
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
