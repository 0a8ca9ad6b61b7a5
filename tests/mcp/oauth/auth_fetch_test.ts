import { match, rejects, strictEqual, throws } from "node:assert/strict";
import { checkAuthUrl, createAuthFetch } from "../../../mcp/oauth/auth_fetch.ts";
import { oauthErrorText } from "../../../mcp/oauth/redact_oauth.ts";

const REMOTE = "https://mcp.example/mcp";
const LOCAL = "http://127.0.0.1:8000/mcp";

Deno.test("checkAuthUrl() takes https, and http on this machine for a server on this machine", () => {
  strictEqual(checkAuthUrl("https://as.example/x", REMOTE, "it").href, "https://as.example/x");
  strictEqual(checkAuthUrl("http://localhost:9/x", LOCAL, "it").port, "9");
  strictEqual(checkAuthUrl("http://[::1]:9/x", LOCAL, "it").port, "9");
});

Deno.test("checkAuthUrl() refuses what leads elsewhere, and shows no query", () => {
  const refused = [
    "http://as.example/x?secret=1",
    "http://127.0.0.1:9/admin?secret=1",
    "https://localhost/x?secret=1",
    "https://user:secret=1@as.example/",
    "ftp://as.example/?secret=1",
    "javascript:alert('secret=1')//?secret=1",
  ];
  for (const url of refused.slice(0, -1)) {
    throws(() => checkAuthUrl(url, REMOTE, "the page"), (error: Error) => {
      match(error.message, /^Cannot use the page "[^"]+": expected an https URL/);
      strictEqual(error.message.includes("secret=1"), false, error.message);
      return true;
    });
  }
  throws(() => checkAuthUrl(refused.at(-1)!, REMOTE, "the page"), /expected an https URL/);
});

Deno.test("createAuthFetch() sends nothing to this machine for a server elsewhere", async () => {
  let asked = 0;
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    asked++;
    return new Response("internal");
  });
  const url = `http://127.0.0.1:${server.addr.port}/admin`;
  await rejects(createAuthFetch(REMOTE)(url), /expected an https URL/);
  strictEqual(asked, 0);
  strictEqual(await (await createAuthFetch(LOCAL)(url)).text(), "internal");
});

Deno.test("createAuthFetch() reads no endless answer", async () => {
  const chunk = new Uint8Array(65_536);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })),
  );
  const url = `http://127.0.0.1:${server.addr.port}/`;
  await rejects(createAuthFetch(url)(url), /expected at most 1048576 bytes/);
});

Deno.test("oauthErrorText() takes out what must not be told, and keeps one line", () => {
  const error = new Error(
    'bad\n{"access_token": "abc-def-123", "x": 1} code=xyz&y \x1b[31m s3cret',
  );
  strictEqual(
    oauthErrorText(error, ["s3cret", undefined, ""]),
    'bad {"access_token": "[redacted]", "x": 1} code=[redacted]&y  [31m [redacted]',
  );
});
