/**
 * Cuts a stream of bytes into length-prefixed frames.
 * @module
 */

/** Longest frame in bytes; a longer one ends the link. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024;
/** Bytes of the length in front of each frame. */
export const LENGTH_BYTES = 4;

/** Collects chunks and gives whole frames. */
export class FrameReader {
  #buffer = new Uint8Array(64 * 1024);
  #start = 0;
  #end = 0;

  /**
   * Takes a chunk and gives the frames that are complete.
   *
   * @param chunk Bytes as they came.
   * @returns The frames, in order. Each is a view that holds until the next `push`.
   * @throws {RangeError} If a frame says that it is longer than {@linkcode MAX_FRAME_BYTES}.
   */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#append(chunk);
    const frames: Uint8Array[] = [];
    while (this.#end - this.#start >= LENGTH_BYTES) {
      const length = this.#length();
      if (length > MAX_FRAME_BYTES) {
        throw new RangeError(`Cannot read a frame of ${length} bytes: ${MAX_FRAME_BYTES} at most`);
      }
      const from = this.#start + LENGTH_BYTES;
      if (this.#end - from < length) break;
      frames.push(this.#buffer.subarray(from, from + length));
      this.#start = from + length;
    }
    return frames;
  }

  #length(): number {
    const b = this.#buffer, at = this.#start;
    return ((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0;
  }

  #append(chunk: Uint8Array): void {
    const held = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) this.#makeRoom(held + chunk.length);
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  #makeRoom(needed: number): void {
    const held = this.#buffer.subarray(this.#start, this.#end);
    // Always a new buffer: frames handed out before are views of the old one.
    let size = 64 * 1024;
    while (size < needed) size *= 2;
    const next = new Uint8Array(size);
    next.set(held);
    this.#end = held.length;
    this.#start = 0;
    this.#buffer = next;
  }
}
