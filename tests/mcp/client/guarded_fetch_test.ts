import assert from "node:assert/strict";
import { createGuardedFetch } from "../../../mcp/client/guarded_fetch.ts";
import { serve } from "./_http_servers.ts";

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

Deno.test("createGuardedFetch() follows a redirect within the origin", async () => {
  await using server = serve((request) =>
    request.url.endsWith("/end") ? new Response("here") : redirect("/end")
  );
  const response = await createGuardedFetch()(server.launch.url);
  assert.equal(await response.text(), "here");
});

Deno.test("createGuardedFetch() follows no redirect that takes headers elsewhere", async () => {
  await using other = serve(() => new Response("stolen"));
  await using server = serve(() => redirect(other.launch.url));
  const guarded = createGuardedFetch();
  const headers = { authorization: "Bearer secret" };
  await assert.rejects(guarded(server.launch.url, { headers }), {
    message:
      /^Redirect from http:\/\/127\.0\.0\.1:\d+ to http:\/\/127\.0\.0\.1:\d+ is not followed/,
  });
  assert.equal(other.requests.length, 0);
});

Deno.test("createGuardedFetch() follows neither a redirect of a POST nor one without end", async () => {
  await using server = serve(() => redirect("/again"));
  const guarded = createGuardedFetch();
  await assert.rejects(guarded(server.launch.url, { method: "POST", body: "x" }), /not followed/);
  assert.equal(server.requests.length, 1);
  await assert.rejects(guarded(server.launch.url), /not followed/);
  assert.equal(server.requests.length, 7);
});

Deno.test("createGuardedFetch() bounds a body", async () => {
  await using server = serve((request) =>
    new Response("x".repeat(request.url.endsWith("/big") ? 101 : 100))
  );
  const guarded = createGuardedFetch(100);
  assert.equal((await (await guarded(server.launch.url)).text()).length, 100);
  const big = await guarded(new URL("/big", server.launch.url));
  await assert.rejects(big.text(), {
    message: "The server sent more than 100 bytes in one message",
  });
});

Deno.test("createGuardedFetch() bounds each event of a stream, not the stream", async () => {
  const headers = { "content-type": "text/event-stream" };
  const chunks = Array.from({ length: 100 }, () => `data: ${"x".repeat(50)}\n\n`);
  const stream = (parts: readonly string[]) =>
    ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
  const base = (parts: readonly string[]) =>
    createGuardedFetch(100, () => Promise.resolve(new Response(stream(parts), { headers })));
  assert.equal((await (await base(chunks)("http://x/")).text()).length, 5_800);
  const endless = await base(Array.from({ length: 3 }, () => "x".repeat(40)))("http://x/");
  await assert.rejects(endless.text(), /more than 100 bytes/);
});
