/**
 * Bare frames over a socket pair to a child: the floor under a result that comes from a cell.
 * @module
 */
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { projectPath } from "../harness/temp.ts";

/** A child that answers with frames. */
export interface FramePeer extends AsyncDisposable {
  /** Asks for one frame and parses it. */
  ask(): Promise<unknown>;
}

function frameReader(socket: Duplex): () => Promise<unknown> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let have = 0;
  let deliver: (value: unknown) => void = () => {};
  socket.on("data", (chunk: Uint8Array) => {
    parts.push(chunk);
    have += chunk.length;
    if (have < 4) return;
    const all = parts.length === 1 ? parts[0]! : new Uint8Array(Buffer.concat(parts));
    parts = [all];
    const length = new DataView(all.buffer, all.byteOffset).getUint32(0);
    if (have < 4 + length) return;
    parts = [];
    have = 0;
    deliver(JSON.parse(decoder.decode(all.subarray(4, 4 + length))));
  });
  return () => new Promise((resolve) => deliver = resolve);
}

/**
 * Starts the child.
 *
 * @param chars About how many characters of JSON its frames hold.
 * @returns The child.
 */
export function startFramePeer(chars: number): FramePeer {
  const script = projectPath("bench/peers/frame_child.ts");
  const child = spawn(Deno.execPath(), ["run", "-A", "--quiet", script, String(chars)], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const socket = child.stdio[3] as unknown as Duplex;
  const next = frameReader(socket);
  return {
    ask() {
      const answer = next();
      socket.write("?");
      return answer;
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      socket.end();
      child.kill("SIGKILL");
      await ended;
    },
  };
}
