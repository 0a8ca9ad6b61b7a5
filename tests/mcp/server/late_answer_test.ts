import assert from "node:assert/strict";
import { answerOrStream } from "../../../mcp/server/late_answer.ts";
import { within } from "./_server.ts";

const request = () => new Request("http://localhost/mcp", { method: "POST" });

Deno.test("answerOrStream() gives an answer that comes in time as it is", async () => {
  const answer = Response.json({ a: 1 }, { status: 400 });
  assert.equal(await answerOrStream(request(), () => Promise.resolve(answer)), answer);
});

Deno.test("answerOrStream() begins a stream when the answer takes longer, and puts it into one event", async () => {
  const pending = Promise.withResolvers<Response>();
  const response = await answerOrStream(request(), () => pending.promise, 1);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  pending.resolve(Response.json({ id: 1 }));
  assert.equal(await response.text(), 'event: message\ndata: {"id":1}\n\n');
});

Deno.test("answerOrStream() passes on an answer that is a stream itself", async () => {
  const pending = Promise.withResolvers<Response>();
  const response = await answerOrStream(request(), () => pending.promise, 1);
  const headers = { "content-type": "text/event-stream" };
  pending.resolve(new Response("data: 1\n\ndata: 2\n\n", { headers }));
  assert.equal(await response.text(), "data: 1\n\ndata: 2\n\n");
});

Deno.test("answerOrStream() tells the answer when its reader goes away", async () => {
  const gone = Promise.withResolvers<void>();
  const response = await answerOrStream(request(), ({ signal }) => {
    signal.addEventListener("abort", () => gone.resolve());
    return new Promise(() => {});
  }, 1);
  await response.body!.cancel();
  await within(gone.promise, "the abort");
});

Deno.test("answerOrStream() ends the stream when there is no answer", async () => {
  const pending = Promise.withResolvers<Response>();
  const response = await answerOrStream(request(), () => pending.promise, 1);
  pending.reject(new Error("no answer"));
  assert.equal(await response.text(), "");
});
