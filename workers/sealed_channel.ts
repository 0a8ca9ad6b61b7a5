/**
 * The sealed channel between the front and a cell, over an inherited socket pair.
 * @module
 */
import type { Duplex } from "node:stream";
import { FrameReader, LENGTH_BYTES } from "./frame_reader.ts";
import { createKey, KEY_BYTES, Opener, Sealer } from "./seal.ts";
import type { Packet } from "./wire.ts";

/** Bytes in front of each message of a frame: the worker's number and the message's length. */
const HEAD_BYTES = 8;
/** A frame takes messages until it is this long; a longer message has a frame of its own. */
const FULL_FRAME_BYTES = 256 * 1024;
const encoder = new TextEncoder();

interface Outgoing {
  readonly worker: number;
  readonly body: Packet;
  /** An upper bound of its length in bytes. */
  readonly size: number;
}

/** Receives what comes over a channel. */
export interface ChannelHandlers {
  /** A message for, or from, a worker; number 0 is the cell's main isolate. The body holds until the next. */
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
  #queue: Outgoing[] = [];
  #queued = 0;
  #flushing = false;
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
    socket.write(framed([keys]));
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
   * Sends a message. What is sent before the next turn of the event loop, or while a write is under way, goes
   * out in one sealed frame: sealing and writing cost the same for one message as for fifty.
   *
   * @param worker The worker's number, or 0 for the cell's main isolate.
   * @param body The message.
   */
  send(worker: number, body: Packet): void {
    if (this.#closed || !this.#sealer) return;
    const size = HEAD_BYTES + (typeof body === "string" ? body.length * 3 : body.length);
    this.#queue.push({ worker, body, size });
    this.#queued += size;
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => this.#flush());
  }

  /** Ends the channel. */
  destroy(): void {
    this.#socket.destroy();
    this.#close();
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#closed) {
      this.#flushing = false;
      return;
    }
    let total = 0, count = 0;
    while (count < this.#queue.length && (count === 0 || total < FULL_FRAME_BYTES)) {
      total += this.#queue[count++]!.size;
    }
    const plain = pack(this.#queue.splice(0, count), total);
    this.#socket.write(framed(this.#sealer!.seal([plain])), () => {
      this.#queued -= total;
      this.#flush();
    });
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
    // Copies, whatever kind of bytes the frame is: its memory is used again.
    this.#opener = new Opener(new Uint8Array(frame.subarray(0, KEY_BYTES)));
    this.#sealer = new Sealer(new Uint8Array(frame.subarray(KEY_BYTES)));
    this.#handlers.onFrame(0, new Uint8Array(0));
  }

  #open(frame: Uint8Array): void {
    const plain = this.#opener!.open(frame);
    if (!plain) return this.#fail("A frame does not verify: it was forged, changed or stolen");
    let at = 0;
    while (at < plain.length && !this.#closed) {
      const body = at + HEAD_BYTES;
      const end = body + readUint32(plain, at + 4);
      if (body > plain.length || end > plain.length) return this.#fail("A frame is cut short");
      this.#handlers.onFrame(readUint32(plain, at), plain.subarray(body, end));
      at = end;
    }
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

function readUint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>>
    0;
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** Messages with their heads, one after another. */
function pack(messages: readonly Outgoing[], total: number): Uint8Array {
  const plain = new Uint8Array(total);
  let at = 0;
  for (const { worker, body } of messages) {
    const start = at + HEAD_BYTES;
    let length = body.length;
    if (typeof body === "string") length = encoder.encodeInto(body, plain.subarray(start)).written;
    else plain.set(body, start);
    writeUint32(plain, at, worker);
    writeUint32(plain, at + 4, length);
    at = start + length;
  }
  return plain.subarray(0, at);
}

/** Pieces in one chunk, with their length in front. */
function framed(pieces: readonly Uint8Array[]): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const chunk = new Uint8Array(LENGTH_BYTES + length);
  writeUint32(chunk, 0, length);
  let at = LENGTH_BYTES;
  for (const piece of pieces) {
    chunk.set(piece, at);
    at += piece.length;
  }
  return chunk;
}
