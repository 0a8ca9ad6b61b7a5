import assert from "node:assert/strict";
import { type Arena, openArena, startCanary, succeeded } from "./_arena.ts";

// A name that is none of loopback's own, but leads there all the same.
const NAME = loopbackName();
const BYS = ["fetch", "Deno.connect", "node:net", "node:http", "WebSocket"];

let arena: Arena;
let seen: string[] = [];
const granted = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
  const { pathname, searchParams } = new URL(request.url);
  seen.push(pathname);
  const to = searchParams.get("to");
  if (to === null) return new Response("granted");
  const status = Number(searchParams.get("status") ?? 302);
  // A header holds ASCII; a host may be written with escapes.
  const location = to.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
  return new Response(null, { status, headers: { location } });
});

Deno.test.beforeAll(async () => {
  const host = `127.0.0.1:${granted.addr.port}`;
  arena = await openArena("a06", {
    replace: ({ canary }) => ({
      __PORT__: String(granted.addr.port),
      __CANARY__: String(canary.port),
      __NAME__: NAME ?? "name.invalid",
    }),
    config: {
      permissions: {
        tools: {
          fetch_granted: { allow: { net: [host] } },
          fetch_both: { allow: { net: [host, NAME ?? "name.invalid"] } },
          fetch_wide: { allow: { net: [host, NAME ?? "name.invalid"] } },
          fetch_undeclared: { allow: { net: [host, NAME ?? "name.invalid"] } },
          fetch_word: { allow: { net: [host] } },
        },
      },
    },
  });
});
Deno.test.afterAll(async () => {
  await arena[Symbol.asyncDispose]();
  await granted.shutdown();
});

