import assert from "node:assert/strict";
import fc from "fast-check";
import { NO_GRANTS } from "../../../core/permissions.ts";
import { AuditTrail, MAX_RECORDS } from "../../../mcp/sandbox/audit.ts";
import { AuditFile } from "../../../mcp/sandbox/audit_file.ts";
import { isSecretPath, isSecretVariable } from "../../../mcp/sandbox/secret_names.ts";
import { findWants } from "../../../mcp/sandbox/wants.ts";

const line = (permission: string, value: unknown, v: unknown = 1) =>
  `${JSON.stringify({ v, datetime: "2026-11-30T19:01:57Z", permission, value })}\n`;

Deno.test("AuditTrail takes records in any pieces, each once, and leaves out what is none", () => {
  const text = line("read", "/a") + line("env", null) + line("read", "/a") + "no json\n" +
    line("read", 5) + line("magic", "x") + line("read", "/b", 2) + "null\n[]\n" +
    line("net", "x".repeat(5_000)) + line("write", '/q"\n{}') + '{"v":1,"permission":"read","va';
  const expected = [
    { kind: "read", value: "/a" },
    { kind: "env" },
    { kind: "write", value: '/q"\n{}' },
  ];
  fc.assert(fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
    const trail = new AuditTrail();
    const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
    for (let index = 1; index < places.length; index++) {
      trail.take(text.slice(places[index - 1], places[index]));
    }
    assert.deepEqual(trail.records, expected);
  }));
});

Deno.test("AuditTrail keeps no more than a bound, and gives up lines without end", () => {
  const trail = new AuditTrail();
  for (let index = 0; index < 100; index++) trail.take("x".repeat(10_000));
  trail.take(`\n${line("read", "/after")}`);
  assert.deepEqual(trail.records, [{ kind: "read", value: "/after" }]);
  for (let index = 0; index < MAX_RECORDS + 10; index++) trail.take(line("read", `/${index}`));
  assert.equal(trail.records.length, MAX_RECORDS);
  assert.ok(trail.isCut);
});

Deno.test("AuditFile.read() reads what Deno writes, goes on after it, and keeps the file small", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-audit-test-" }));
  try {
    await using file = await AuditFile.create(dir, NO_GRANTS);
    // Reads one path, waits for a line, reads another one.
    const code =
      "const ask = (p) => { try { Deno.readTextFileSync(p); } catch { /* refused */ } };" +
      'ask("/first"); console.log("go"); await Deno.stdin.read(new Uint8Array(1)); ask("/second");';
    await Deno.writeTextFile(`${dir}/main.js`, code);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--no-config", `${dir}/main.js`],
      env: { DENO_AUDIT_PERMISSIONS: file!.path, DENO_DIR: `${dir}/deno`, NO_COLOR: "1" },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    assert.deepEqual(await file!.read(), [{ kind: "read", value: "/first" }]);
    assert.equal((await Deno.stat(file!.path)).size, 0);
    const writer = child.stdin.getWriter();
    await writer.write(new Uint8Array([10]));
    await writer.close();
    await child.status;
    await reader.cancel();
    assert.deepEqual(await file!.read(), [
      { kind: "read", value: "/first" },
      { kind: "read", value: "/second" },
    ]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("findWants() leaves out what was granted, and what no grant can give", () => {
  const grants = {
    ...NO_GRANTS,
    read: ["/granted"],
    env: ["MODE"],
    net: ["a.example:443", "b.example"],
  };
  const wants = findWants(
    [
      { kind: "read", value: "/granted/deep/file" },
      { kind: "read", value: "/grantedx" },
      { kind: "read", value: "relative/file" },
      { kind: "write", value: "/granted/file" },
      { kind: "env" },
      { kind: "env", value: "MODE" },
      { kind: "env", value: "OTHER" },
      { kind: "net", value: "a.example:443" },
      { kind: "net", value: "https://a.example/path" },
      { kind: "net", value: "http://a.example/path" },
      { kind: "net", value: "b.example:9" },
      { kind: "net", value: "0.0.0.0:0" },
      { kind: "import", value: "x.example:443" },
      { kind: "read", value: "/a,/b" },
      { kind: "read", value: "/escape\u001b[2J" },
    ],
    grants,
    "/neutral",
  );
  assert.deepEqual(wants.map(({ kind, value }) => `${kind} ${value}`), [
    "read /grantedx",
    "read /neutral/relative/file",
    "write /granted/file",
    "env OTHER",
    "net a.example:80",
  ]);
});

Deno.test("isSecretVariable() knows secrets by their names", () => {
  for (
    const name
      of "AWS_SECRET AWS_ACCESS_KEY_ID GITHUB_TOKEN githubToken GH_PAT DB_PASSWORD DB_PWD OPENAI_API_KEY APIKEY SENTRY_DSN DATABASE_URL MONGODB_URI REDIS_URL SLACK_WEBHOOK_URL SESSION_COOKIE NPM_AUTH npm_config__authToken SSH_PRIVATE_KEY JWT_SECRET2 CREDENTIALS ENCRYPTION_SALT"
        .split(" ")
  ) assert.ok(isSecretVariable(name), name);
  for (
    const name
      of "PATH HOME PWD MEMORY_FILE_PATH GZIP_MAX_FETCH_SIZE TF_BUILD DISABLE_THOUGHT_LOGGING __MINIMATCH_TESTING_PLATFORM__ NODE_ENV LANG PATTERN MONKEY KEYBOARD AUTHOR COMPASS API_URL BASE_URL LOG_LEVEL PORT"
        .split(" ")
  ) assert.ok(!isSecretVariable(name), name);
});

Deno.test("isSecretPath() knows secrets by their names", () => {
  for (
    const path of [
      "/.env",
      "/a/.env.local",
      "/.git/config",
      "/x/id_rsa",
      "/key.pem",
      "/.ssh/config",
      "/credentials.json",
    ]
  ) {
    assert.ok(isSecretPath(path), path);
  }
  for (
    const path of [
      "/a.txt",
      "/env",
      "/environment.ts",
      "/keys.md",
      "/git/x",
      "/docs/secrets-of-rust.md",
    ]
  ) {
    assert.ok(!isSecretPath(path), path);
  }
});
