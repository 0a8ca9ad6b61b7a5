import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { OutputLog } from "../../workers/output_log.ts";
import { soon } from "./_wait.ts";

async function linesOf(chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  const log = new OutputLog(stream, (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await soon("the end", log.ended(5_000));
  return lines;
}

Deno.test("OutputLog gives each line once, however it was cut", async () => {
  assert.deepEqual(await linesOf(["one\ntw", "o\n", "\nfour"]), ["one", "two", "", "four"]);
  assert.deepEqual(await linesOf([]), []);
});

Deno.test("OutputLog puts characters together that were cut in the middle", async () => {
  const bytes = new TextEncoder().encode("é😀\n");
  const single = [...bytes].map((byte) => new Uint8Array([byte]));
  assert.deepEqual(await linesOf(single), ["é😀"]);
});

Deno.test("OutputLog shows what is no text as replacement characters", async () => {
  assert.deepEqual(await linesOf([new Uint8Array([0x61, 0xff, 0x0a])]), ["a\ufffd"]);
});

Deno.test("OutputLog bounds a line that never ends", async () => {
  const lines = await linesOf(["x".repeat(10_000)]);
  assert.deepEqual(lines.map((line) => line.length), [4096, 4096, 1808]);
});

Deno.test("OutputLog gives 200 lines a second at most, and says how many it dropped", async () => {
  const lines = await linesOf([Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join("")]);
  const kept = lines.filter((line) => line.startsWith("line "));
  assert.ok(kept.length >= 200 && kept.length <= 400, `${kept.length} lines`);
  const dropped = lines.map((line) => /^(\d+) lines were dropped/.exec(line)?.[1]);
  const total = dropped.reduce((sum, count) => sum + Number(count ?? 0), 0);
  assert.equal(kept.length + total, 1000);
});

Deno.test("OutputLog.tail keeps the last characters, also of lines that were dropped", async () => {
  const stream = new PassThrough();
  const log = new OutputLog(stream, () => {});
  stream.end("a".repeat(10_000) + "the reason");
  await soon("the end", log.ended(5_000));
  assert.equal(log.tail.length, 8192);
  assert.ok(log.tail.endsWith("the reason"));
});

Deno.test("OutputLog.ended() does not wait longer than it was told for a stream that stays open", async () => {
  const log = new OutputLog(new PassThrough(), () => {});
  await soon("the time", log.ended(10));
});
