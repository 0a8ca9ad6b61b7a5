/**
 * The sealed channel between the front and a cell, over an inherited socket pair.
 * @module
 */
import type { Duplex } from "node:stream";
import { FrameReader, LENGTH_BYTES } from "./frame_reader.ts";
import { createKey, KEY_BYTES, Opener, Sealer } from "./seal.ts";

const ADDRESS_BYTES = 4;
const TAG_BYTES = 16;
const NO_LINGER = 8 * 1024 * 1024;

/** Receives what comes over a channel. */
export interface ChannelHandlers {
  /** A frame for, or from, a worker; number 0 is the cell's main isolate. */
  onFrame(worker: number, body: Uint8Array): void;
  /** The channel is over; `fault` says why when it was not closed in order. */
  onClose(fault?: string): void;
}

/** One end of a sealed channel. */
export class SealedChannel {
  readonly #socket: Duplex;
  readonly #handlers: ChannelHandlers;
  readonly #reader = new FrameReader();
  #sealer: Sealer | undefined;
  #opener: Opener | undefined;
  #queue: Uint8Array[] = [];
  #queued = 0;
  #writing = false;
  #closed = false;

  private constructor(socket: Duplex, handlers: ChannelHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    // A reset means that the other process is gone, which its exit explains better.
    socket.on("error", () => this.#close());
    socket.on("close", () => this.#close());
  }

  /**
   * Opens the front's end: makes the keys and sends them as the first frame, before any tool code runs
   * on the other side.
   *
   * @param socket The front's end of the socket pair.
   * @param handlers Receive frames and the end.
   * @returns The channel.
   */
  static lead(socket: Duplex, handlers: ChannelHandlers): SealedChannel {
    const channel = new SealedChannel(socket, handlers);
    const keys = new Uint8Array(2 * KEY_BYTES);
    const down = createKey(), up = createKey();
    keys.set(down);
    keys.set(up, KEY_BYTES);
    channel.#push([keys], keys.length);
    channel.#sealer = new Sealer(down);
    channel.#opener = new Opener(up);
    return channel;
  }

  /**
   * Opens the cell's end: the first frame brings the keys.
   *
   * @param socket The cell's end of the socket pair.
   * @param handlers Receive frames and the end.
   * @returns The channel.
   */
  static follow(socket: Duplex, handlers: ChannelHandlers): SealedChannel {
    return new SealedChannel(socket, handlers);
  }

  /** Bytes that wait to be written. */
  get queuedBytes(): number {
    return this.#queued;
  }

  /**
   * Sends a frame.
   *
   * @param worker The worker's number, or 0 for the cell's main isolate.
   * @param body The message.
   */
  send(worker: number, body: Uint8Array): void {
    if (this.#closed || !this.#sealer) return;
    const address = new Uint8Array(ADDRESS_BYTES);
    new DataView(address.buffer).setUint32(0, worker);
    this.#push(this.#sealer.seal([address, body]), ADDRESS_BYTES + body.length + TAG_BYTES);
  }

  /** Ends the channel. */
  destroy(): void {
    this.#socket.destroy();
    this.#close();
  }

  #push(parts: Uint8Array[], length: number): void {
    const head = new Uint8Array(LENGTH_BYTES);
    new DataView(head.buffer).setUint32(0, length);
    this.#queue.push(head, ...parts);
    this.#queued += LENGTH_BYTES + length;
    if (!this.#writing) this.#flush();
  }

  // One write at a time; what comes meanwhile goes out together. Fewer system calls under load, and no
  // delay when there is none.
  #flush(): void {
    if (this.#queue.length === 0 || this.#closed) {
      this.#writing = false;
      return;
    }
    this.#writing = true;
    const chunk = this.#takeQueued();
    this.#socket.write(chunk, () => {
      this.#queued -= chunk.length;
      this.#flush();
    });
  }

  #takeQueued(): Uint8Array {
    let total = 0, count = 0;
    while (count < this.#queue.length && (count === 0 || total < NO_LINGER)) {
      total += this.#queue[count++]!.length;
    }
    const chunk = new Uint8Array(total);
    let at = 0;
    for (const part of this.#queue.splice(0, count)) {
      chunk.set(part, at);
      at += part.length;
    }
    return chunk;
  }

  #receive(chunk: Uint8Array): void {
    let frames: Uint8Array[];
    try {
      frames = this.#reader.push(chunk);
    } catch (error) {
      return this.#fail((error as Error).message);
    }
    for (const frame of frames) {
      if (this.#closed) return;
      if (!this.#opener) this.#takeKeys(frame);
      else this.#open(frame);
    }
  }

  #takeKeys(frame: Uint8Array): void {
    if (frame.length !== 2 * KEY_BYTES) return this.#fail("The first frame holds no keys");
    this.#opener = new Opener(frame.slice(0, KEY_BYTES));
    this.#sealer = new Sealer(frame.slice(KEY_BYTES));
    this.#handlers.onFrame(0, new Uint8Array(0));
  }

  #open(frame: Uint8Array): void {
    const plain = this.#opener!.open(frame);
    if (!plain || plain.length < ADDRESS_BYTES) {
      return this.#fail("A frame does not verify: it was forged, changed or stolen");
    }
    const worker = ((plain[0]! << 24) | (plain[1]! << 16) | (plain[2]! << 8) | plain[3]!) >>> 0;
    this.#handlers.onFrame(worker, plain.subarray(ADDRESS_BYTES));
  }

  #fail(fault: string): void {
    this.#socket.destroy();
    this.#close(fault);
  }

  #close(fault?: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue = [];
    this.#handlers.onClose(fault);
  }
}
