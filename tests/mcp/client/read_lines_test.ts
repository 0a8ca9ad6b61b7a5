import assert from "node:assert/strict";
import { readLines, type ReadLinesOptions } from "../../../mcp/client/read_lines.ts";

function streamOf(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return ReadableStream.from(
    chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk),
  );
}

function linesOf(
  stream: ReadableStream<Uint8Array>,
  options: Partial<ReadLinesOptions> = {},
): Promise<string[]> {
  return Array.fromAsync(readLines(stream, { maxBytes: 100, tooLong: "fail", ...options }));
}

Deno.test("readLines() cuts lines wherever the chunks end", async () => {
  assert.deepEqual(await linesOf(streamOf("a\nb", "c\r\n", "\n", "d")), ["a", "bc", "", "d"]);
});

Deno.test("readLines() keeps a character that two chunks share", async () => {
  const bytes = new TextEncoder().encode("é\n");
  assert.deepEqual(await linesOf(streamOf(bytes.slice(0, 1), bytes.slice(1))), ["é"]);
});

Deno.test("readLines() fails at a line that is too long, wherever the chunks end", async () => {
  const long = "x".repeat(101);
  const message = "A line is longer than 100 bytes";
  await assert.rejects(linesOf(streamOf(`${long}\n`)), { name: "RangeError", message });
  await assert.rejects(linesOf(streamOf("x".repeat(60), "x".repeat(41))), { message });
  assert.deepEqual(await linesOf(streamOf("x".repeat(60), `${"x".repeat(40)}\n`)), [
    "x".repeat(100),
  ]);
});

Deno.test("readLines() cuts a line that is too long where that is no error", async () => {
  const stream = streamOf("x".repeat(150), "x".repeat(150), "\nnext\n");
  assert.deepEqual(await linesOf(stream, { tooLong: "cut" }), ["x".repeat(100), "next"]);
});

Deno.test("readLines() ends when it is called off, though the stream does not", async () => {
  const over = new AbortController();
  let wasCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("a\nb")),
    cancel: () => void (wasCancelled = true),
  });
  const lines = readLines(stream, { maxBytes: 100, tooLong: "fail", signal: over.signal });
  assert.deepEqual(await lines.next(), { done: false, value: "a" });
  const rest = Array.fromAsync(lines);
  over.abort();
  assert.deepEqual(await rest, ["b"]);
  assert.equal(wasCancelled, true);
});
