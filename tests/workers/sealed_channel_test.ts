import assert from "node:assert/strict";
import { type Duplex, duplexPair } from "node:stream";
import { SealedChannel } from "../../workers/sealed_channel.ts";
import { soon } from "./_wait.ts";

interface End {
  readonly channel: SealedChannel;
  readonly frames: [worker: number, text: string][];
  /** Settles with the fault, if any. */
  readonly closed: Promise<string | undefined>;
  next(): Promise<[worker: number, text: string]>;
}

function open(how: "lead" | "follow", socket: Duplex): End {
  const frames: [number, string][] = [];
  const waiting: (() => void)[] = [];
  const closed = Promise.withResolvers<string | undefined>();
  let read = 0;
  const channel = SealedChannel[how](socket, {
    onFrame: (worker, body) => {
      frames.push([worker, new TextDecoder().decode(body)]);
      waiting.shift()?.();
    },
    onClose: (fault) => closed.resolve(fault),
  });
  return {
    channel,
    frames,
    closed: closed.promise,
    next: async () => {
      while (frames.length <= read) {
        await soon("a frame", new Promise<void>((resolve) => waiting.push(resolve)));
      }
      return frames[read++]!;
    },
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Two ends with a wire between them that the test can listen to, cut, or write on. */
function pairOnWire(): {
  front: End;
  cell: End;
  toCell: Duplex;
  toFront: Duplex;
  sent: Uint8Array[];
} {
  const [frontSocket, toFront] = duplexPair();
  const [cellSocket, toCell] = duplexPair();
  const sent: Uint8Array[] = [];
  toFront.on("data", (chunk: Uint8Array) => {
    sent.push(chunk.slice());
    toCell.write(chunk);
  });
  toCell.on("data", (chunk: Uint8Array) => toFront.write(chunk));
  return {
    front: open("lead", frontSocket),
    cell: open("follow", cellSocket),
    toCell,
    toFront,
    sent,
  };
}

Deno.test("SealedChannel carries frames both ways, in order, after the keys", async () => {
  const { front, cell } = pairOnWire();
  assert.deepEqual(await cell.next(), [0, ""]);
  front.channel.send(7, bytes("down 1"));
  front.channel.send(0xfffffff0, bytes("down 2"));
  front.channel.send(0, new Uint8Array(0));
  assert.deepEqual(await cell.next(), [7, "down 1"]);
  assert.deepEqual(await cell.next(), [4294967280, "down 2"]);
  assert.deepEqual(await cell.next(), [0, ""]);
  cell.channel.send(7, bytes("up"));
  assert.deepEqual(await front.next(), [7, "up"]);
  front.channel.destroy();
  cell.channel.destroy();
});

Deno.test("SealedChannel carries many frames and long ones unchanged", async () => {
  const { front, cell } = pairOnWire();
  await cell.next();
  const texts = Array.from({ length: 500 }, (_, index) => "x".repeat(index * 37));
  texts.forEach((text, index) => front.channel.send(index + 1, bytes(text)));
  for (const [index, text] of texts.entries()) {
    assert.deepEqual(await cell.next(), [index + 1, text]);
  }
  assert.equal(front.channel.queuedBytes, 0);
  front.channel.destroy();
  cell.channel.destroy();
});

Deno.test("SealedChannel shows nothing of a message on the wire", async () => {
  const { front, cell, sent } = pairOnWire();
  await cell.next();
  front.channel.send(1, bytes("a secret argument"));
  await cell.next();
  const wire = new TextDecoder("latin1").decode(
    new Uint8Array(sent.flatMap((chunk) => [...chunk])),
  );
  assert.ok(!wire.includes("secret"));
  front.channel.destroy();
  cell.channel.destroy();
});

Deno.test("SealedChannel ends with a fault when somebody else writes on the wire", async () => {
  const { front, cell, toFront } = pairOnWire();
  await cell.next();
  // What a worker could write on the descriptor that it adopted: a whole frame, but not a sealed one.
  const forged = bytes(`\0\0\0\x01{"type":"result","id":1}`);
  const head = new Uint8Array(4);
  new DataView(head.buffer).setUint32(0, forged.length);
  toFront.write(head);
  toFront.write(forged);
  const fault = await soon("the end", front.closed);
  assert.equal(fault, "A frame does not verify: it was forged, changed or stolen");
  assert.deepEqual(front.frames, []);
  cell.channel.destroy();
});

Deno.test("SealedChannel ends with a fault when a frame is sent a second time", async () => {
  const { front, cell, sent, toCell } = pairOnWire();
  await cell.next();
  const before = sent.length;
  front.channel.send(1, bytes("pay once"));
  assert.deepEqual(await cell.next(), [1, "pay once"]);
  for (const chunk of sent.slice(before)) toCell.write(chunk);
  assert.match((await soon("the end", cell.closed))!, /does not verify/);
  assert.deepEqual(cell.frames, [[0, ""], [1, "pay once"]]);
  front.channel.destroy();
});

Deno.test("SealedChannel ends with a fault when somebody took a frame away", async () => {
  const [frontSocket, wire] = duplexPair();
  const [cellSocket, toCell] = duplexPair();
  const stolen = Promise.withResolvers<void>();
  let steal = false;
  wire.on("data", (chunk: Uint8Array) => {
    if (steal) stolen.resolve();
    else toCell.write(chunk);
    steal = false;
  });
  const front = open("lead", frontSocket), cell = open("follow", cellSocket);
  await cell.next();
  steal = true;
  front.channel.send(1, bytes("stolen"));
  await soon("the first write", stolen.promise);
  front.channel.send(1, bytes("next"));
  assert.match((await soon("the end", cell.closed))!, /does not verify/);
  assert.deepEqual(cell.frames, [[0, ""]]);
  front.channel.destroy();
});

Deno.test("SealedChannel ends with a fault when the first frame holds no keys", async () => {
  const [cellSocket, wire] = duplexPair();
  const cell = open("follow", cellSocket);
  wire.write(new Uint8Array([0, 0, 0, 1, 65]));
  assert.equal(await soon("the end", cell.closed), "The first frame holds no keys");
  assert.deepEqual(cell.frames, []);
});

Deno.test("SealedChannel ends with a fault when a frame says that it is too long", async () => {
  const [frontSocket, wire] = duplexPair();
  const front = open("lead", frontSocket);
  wire.resume();
  wire.write(new Uint8Array([0xff, 0xff, 0xff, 0xff]));
  assert.match((await soon("the end", front.closed))!, /Cannot read a frame of 4294967295 bytes/);
});

Deno.test("SealedChannel ends without a fault when it is destroyed, and then sends nothing", async () => {
  const { front, cell, sent } = pairOnWire();
  await cell.next();
  front.channel.destroy();
  assert.equal(await soon("the end", front.closed), undefined);
  const before = sent.length;
  front.channel.send(1, bytes("too late"));
  assert.equal(sent.length, before);
  cell.channel.destroy();
});

Deno.test("SealedChannel.send() of a cell that has no keys yet sends nothing", () => {
  const [cellSocket, wire] = duplexPair();
  const heard: Uint8Array[] = [];
  wire.on("data", (chunk: Uint8Array) => heard.push(chunk));
  const cell = open("follow", cellSocket);
  cell.channel.send(0, bytes("in the clear"));
  assert.deepEqual(heard, []);
  cell.channel.destroy();
});
