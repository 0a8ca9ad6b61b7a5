import assert from "node:assert/strict";
import fc from "fast-check";
import { DENY_NET, planGrants } from "../../../runtime/grants/mod.ts";
import { contains } from "../../../runtime/grants/paths.ts";
import { NO_GRANTS } from "../../../core/permissions.ts";
import { ceiling, Folders } from "./_context.ts";

Deno.test("planGrants() grants nothing when nothing is declared", () => {
  using folders = new Folders();
  const plan = planGrants({ read: false, net: [] }, folders.context());
  assert.deepEqual(plan.grants, NO_GRANTS);
  assert.equal(plan.riskClass, "none");
  assert.equal(plan.exclusive, false);
  assert.deepEqual(plan.denyNet, DENY_NET);
});

Deno.test("planGrants() replaces every variable by a real path", () => {
  using folders = new Folders();
  Deno.symlinkSync(folders.at("ws"), folders.at("alias"));
  const context = { ...folders.context(), workspace: folders.at("alias") };
  const plan = planGrants({
    read: ["$WORKSPACE/sub", "$TOOL_DIR", "$DATA/x/y"],
    write: ["$TMP"],
  }, context);
  assert.deepEqual(plan.grants.read, [
    folders.at("ws/sub"),
    folders.at("tool"),
    folders.at("data/x/y"),
  ]);
  assert.deepEqual(plan.grants.write, [folders.at("tmp")]);
  assert.equal(plan.riskClass, "files");
  assert.deepEqual(plan.refused, []);
});

Deno.test("planGrants() refuses a path below a variable that leads out of it (A5)", () => {
  using folders = new Folders();
  Deno.symlinkSync(folders.at("out"), folders.at("ws/link"));
  for (
    const path of ["$WORKSPACE/link", "$WORKSPACE/../out", "$WORKSPACE/sub/../../out"] as const
  ) {
    const plan = planGrants({ read: [path] }, folders.context());
    assert.deepEqual(plan.grants.read, [], path);
    assert.match(plan.refused[0]!, /outside/);
  }
  assert.deepEqual(planGrants({ read: ["$WORKSPACE/sub/.."] }, folders.context()).grants.read, [
    folders.at("ws"),
  ]);
});

Deno.test("planGrants() refuses paths that are no paths", () => {
  using folders = new Folders();
  for (const path of ["relative", "$HOME", "$WORKSPACEX", "/a\0b", "/a,b", ""]) {
    const plan = planGrants({ read: [path as "/x"] }, folders.context());
    assert.deepEqual(plan.grants.read, [], path);
    assert.equal(plan.refused.length, 1, path);
  }
});

