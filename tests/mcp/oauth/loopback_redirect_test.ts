import { match, rejects, strictEqual } from "node:assert/strict";
import { openLoopbackRedirect } from "../../../mcp/oauth/loopback_redirect.ts";

Deno.test("openLoopbackRedirect() takes one answer with the right state", async () => {
  await using redirect = openLoopbackRedirect();
  const answered = redirect.wait();
  const response = await fetch(`${redirect.url}?code=abc&state=${redirect.state}`);
  strictEqual(response.status, 200);
  match(await response.text(), /Close this window/);
  strictEqual((await answered).get("code"), "abc");
  const again = await fetch(`${redirect.url}?code=abc&state=${redirect.state}`);
  strictEqual(again.status, 410);
  await again.body?.cancel();
});

Deno.test("openLoopbackRedirect() shows a page that loads nothing and tells nobody its address", async () => {
  await using redirect = openLoopbackRedirect();
  const response = await fetch(`${redirect.url}?state=no`);
  await response.body?.cancel();
  strictEqual(response.headers.get("referrer-policy"), "no-referrer");
  match(response.headers.get("content-security-policy")!, /default-src 'none'/);
  strictEqual(response.headers.get("cache-control"), "no-store");
});

Deno.test("openLoopbackRedirect() tells the browser when the check refuses the answer", async () => {
  await using redirect = openLoopbackRedirect();
  const answered = rejects(
    redirect.wait(() => {
      throw new Error("wrong issuer");
    }),
    /wrong issuer/,
  );
  const response = await fetch(`${redirect.url}?code=abc&state=${redirect.state}`);
  strictEqual(response.status, 400);
  match(await response.text(), /refused/);
  await answered;
});

Deno.test("openLoopbackRedirect() refuses an answer with two codes", async () => {
  await using redirect = openLoopbackRedirect();
  const answered = rejects(redirect.wait(), /parameter "code" comes twice/);
  const url = `${redirect.url}?code=a&code=b&state=${redirect.state}`;
  await (await fetch(url)).body?.cancel();
  await answered;
});

Deno.test("openLoopbackRedirect() ends when its signal aborts", async () => {
  const controller = new AbortController();
  await using redirect = openLoopbackRedirect({ signal: controller.signal });
  const answered = rejects(redirect.wait(), /it was ended before the browser came back/);
  controller.abort();
  await answered;
});

Deno.test("openLoopbackRedirect() says what to do when the port is taken", async () => {
  await using first = openLoopbackRedirect();
  const port = Number(new URL(first.url).port);
  try {
    openLoopbackRedirect({ port });
    throw new Error("two listeners on one port");
  } catch (error) {
    match((error as Error).message, /choose another "oauth.redirectPort"/);
  }
});
