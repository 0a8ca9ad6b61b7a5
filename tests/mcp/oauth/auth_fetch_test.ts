import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { checkAuthUrl, createAuthFetch } from "../../../mcp/oauth/auth_fetch.ts";
import { canServeNames, hasOpenssl, runModuleWithNames } from "../../_dns_server.ts";
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

Deno.test("checkAuthUrl() refuses this machine and private networks to a server elsewhere, in every spelling", () => {
  const near = [
    "localhost",
    "localhost.",
    "LOCALHOST",
    "foo.localhost",
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "①②⑦.⓪.⓪.①",
    "0.0.0.0",
    "0",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::7f00:1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "[fd00::8]",
    "[fd00:ec2::254]",
    "[fe80::1]",
  ];
  for (const host of near) {
    throws(
      () => checkAuthUrl(`https://${host}/x`, REMOTE, "it"),
      /only for a server on (this machine|a private network)$/,
      host,
    );
  }
  const inside = "https://10.9.8.7/mcp";
  strictEqual(checkAuthUrl("https://10.0.0.1/x", inside, "it").host, "10.0.0.1");
  throws(() => checkAuthUrl("https://127.0.0.1/x", inside, "it"), /only for a server on this/);
  throws(() => checkAuthUrl("http://10.0.0.1/x", inside, "it"), /expected an https URL/);
  strictEqual(checkAuthUrl("https://8.8.8.8/x", REMOTE, "it").host, "8.8.8.8");
  strictEqual(checkAuthUrl("https://[2a00:1450::1]/x", REMOTE, "it").host, "[2a00:1450::1]");
});

/** A server that redirects every request to an address that is named later. */
function redirecting(status: number, asked: string[]) {
  let target = "";
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new URL(request.url).pathname === "/end"
      ? new Response("the end")
      : new Response(null, { status, headers: { location: target } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    to: (url: string) => target = url,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

for (const status of [301, 302, 303, 307, 308]) {
  Deno.test(`createAuthFetch() sends no token request again (${status})`, async () => {
    const [first, second]: string[][] = [[], []];
    await using server = redirecting(status, first!);
    await using other = redirecting(status, second!);
    const authFetch = createAuthFetch(server.url);
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "secret" });
    for (const target of [`${other.url}/end`, `${server.url}/end`]) {
      server.to(target);
      await rejects(authFetch(`${server.url}/token`, { method: "POST", body }), /is not followed/);
    }
    const headers = { authorization: "Basic c2VjcmV0" };
    server.to(`${other.url}/end`);
    await rejects(authFetch(`${server.url}/x`, { headers }), /is not followed/);
    deepStrictEqual(second, []);
    deepStrictEqual(first, ["POST /token", "POST /token", "GET /x"]);
    // The twins: metadata may be elsewhere, and what carries credentials stays at its origin.
    strictEqual(await (await authFetch(`${server.url}/y`)).text(), "the end");
    server.to("/end");
    strictEqual(await (await authFetch(`${server.url}/z`, { headers })).text(), "the end");
  });
}

Deno.test("createAuthFetch() follows five redirects and no more", async () => {
  const asked: string[] = [];
  await using server = redirecting(302, asked);
  server.to("/again");
  await rejects(createAuthFetch(server.url)(`${server.url}/x`), /is not followed/);
  strictEqual(asked.length, 6);
});

Deno.test({
  name:
    "[A29] createAuthFetch() follows a remote server to no address that is not public, by name either",
  ignore: !canServeNames || !await hasOpenssl(),
  fn: async () => {
    const module = new URL("./_remote_hops.ts", import.meta.url);
    const addresses = ["93.184.216.34/32", "10.1.2.3/32", "169.254.169.254/32", "fd00::7/128"];
    deepStrictEqual(await runModuleWithNames(module, addresses), {
      followed: ["https://other.example/end"],
      refused: [
        "https://10.1.2.3/end",
        "https://169.254.169.254/end",
        "https://[fd00::7]/end",
        "https://localhost./end",
        "https://0.0.0.0/end",
        "https://[::ffff:7f00:1]/end",
        "https://inside.example/end",
        "https://mapped.example/end",
        "https://unique-local.example/end",
        "https://both.example/end",
        "http://other.example/end",
      ],
      // Only the address of the remote server itself was ever asked.
      asked: ["93.184.216.34"],
      // A server whose name leads to a private network may lead to others there by name, and nowhere else.
      inside: ["https://inside.example/end"],
    });
  },
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
