import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { startPool, type TestPool } from "../workers/_pool.ts";
import { SECRET, shareArena, startCanary, succeeded } from "./_arena.ts";

const arena = shareArena("a02", {
  replace: ({ canary }) => ({ __CANARY__: canary.host }),
  config: { permissions: { tools: { twin_fetches: { allow: { net: ["127.0.0.1"] } } } } },
});
let pool: TestPool | undefined;
Deno.test.beforeAll(async () => void (pool = await startPool()));
Deno.test.afterAll(async () => await pool?.[Symbol.asyncDispose]());

const REFUSED: Readonly<Record<string, number>> = {
  remote_static: 2,
  remote_reexport: 2,
  remote_dynamic: 9,
  remote_types: 2,
  computed: 9,
  data_static: 2,
  worker_url: 9,
  meta_resolve: 9,
};

for (const [name, line] of Object.entries(REFUSED)) {
  Deno.test(`attack [A2] ${name}, at discovery: contained`, async () => {
    const { status, diagnostics } = arena().report(`${name}.ts`);
    assert.equal(status, "failed");
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    assert.ok(errors.some((error) => error.line === line), JSON.stringify(diagnostics));
    await arena().contain(name, {}, { code: "unknown_tool" });
  });
}

for (const name of Object.keys(REFUSED)) {
  Deno.test(`attack [A2] ${name}, with discovery bypassed: contained`, async () => {
    const file = `${arena().root}/${name}.ts`;
    const outcome = await pool!.pool.run(
      pool!.request(pathToFileURL(file).href, name, { grants: { read: [file] }, timeoutMs: 5_000 }),
    );
    arena().isUntouched();
    // A comment and a name are no access.
    if (name === "remote_types" || name === "meta_resolve") return void assert.ok(outcome.ok);
    // The worker's object is there before its module is refused.
    if (name === "worker_url" && outcome.ok) return;
    assert.ok(!outcome.ok, `It ran: ${JSON.stringify(outcome)}`);
    assert.ok(["permission_denied", "tool_error", "tool_crashed"].includes(outcome.code));
  });
}

const CODES = ["static remote", "dynamic remote", "static file", "static text", "static module"];
const HIDDEN = [
  "computed",
  "eval",
  "json",
  "file",
  ...CODES.flatMap((code) => ["data", "blob", "data in data"].map((how) => `${how}: ${code}`)),
];

for (const by of HIDDEN) {
  Deno.test(`attack [A2] ${by}, hidden from discovery: contained`, async () => {
    const { canary, outside } = arena();
    const place = `http://${canary.host}/module.ts?leak=${SECRET}`;
    const file = /text|^file/.test(by)
      ? `${outside}/secret.txt`
      : /module/.test(by)
      ? `${outside}/secret.ts`
      : `${outside}/secret.json`;
    await arena().contain("import_hidden", { by, place, file }, {
      code: "permission_denied",
      says: /asked for (?:import|read) access to "/,
    });
  });
}

Deno.test("attack [A2] twin code made at run time is imported, a granted host is fetched", async () => {
  assert.equal(succeeded(await arena().call("import_harmless")).content, "made here");
  await using server = startCanary();
  const place = `http://${server.host}/twin`;
  assert.equal(succeeded(await arena().call("twin_fetches", { place })).content, "canary");
  assert.deepEqual(server.heard, ["GET /twin HTTP/1.1"]);
});
