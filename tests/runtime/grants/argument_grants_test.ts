import assert from "node:assert/strict";
import fc from "fast-check";
import type { Permissions } from "../../../core/permissions.ts";
import type { JsonObject } from "../../../core/json.ts";
import {
  type ArgumentGrantOutcome,
  type Ceiling,
  DENY_NET,
  planGrants,
  resolveArgumentGrants,
} from "../../../runtime/grants/mod.ts";
import { contains } from "../../../runtime/grants/paths.ts";
import { parseIPv4, reachOfAddress } from "../../../runtime/grants/ip_address.ts";
import { ceiling, Folders } from "./_context.ts";

function resolveOnce(
  folders: Folders,
  permissions: Permissions,
  args: JsonObject,
  ...ceilings: Ceiling[]
): ArgumentGrantOutcome {
  const context = folders.context(...ceilings);
  return resolveArgumentGrants(planGrants(permissions, context), args, context);
}

function netOf(folders: Folders, url: unknown, ...ceilings: Ceiling[]): readonly string[] | string {
  const outcome = resolveOnce(folders, { net: ["$ARG.url"] }, { url: url as string }, ...ceilings);
  return outcome.ok ? outcome.grants.net : outcome.message;
}

Deno.test("resolveArgumentGrants() grants host and port of a URL", () => {
  using folders = new Folders();
  assert.deepEqual(netOf(folders, "https://Example.com./a?b#c"), [
    "example.com:80",
    "example.com:443",
  ]);
  assert.deepEqual(netOf(folders, "http://example.com"), ["example.com:80", "example.com:443"]);
  assert.deepEqual(netOf(folders, "https://example.com:8443/"), ["example.com:8443"]);
  assert.deepEqual(netOf(folders, "https://münchen.example/"), [
    "xn--mnchen-3ya.example:80",
    "xn--mnchen-3ya.example:443",
  ]);
});

Deno.test("resolveArgumentGrants() adds to the static grants, and nothing when it is left out", () => {
  using folders = new Folders();
  const permissions: Permissions = { net: ["a.example:443", "$ARG.url"], read: ["$DATA"] };
  const with_ = resolveOnce(folders, permissions, { url: "https://b.example:1/" });
  assert.ok(with_.ok);
  assert.deepEqual(with_.grants.net, ["a.example:443", "b.example:1"]);
  assert.deepEqual(with_.grants.read, [folders.at("data")]);
  const without = resolveOnce(folders, permissions, {});
  assert.ok(without.ok);
  assert.deepEqual(without.grants.net, ["a.example:443"]);
});

Deno.test("resolveArgumentGrants() refuses URLs that are not to be granted (A6)", () => {
  using folders = new Folders();
  const refused = [
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "javascript:1",
    "example.com",
    "//example.com",
    "https://",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://*/",
    "https://*.example.com/",
    "http://a,b.example/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://127.0.0.1:8080/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://017700000001/",
    "http://127.1/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http://[::1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://169.254.169.254/latest/meta-data",
    "http://example.com:0/",
    "",
  ];
  for (const url of refused) assert.equal(typeof netOf(folders, url), "string", url);
  for (const value of [42, null, ["https://a.example"], { href: "https://a.example" }]) {
    assert.match(netOf(folders, value) as string, /^Argument "url": expected a text/);
  }
});

Deno.test("resolveArgumentGrants() lets the operator name a private address", () => {
  using folders = new Folders();
  const allow = ceiling({ allow: { net: ["127.0.0.1:8080"] } });
  assert.deepEqual(netOf(folders, "http://127.0.0.1:8080/", allow), ["127.0.0.1:8080"]);
  assert.equal(typeof netOf(folders, "http://127.0.0.1:8081/", allow), "string");
});

