/**
 * Seals frames, because any code in a cell can reach the cell's open descriptors: a frame that was not
 * made by the other side, or does not come in its turn, does not open.
 * @module
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "chacha20-poly1305";
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** Length of a key in bytes. */
export const KEY_BYTES = 32;

/** Makes a new random key. */
export function createKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_BYTES));
}

// The nonce is the frame's number: never used twice under one key, and not sent, so that a frame which
// was replayed, dropped or moved does not open.
function nextNonce(nonce: DataView): void {
  const low = nonce.getUint32(8) + 1;
  nonce.setUint32(8, low >>> 0);
  if (low > 0xffffffff) nonce.setUint32(4, nonce.getUint32(4) + 1);
}

/** Seals the frames of one direction. */
export class Sealer {
  readonly #key: Uint8Array;
  readonly #nonce = new DataView(new ArrayBuffer(NONCE_BYTES));

  /**
   * Makes a sealer.
   *
   * @param key The direction's own key, {@linkcode KEY_BYTES} long.
   */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /**
   * Seals the next frame.
   *
   * @param parts The plain text, in pieces.
   * @returns The sealed pieces; the last one is the tag.
   */
  seal(parts: readonly Uint8Array[]): Uint8Array[] {
    nextNonce(this.#nonce);
    const cipher = createCipheriv(CIPHER, this.#key, new Uint8Array(this.#nonce.buffer), {
      authTagLength: TAG_BYTES,
    });
    const sealed: Uint8Array[] = parts.map((part) => cipher.update(part));
    cipher.final();
    sealed.push(cipher.getAuthTag());
    return sealed;
  }
}

/** Opens the frames of one direction. */
export class Opener {
  readonly #key: Uint8Array;
  readonly #nonce = new DataView(new ArrayBuffer(NONCE_BYTES));

  /**
   * Makes an opener.
   *
   * @param key The direction's own key, {@linkcode KEY_BYTES} long.
   */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /**
   * Opens the next frame.
   *
   * @param sealed The frame as it came.
   * @returns The plain text, or `undefined` when it was forged, changed, or is not the next one.
   */
  open(sealed: Uint8Array): Uint8Array | undefined {
    if (sealed.length < TAG_BYTES) return undefined;
    nextNonce(this.#nonce);
    const decipher = createDecipheriv(CIPHER, this.#key, new Uint8Array(this.#nonce.buffer), {
      authTagLength: TAG_BYTES,
    });
    const end = sealed.length - TAG_BYTES;
    try {
      decipher.setAuthTag(sealed.subarray(end));
      const plain = decipher.update(sealed.subarray(0, end));
      decipher.final();
      return plain;
    } catch {
      return undefined;
    }
  }
}
