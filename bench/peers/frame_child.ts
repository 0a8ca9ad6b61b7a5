/**
 * Answers each request on descriptor 3 with a frame of so many bytes of JSON: four bytes of length, then
 * the text. A request is one byte.
 * @module
 */
import net from "node:net";
import { sampleRecords } from "../tools/_sample_records.ts";

const value = sampleRecords(Number(Deno.args[0]));
const socket = new net.Socket({ fd: 3, readable: true, writable: true });
const encoder = new TextEncoder();

function frame(): Uint8Array {
  const body = encoder.encode(JSON.stringify(value));
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, body.length);
  bytes.set(body, 4);
  return bytes;
}

socket.on("data", (requests: Uint8Array) => {
  for (const _ of requests) socket.write(frame());
});
socket.on("close", () => Deno.exit(0));