Deno.test("resolveArgumentGrants() leaves the internet open beside an address that the operator names", () => {
  using folders = new Folders();
  const word = ceiling({ allow: { net: ["127.0.0.1:8080", "10.1.0.0/16"] } });
  const own = { net: ["$ARG.url"] } as const;
  const page = resolveOnce(folders, own, { url: "https://example.com/" }, word);
  assert.ok(page.ok);
  assert.deepEqual(page.grants.net, ["example.com:80", "example.com:443"]);
  assert.deepEqual([page.denyNet, page.anyHost], [DENY_NET, true]);
  const local = resolveOnce(folders, own, { url: "http://127.0.0.1:8080/" }, word);
  assert.ok(local.ok && !local.anyHost);
  assert.deepEqual(local.grants.net, ["127.0.0.1:8080"]);
  assert.ok(!local.denyNet.includes("127.0.0.0/8") && local.denyNet.includes("127.0.0.0"));
  // A public host in the list makes it a cap again, and so does a range that holds public addresses.
  for (const net of [["127.0.0.1:8080", "a.example"], ["0.0.0.0/0"], []] as const) {
    const cap = ceiling({ allow: { net } });
    const outcome = resolveOnce(folders, own, { url: "https://example.com/" }, cap);
    assert.equal(outcome.ok && outcome.grants.net.length > 0, false, net.join());
  }
});

Deno.test("resolveArgumentGrants() closes other ports of a granted address to the call's host", () => {
  using folders = new Folders();
  const both = { net: ["$ARG.url", "127.0.0.1:5432"] } as const;
  const word = ceiling({ allow: { net: ["127.0.0.1:5432"] } });
  const outcome = resolveOnce(folders, both, { url: "https://example.com/" }, word);
  assert.ok(outcome.ok && !outcome.anyHost);
  assert.ok(!outcome.denyNet.includes("127.0.0.1"));
  assert.deepEqual(outcome.denyNet.filter((text) => text.startsWith("127.0.0.1:")), [
    "127.0.0.1:80",
    "127.0.0.1:443",
  ]);
});

Deno.test("resolveArgumentGrants() keeps to the ceiling and lets deny win for hosts", () => {
  using folders = new Folders();
  const allow = ceiling({ allow: { net: ["example.com:443"] } });
  assert.deepEqual(netOf(folders, "https://example.com/", allow), ["example.com:443"]);
  const deny = ceiling({ deny: { net: ["example.com"] } });
  assert.match(netOf(folders, "https://example.com/", deny) as string, /denied by op/);
});

function readOf(
  folders: Folders,
  path: string,
  ...ceilings: Ceiling[]
): readonly string[] | string {
  const outcome = resolveOnce(folders, { read: ["$ARG.path"] }, { path }, ...ceilings);
  return outcome.ok ? outcome.grants.read : outcome.message;
}

Deno.test("resolveArgumentGrants() grants one real path inside the workspace (A5)", () => {
  using folders = new Folders();
  Deno.writeTextFileSync(folders.at("ws/sub/a.txt"), "a");
  Deno.symlinkSync("sub/a.txt", folders.at("ws/inside"));
  Deno.symlinkSync(folders.at("out"), folders.at("ws/outside"));
  Deno.symlinkSync("nowhere", folders.at("ws/dangling"));
  assert.deepEqual(readOf(folders, "sub/a.txt"), [folders.at("ws/sub/a.txt")]);
  assert.deepEqual(readOf(folders, "inside"), [folders.at("ws/sub/a.txt")]);
  assert.deepEqual(readOf(folders, folders.at("ws/new/b.txt")), [folders.at("ws/new/b.txt")]);
  for (const path of ["../out", "/etc/hostname", "outside/x", "dangling", "a\0b", "a,b"]) {
    assert.match(readOf(folders, path) as string, /^Argument "path": /, path);
  }
});

