/**
 * SHA-256 without `node:crypto`, which costs a warm start 25 ms (measured on Deno 2.9.6).
 * @module
 */

/**
 * Hashes bytes.
 *
 * @param bytes The bytes.
 * @returns SHA-256, hexadecimal.
 */
export async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/**
 * Hashes a text as UTF-8.
 *
 * @param text The text.
 * @returns SHA-256, hexadecimal.
 */
export function hashText(text: string): Promise<string> {
  return hashBytes(new TextEncoder().encode(text));
}

/** A file of a closure as far as its hash is concerned. */
export interface HashedFile {
  /** The path below the root. */
  readonly relative: string;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
}

/**
 * Hashes a module with everything it imports.
 *
 * @param entry The module's path below the root.
 * @param files The module and every local file it imports, in any order.
 * @returns SHA-256 over the sorted paths and hashes, hexadecimal.
 */
export function hashClosure(entry: string, files: readonly HashedFile[]): Promise<string> {
  const lines = files.map((file) => `${JSON.stringify(file.relative)} ${file.hash}`).toSorted();
  return hashText(["cloister closure 1", JSON.stringify(entry), ...lines].join("\n"));
}