function loopbackName(): string | undefined {
  try {
    return Deno.readTextFileSync("/etc/hosts").split("\n")
      .map((line) => line.replace(/#.*/, "").trim().split(/\s+/))
      .filter(([address]) => address?.startsWith("127."))
      .flatMap(([, ...names]) => names)
      .find((name) => /^[a-z][a-z0-9]*$/.test(name) && !name.startsWith("local"));
  } catch {
    return undefined;
  }
}

function spellings(port: number): string[] {
  const hosts = [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "127.0.0.1.",
    "127.255.255.254",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "0",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "①②⑦.⓪.⓪.①",
    "localhost",
    "LOCALHOST.",
    "foo.localhost",
    ...(NAME ? [NAME] : []),
  ];
  return hosts.map((host) => `http://${host}:${port}/x`);
}

Deno.test("attack [A6] redirects from a granted host to denied ones: contained", async () => {
  const metadata = "http://169.254.169.254/latest/meta-data/";
  for (const to of [...spellings(arena.canary.port), metadata, "http://10.0.0.1/"]) {
    for (const status of [301, 302, 307, 308]) {
      seen = [];
      const query = new URLSearchParams({ to, status: String(status) });
      const url = `http://127.0.0.1:${granted.addr.port}/from?${query}`;
      await arena.contain("fetch_granted", { url, by: "fetch" }, { code: "permission_denied" });
      // The first hop is allowed, the second is not.
      assert.deepEqual(seen, ["/from"]);
      if (!to.includes("127.0.0.1:")) break;
    }
  }
});

Deno.test("attack [A6] redirects to a file: contained", async () => {
  const to = `file://${arena.outside}/secret.txt`;
  const url = `http://127.0.0.1:${granted.addr.port}/from?${new URLSearchParams({ to })}`;
  const end = { code: ["permission_denied", "tool_error"] } as const;
  await arena.contain("fetch_granted", { url, by: "fetch" }, end);
});

for (const by of BYS) {
  Deno.test(`attack [A6] odd spellings of loopback by ${by}: contained`, async () => {
    for (const url of spellings(arena.canary.port)) {
      await arena.contain("fetch_granted", { url, by }, {
        code: ["permission_denied", "tool_error"],
      });
    }
  });
}

Deno.test("attack [A6] an argument that names a private address: contained", async () => {
  const { port } = arena.canary;
  const more = ["169.254.169.254", "10.0.0.1", "192.168.0.1", "100.64.0.1", "[fd00::1]"];
  const urls = [
    ...spellings(port).filter((url) => !NAME || !url.includes(NAME)),
    ...more.map((host) => `http://${host}:${port}/`),
    `http://user:word@example.com:${port}/`,
    "ftp://example.com/",
    "http://*/",
  ];
  for (const url of urls) {
    const { result } = await arena.contain("fetch_argument", { url, by: "fetch" }, {
      code: "permission_denied",
      says: /^Argument "url": /,
    });
    assert.equal(result.end, "never_started");
  }
});

Deno.test({
  name: "attack [A6] a name that leads to a private address: contained",
  ignore: NAME === undefined,
  fn: async () => {
    const url = `http://${NAME}:${arena.canary.port}/`;
    for (const tool of ["fetch_argument", "fetch_named"]) {
      for (const by of BYS) {
        await arena.contain(tool, { url, by }, {
          code: "permission_denied",
          says: /net access to/,
        });
      }
    }
  },
});

Deno.test({
  name: "attack [A6] a name that leads past the one port of an address that was granted: contained",
  ignore: NAME === undefined,
  fn: async () => {
    const url = `http://${NAME}:${arena.canary.port}/`;
    for (const by of BYS) {
      await arena.contain("fetch_both", { url, by }, {
        code: "permission_denied",
        says: /net access to/,
      });
    }
    const direct = `http://127.0.0.1:${arena.canary.port}/`;
    await arena.contain("fetch_both", { url: direct, by: "fetch" }, { code: "permission_denied" });
    await arena.contain("fetch_wide", { url, by: "fetch" }, {
      code: "unavailable",
      says: /needs a port beside "127\.0\.0\.1:\d+"/,
    });
    // The twin: what was granted is open.
    const own = { url: `http://127.0.0.1:${granted.addr.port}/`, by: "fetch" };
    assert.equal(succeeded(await arena.call("fetch_both", own)).content, "granted");
  },
});

Deno.test({
  name:
    "attack [A6] an address that the operator allows to a tool that did not declare it: contained",
  ignore: NAME === undefined,
  fn: async () => {
    seen = [];
    const url = `http://${NAME}:${granted.addr.port}/`;
    for (const by of BYS) {
      await arena.contain("fetch_undeclared", { url, by }, {
        code: "permission_denied",
        says: /net access to/,
      });
    }
    assert.deepEqual(seen, []);
  },
});

Deno.test("attack [A6] an argument beside the one port that the operator allows: contained", async () => {
  const by = "fetch";
  const other = `http://127.0.0.1:${arena.canary.port}/`;
  await arena.contain("fetch_word", { url: other, by }, {
    code: "permission_denied",
    says: /^Argument "url": /,
  });
  if (NAME !== undefined) {
    await arena.contain("fetch_word", { url: `http://${NAME}:${arena.canary.port}/`, by }, {
      code: "permission_denied",
      says: /net access to/,
    });
    seen = [];
    const named = `http://${NAME}:${granted.addr.port}/`;
    await arena.contain("fetch_word", { url: named, by }, { code: "permission_denied" });
    assert.deepEqual(seen, []);
  }
  const own = { url: `http://127.0.0.1:${granted.addr.port}/`, by };
  assert.equal(succeeded(await arena.call("fetch_word", own)).content, "granted");
});

Deno.test("attack [A6] loopback and private addresses without the operator's word: contained", async () => {
  const url = `http://127.0.0.1:${arena.canary.port}/`;
  const end = { code: "unavailable", says: /needs the operator's word/ } as const;
  await arena.contain("fetch_private", { url, by: "fetch" }, end);
});

Deno.test("attack [A6] twin the granted host answers, and its redirect to itself is followed", async () => {
  const home = `http://127.0.0.1:${granted.addr.port}`;
  const url = `${home}/from?${new URLSearchParams({ to: `${home}/there` })}`;
  seen = [];
  const result = await arena.call("fetch_granted", { url, by: "fetch" });
  assert.equal(succeeded(result).content, "granted");
  assert.deepEqual(seen, ["/from", "/there"]);
  // The canary is heard when it is reached at all.
  await using server = startCanary();
  await (await fetch(`http://${server.host}/`)).text();
  assert.equal(server.heard.length, 1);
});