Deno.test("planGrants() refuses system folders without the operator's word", () => {
  using folders = new Folders();
  for (const path of ["/proc", "/sys/kernel", "/dev", "/"] as const) {
    const plan = planGrants({ read: [path] }, folders.context());
    assert.deepEqual(plan.grants.read, [], path);
    assert.match(plan.refused[0]!, /operator's word/);
  }
  const wide = planGrants(
    { read: ["/proc"] },
    folders.context(ceiling({ allow: { read: ["/"] } })),
  );
  assert.deepEqual(wide.grants.read, []);
  const named = planGrants(
    { read: ["/sys/kernel"] },
    folders.context(ceiling({ allow: { read: ["/sys"] } })),
  );
  assert.deepEqual(named.grants.read, ["/sys/kernel"]);
  assert.deepEqual(named.refused, []);
});

Deno.test("planGrants() caps paths by every ceiling, and says what it cut", () => {
  using folders = new Folders();
  const context = folders.context(
    ceiling({ allow: { read: ["$WORKSPACE/sub"] } }),
    ceiling({ allow: { write: false } }),
  );
  const plan = planGrants({ read: ["$WORKSPACE", "$DATA"], write: ["$WORKSPACE"] }, context);
  assert.deepEqual(plan.grants.read, [folders.at("ws/sub")]);
  assert.deepEqual(plan.grants.write, []);
  assert.deepEqual(plan.cut, [
    `read "${folders.at("ws")}" is narrowed to "${folders.at("ws/sub")}" by op.allow.read`,
    `read "${folders.at("data")}" is not allowed by op.allow.read`,
    `write "${folders.at("ws")}" is not allowed by op.allow.write`,
  ]);
});

Deno.test("planGrants() lets deny win, also over a part of a grant", () => {
  using folders = new Folders();
  const context = folders.context(ceiling({
    allow: { read: ["$WORKSPACE"] },
    deny: { read: ["$WORKSPACE/sub"] },
  }));
  const plan = planGrants({ read: ["$WORKSPACE", "$WORKSPACE/other"] }, context);
  assert.deepEqual(plan.grants.read, [folders.at("ws/other")]);
  assert.match(plan.cut[0]!, /denied by op\.deny\.read/);
});

Deno.test("planGrants() does not take a sibling with the same beginning for a part", () => {
  using folders = new Folders();
  Deno.mkdirSync(folders.at("ws-evil"));
  const context = folders.context(ceiling({ allow: { read: ["$WORKSPACE"] } }));
  const plan = planGrants({ read: [folders.at("ws-evil") as "/x"] }, context);
  assert.deepEqual(plan.grants.read, []);
});

Deno.test("planGrants() is unavailable when a ceiling cannot be read", () => {
  using folders = new Folders();
  const context = folders.context(ceiling({ deny: { net: ["http://x"] } }));
  assert.match(planGrants({}, context).refused[0]!, /op\.deny\.net/);
});

Deno.test("planGrants() matches host and port, in every spelling of the host", () => {
  using folders = new Folders();
  const context = folders.context(
    ceiling({ allow: { net: ["API.Example.com:443", "other.example"] } }),
  );
  const plan = planGrants({
    net: ["api.example.com", "api.example.com.:443", "api.example.com:80", "other.example:8080"],
  }, context);
  assert.deepEqual(plan.grants.net, ["api.example.com:443", "other.example:8080"]);
  assert.equal(plan.riskClass, "net");
});

Deno.test("planGrants() refuses this machine and private networks, odd spellings too (A6)", () => {
  using folders = new Folders();
  const hosts = [
    "localhost",
    "localhost.:80",
    "app.localhost",
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "0.0.0.0",
    "10.1.2.3:80",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[::7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fd00:ec2::254]",
  ];
  for (const host of hosts) {
    const plan = planGrants({ net: [host as "a"] }, folders.context());
    assert.deepEqual(plan.grants.net, [], host);
    assert.match(plan.refused[0] ?? "", /operator's word/, host);
  }
  const open = ["8.8.8.8:53", "172.32.0.1", "[2606:4700::1111]", "localhost.example.com"];
  const plan = planGrants({ net: open as "a"[] }, folders.context());
  assert.deepEqual(plan.grants.net, open);
});

Deno.test("planGrants() refuses addresses that are no host[:port]", () => {
  using folders = new Folders();
  const bad = ["*", "*.example.com", "a:0", "a:65536", "a:b", "http://a", "a/b", "u@a", "", "a,b"];
  for (const host of [...bad, "unix:/run/x", "a..b", "[::1", "10.0.0.0/8", ":80"]) {
    const plan = planGrants({ net: [host as "a"] }, folders.context());
    assert.deepEqual(plan.grants.net, [], host);
    assert.equal(plan.refused.length, 1, host);
  }
});

Deno.test("planGrants() opens exactly the address that the operator names", () => {
  using folders = new Folders();
  const context = folders.context(ceiling({ allow: { net: ["localhost:3000"] } }));
  const plan = planGrants({ net: ["localhost"] }, context);
  assert.deepEqual(plan.grants.net, ["localhost:3000"]);
  assert.deepEqual([plan.loopback, plan.exclusive, plan.riskClass], [true, true, "system"]);
  assert.ok(!plan.denyNet.includes("127.0.0.0/8") && !plan.denyNet.includes("[::1]"));
  // 127.0.0.0/8 without 127.0.0.1: 24 ranges, the first 127.128.0.0/9, the last the neighbour 127.0.0.0.
  assert.ok(plan.denyNet.includes("127.128.0.0/9"));
  assert.ok(plan.denyNet.includes("127.0.0.0"));
  assert.ok(plan.denyNet.includes("127.0.0.2/31"));
  assert.equal(plan.denyNet.length, DENY_NET.length - 2 + 24);
});

Deno.test("planGrants() opens an address to the tools that declare it, and its port alone", () => {
  using folders = new Folders();
  const word = ceiling({ allow: { net: ["127.0.0.1:5432", "db.example"] } });
  const other = planGrants({ net: ["db.example:443"] }, folders.context(word));
  assert.deepEqual([other.grants.net, other.denyNet], [["db.example:443"], DENY_NET]);
  const own = planGrants(
    { net: ["127.0.0.1", "db.example:443", "db.example:5432"] },
    folders.context(word),
  );
  assert.deepEqual(own.grants.net, ["127.0.0.1:5432", "db.example:443", "db.example:5432"]);
  assert.deepEqual(own.denyNet.filter((text) => text.startsWith("127.0.0.1:")), ["127.0.0.1:443"]);
  const wide = planGrants({ net: ["127.0.0.1:5432", "db.example"] }, folders.context(word));
  assert.match(wide.refused[0]!, /"db\.example" needs a port beside "127\.0\.0\.1:5432"/);
});

Deno.test("planGrants() takes a range as the operator's word, and deny adds to the closed ones", () => {
  using folders = new Folders();
  const context = folders.context(
    ceiling({ allow: { net: ["10.1.0.0/16"] }, deny: { net: ["10.1.9.9", "8.8.0.0/16"] } }),
  );
  const plan = planGrants({ net: ["10.1.2.3:80", "10.1.9.9", "10.2.0.1"] }, context);
  assert.deepEqual(plan.grants.net, ["10.1.2.3:80"]);
  assert.equal(plan.loopback, false);
  assert.equal(plan.exclusive, true);
  assert.ok(plan.denyNet.includes("10.1.9.9") && plan.denyNet.includes("8.8.0.0/16"));
  assert.ok(plan.denyNet.includes("10.0.0.0/16") && !plan.denyNet.includes("10.0.0.0/8"));
});

Deno.test("planGrants() finds programs by name, and lists those that are missing (F33)", () => {
  using folders = new Folders();
  Deno.writeTextFileSync(folders.at("bin/real-tool"), "#!/bin/sh\n");
  Deno.chmodSync(folders.at("bin/real-tool"), 0o755);
  Deno.symlinkSync("real-tool", folders.at("bin/tool"));
  Deno.writeTextFileSync(folders.at("bin/plain"), "not a program");
  Deno.chmodSync(folders.at("bin/plain"), 0o644);
  const plan = planGrants({ run: ["tool", "plain", "nowhere"] }, folders.context());
  assert.deepEqual(plan.grants.run, [folders.at("bin/tool"), folders.at("bin/real-tool")]);
  assert.deepEqual(plan.missing, ["plain", "nowhere"]);
  assert.deepEqual([plan.exclusive, plan.riskClass], [true, "system"]);
  const capped = planGrants(
    { run: ["tool"] },
    folders.context(ceiling({ deny: { run: ["real-tool"] } })),
  );
  assert.deepEqual(capped.grants.run, []);
});

Deno.test("planGrants() refuses a bare run, wildcards, and unknown kinds", () => {
  using folders = new Folders();
  const plan = planGrants(
    { run: ["*", "", "./x", "a,b"], env: ["AWS_*", "A=B", "OK"], sys: ["hostname", "everything"] },
    folders.context(),
  );
  assert.deepEqual(plan.grants.run, []);
  assert.deepEqual(plan.grants.env, ["OK"]);
  assert.deepEqual(plan.grants.sys, ["hostname"]);
  assert.equal(plan.refused.length, 7);
});

Deno.test("planGrants() never grants what steers the process itself, whatever the operator says", () => {
  using folders = new Folders();
  const reserved = [
    "RES_OPTIONS",
    "res_options",
    "LOCALDOMAIN",
    "HOSTALIASES",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DENO_DIR",
    "DENO_CERT",
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "CLOISTER_TOKEN",
  ];
  for (const name of reserved) {
    const context = folders.context(ceiling({ allow: { env: [name] } }));
    const plan = planGrants({ env: [name, "OLD_NODE_ENV"] }, context);
    assert.deepEqual(plan.grants.env, [], name);
    assert.match(plan.refused[0]!, new RegExp(`^env: "${name}" steers .* is never granted$`));
  }
  const plan = planGrants({ env: ["RES", "MY_LD_X", "GITHUB_TOKEN", "PATH"] }, folders.context());
  assert.deepEqual(plan.grants.env, ["RES", "MY_LD_X", "GITHUB_TOKEN", "PATH"]);
  assert.deepEqual(plan.refused, []);
});

Deno.test("planGrants() keeps what comes from arguments apart", () => {
  using folders = new Folders();
  const plan = planGrants({ read: ["$ARG.path", "$DATA"], net: ["$ARG.url"] }, folders.context());
  assert.deepEqual(plan.argumentGrants, [
    { kind: "read", argument: "path" },
    { kind: "net", argument: "url" },
  ]);
  assert.deepEqual(plan.grants.read, [folders.at("data")]);
  assert.equal(plan.riskClass, "mixed");
  const closed = planGrants(
    { net: ["$ARG.url"] },
    folders.context(ceiling({ allow: { net: [] } })),
  );
  assert.deepEqual(closed.argumentGrants, []);
  assert.match(closed.cut[0]!, /\$ARG\.url/);
});

Deno.test("planGrants() never gives a path outside the ceiling, whatever is declared", () => {
  using folders = new Folders();
  Deno.symlinkSync(folders.at("out"), folders.at("ws/link"));
  Deno.symlinkSync("../..", folders.at("ws/sub/up"));
  const context = folders.context(ceiling({ allow: { read: ["$WORKSPACE"] } }));
  const part = fc.constantFrom("..", ".", "sub", "link", "up", "x", "", "ws", "out", "…", "a b");
  const base = fc.constantFrom("$WORKSPACE", folders.at("ws"), folders.root, "$DATA", "");
  fc.assert(fc.property(base, fc.array(part, { maxLength: 8 }), (start, parts) => {
    const plan = planGrants({ read: [[start, ...parts].join("/") as "/x"] }, context);
    for (const path of plan.grants.read) assert.ok(contains(folders.at("ws"), path), path);
  }));
});
