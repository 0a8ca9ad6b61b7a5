import assert from "node:assert/strict";
import fc from "fast-check";
import { FrameReader, MAX_FRAME_BYTES } from "../../workers/frame_reader.ts";

function streamOf(frames: readonly Uint8Array[]): Uint8Array {
  const parts = frames.flatMap((frame) => {
    const head = new Uint8Array(4);
    new DataView(head.buffer).setUint32(0, frame.length);
    return [head, frame];
  });
  const stream = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    stream.set(part, at);
    at += part.length;
  }
  return stream;
}

// Frames are views that hold until the next push, so they are copied at once.
function readAll(stream: Uint8Array, chunkSizes: readonly number[]): Uint8Array[] {
  const reader = new FrameReader();
  const frames: Uint8Array[] = [];
  let at = 0;
  for (const size of [...chunkSizes, stream.length]) {
    const chunk = stream.slice(at, at + size);
    at += chunk.length;
    frames.push(...reader.push(chunk).map((frame) => frame.slice()));
  }
  return frames;
}

Deno.test("FrameReader.push() gives the same frames however the stream is cut", () => {
  const frames = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 30 });
  const sizes = fc.array(fc.nat(300), { maxLength: 60 });
  fc.assert(fc.property(frames, sizes, (sent, chunkSizes) => {
    assert.deepEqual(readAll(streamOf(sent), chunkSizes), sent.map((frame) => frame.slice()));
  }));
});

Deno.test("FrameReader.push() gives frames that are longer than its buffer", () => {
  const long = new Uint8Array(300_000).map((_, index) => index * 7);
  const sent = [new Uint8Array([1]), long, new Uint8Array(0), new Uint8Array([2, 3])];
  const sizes = new Array(30).fill(10_007);
  assert.deepEqual(readAll(streamOf(sent), sizes), sent);
});

Deno.test("FrameReader.push() gives nothing until a frame is whole", () => {
  const reader = new FrameReader();
  assert.deepEqual(reader.push(new Uint8Array([0, 0, 0])), []);
  assert.deepEqual(reader.push(new Uint8Array([2])), []);
  assert.deepEqual(reader.push(new Uint8Array([10])), []);
  assert.deepEqual(reader.push(new Uint8Array([20, 0])), [new Uint8Array([10, 20])]);
});

Deno.test("FrameReader.push() throws when a frame says that it is too long, before it comes", () => {
  const head = (length: number) => {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, length);
    return bytes;
  };
  assert.equal(MAX_FRAME_BYTES, 268_435_456);
  assert.deepEqual(new FrameReader().push(head(MAX_FRAME_BYTES)), []);
  for (const length of [MAX_FRAME_BYTES + 1, 0xffffffff]) {
    assert.throws(() => new FrameReader().push(head(length)), {
      name: "RangeError",
      message: `Cannot read a frame of ${length} bytes: 268435456 at most`,
    });
  }
});
