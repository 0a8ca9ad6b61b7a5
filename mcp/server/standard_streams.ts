/**
 * Stdin and stdout for many short messages.
 * @module
 */
import type { Socket } from "node:net";

/** The streams of this process. */
export interface StandardStreams {
  /** What comes on stdin. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What goes to stdout. */
  readonly writable: WritableStream<Uint8Array>;
}

/** Bytes that are read ahead of who wants them. */
const READ_AHEAD = 65_536;

/**
 * Opens stdin and stdout. Pipes are opened as sockets: Deno's own streams hand each read and write to another thread,
 * which takes about as long as the rest of a short MCP call (measured on Deno 2.9.6). Files, terminals and what shares
 * its pipe with stderr stay as they are, because a socket makes its descriptor one that does not block.
 *
 * @returns The streams.
 */
export async function openStandardStreams(): Promise<StandardStreams> {
  const own = { readable: Deno.stdin.readable, writable: Deno.stdout.writable };
  if (Deno.build.os === "windows") return own;
  const { fstatSync } = await import("node:fs");
  const [stdin, stdout, stderr] = [0, 1, 2].map((fd) => {
    const found = fstatSync(fd);
    return { isPipe: found.isFIFO() || found.isSocket(), id: `${found.dev}:${found.ino}` };
  });
  if (stdout!.id === stderr!.id || stdin!.id === stdout!.id) return own;
  const { Socket } = await import("node:net");
  return {
    readable: stdin!.isPipe
      ? readableOf(new Socket({ fd: 0, readable: true, writable: false }))
      : own.readable,
    writable: stdout!.isPipe
      ? writableOf(new Socket({ fd: 1, readable: false, writable: true }))
      : own.writable,
  };
}

function readableOf(socket: Socket): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false;
      const end = (finish: () => void) => {
        if (!isOver) finish();
        isOver = true;
      };
      socket.on("data", (bytes: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) socket.pause();
      });
      socket.on("end", () => end(() => controller.close()));
      socket.on("error", (error) => end(() => controller.error(error)));
    },
    pull: () => void socket.resume(),
    cancel: () => void socket.destroy(),
  }, new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD }));
}

function writableOf(socket: Socket): WritableStream<Uint8Array> {
  // What failed is told to who wrote.
  socket.on("error", () => {});
  return new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => error ? reject(error) : resolve());
      }),
  });
}
