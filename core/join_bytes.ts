/**
 * Bytes that came in pieces.
 * @module
 */

/**
 * Joins pieces.
 *
 * @param pieces The pieces, in their order.
 * @returns One array of their bytes, with memory of its own.
 */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
