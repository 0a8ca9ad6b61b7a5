import assert from "node:assert/strict";
import { watchStream } from "../../../mcp/server/watched_stream.ts";

const headers = { "content-type": "text/event-stream" };

Deno.test("watchStream() tells once that a reader went away, also while a part is being read", async () => {
  let ends = 0;
  const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  const watched = watchStream(new Response(silent, { headers }), () => ends++);
  const reader = watched.body!.getReader();
  const reading = reader.read();
  await reader.cancel();
  assert.equal((await reading).done, true);
  await Promise.resolve();
  assert.equal(ends, 1);
});

Deno.test("watchStream() tells once that a stream ended, or failed", async () => {
  let ends = 0;
  const watched = watchStream(new Response("data: 1\n\n", { headers }), () => ends++);
  assert.equal(await watched.text(), "data: 1\n\n");
  assert.equal(ends, 1);
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error("no")) });
  await assert.rejects(watchStream(new Response(broken, { headers }), () => ends++).text());
  assert.equal(ends, 2);
});

Deno.test("watchStream() tells at once where there is no stream", () => {
  let ends = 0;
  const plain = Response.json({ a: 1 });
  assert.equal(watchStream(plain, () => ends++), plain);
  assert.equal(ends, 1);
});