Deno.test("resolveArgumentGrants() takes the ceiling instead of the workspace for paths", () => {
  using folders = new Folders();
  const allow = ceiling({ allow: { read: [folders.at("out") as "/x"] } });
  assert.deepEqual(readOf(folders, "../out/a", allow), [folders.at("out/a")]);
  assert.equal(typeof readOf(folders, "sub", allow), "string");
  const deny = ceiling({ deny: { read: ["$WORKSPACE/sub"] } });
  assert.match(readOf(folders, "sub/x", deny) as string, /denied/);
  assert.match(readOf(folders, ".", deny) as string, /denied/);
});

Deno.test("resolveArgumentGrants() never lets a path out of the workspace", () => {
  using folders = new Folders();
  Deno.symlinkSync(folders.at("out"), folders.at("ws/link"));
  Deno.symlinkSync("../..", folders.at("ws/sub/up"));
  const part = fc.constantFrom(
    "..",
    ".",
    "sub",
    "link",
    "up",
    "x",
    "",
    folders.root,
    "ws",
    "\\",
    "..\\",
  );
  fc.assert(fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
    const paths = readOf(folders, parts.join("/"));
    if (typeof paths === "string") return;
    for (const path of paths) assert.ok(contains(folders.at("ws"), path), path);
  }));
});

Deno.test("resolveArgumentGrants() refuses a private address in every spelling of its number", () => {
  using folders = new Folders();
  const spell = (address: number, how: number): string => {
    const bytes = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);
    const [a, b, c, d] = bytes as [number, number, number, number];
    return [
      bytes.join("."),
      String(address),
      `0x${address.toString(16)}`,
      `0${address.toString(8)}`,
      `${a}.${(b << 16) | (c << 8) | d}`,
      bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
      bytes.map((byte) => `0${byte.toString(8)}`).join("."),
      `[::ffff:${bytes.join(".")}]`,
    ][how]!;
  };
  const address = fc.oneof(
    fc.nat(0xffffff).map((rest) => (127 * 0x1000000 + rest) >>> 0),
    fc.nat(0xffffff).map((rest) => (10 * 0x1000000 + rest) >>> 0),
    fc.nat(0xffff).map((rest) => (0xc0a80000 + rest) >>> 0),
    fc.nat(0xffff).map((rest) => (0xa9fe0000 + rest) >>> 0),
  );
  fc.assert(fc.property(address, fc.nat(7), (number, how) => {
    assert.equal(typeof netOf(folders, `http://${spell(number, how)}/`), "string");
  }));
});

Deno.test("parseIPv4() and reachOfAddress() read addresses as written by hand", () => {
  assert.equal(parseIPv4("1.2.3.4"), 0x01020304);
  assert.equal(parseIPv4("255.255.255.255"), 0xffffffff);
  for (const text of ["256.0.0.1", "1.2.3", "1.2.3.4.5", "a.b.c.d", ""]) {
    assert.equal(parseIPv4(text), undefined);
  }
  assert.equal(reachOfAddress("9.255.255.255"), "public");
  assert.equal(reachOfAddress("10.0.0.0"), "private");
  assert.equal(reachOfAddress("10.255.255.255"), "private");
  assert.equal(reachOfAddress("11.0.0.0"), "public");
  assert.equal(reachOfAddress("172.15.255.255"), "public");
  assert.equal(reachOfAddress("172.16.0.0"), "private");
  assert.equal(reachOfAddress("224.0.0.1"), "private");
  assert.equal(reachOfAddress("223.255.255.255"), "public");
  assert.equal(reachOfAddress("example.com"), undefined);
  assert.equal(reachOfAddress("[2001:db8::1]"), "private");
  assert.equal(reachOfAddress("[64:ff9b::808:808]"), "public");
  assert.equal(reachOfAddress("[64:ff9b::a00:1]"), "private");
  assert.equal(reachOfAddress("[64:ff9b::7f00:1]"), "loopback");
  assert.equal(reachOfAddress("[64:ff9b:1::808:808]"), "private");
  assert.equal(reachOfAddress("[2a00:1450::1]"), "public");
});
