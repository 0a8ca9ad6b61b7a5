import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { startPool, type TestPool } from "../workers/_pool.ts";
import { SECRET, shareArena, succeeded } from "./_arena.ts";

const arena = shareArena("a01", {
  replace: ({ outside }) => ({ __OUTSIDE__: outside }),
  prepare: ({ outside, root }) => Deno.symlinkSync(`${outside}/secret.ts`, `${root}/_link.ts`),
});
let pool: TestPool | undefined;
Deno.test.beforeAll(async () => void (pool = await startPool()));
Deno.test.afterAll(async () => await pool?.[Symbol.asyncDispose]());

// The line that the diagnostic points at: of the import, or of the file that holds it.
const REFUSED: Readonly<Record<string, number>> = {
  static_text: 2,
  static_bytes: 2,
  static_json: 2,
  static_module: 2,
  static_url: 2,
  static_parent: 2,
  static_escaped: 2,
  static_link: 2,
  static_hostname: 2,
  static_reexport: 2,
  static_text_inside: 2,
  dynamic_text: 9,
  dynamic_module: 9,
  indirect: 1,
};

for (const [name, line] of Object.entries(REFUSED)) {
  Deno.test(`attack [A1] ${name}, at discovery: contained`, async () => {
    const { status, tools, diagnostics } = arena().report(`${name}.ts`);
    assert.equal(status, "failed");
    assert.deepEqual(tools, []);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    assert.ok(errors.some((error) => error.line === line), JSON.stringify(diagnostics));
    assert.ok(!JSON.stringify(diagnostics).includes(SECRET));
    const { result } = await arena().contain(name, {}, { code: "unknown_tool" });
    assert.equal(result.end, "never_started");
  });
}

for (const name of Object.keys(REFUSED)) {
  Deno.test(`attack [A1] ${name}, with discovery bypassed: contained`, async () => {
    const file = `${arena().root}/${name}.ts`;
    // The worker gets what an admitted module gets: read of its own files, the foreign one not among them.
    const own = ["_indirect.ts", "note.txt"].map((other) => `${arena().root}/${other}`);
    const grants = { read: [file, ...own] };
    const outcome = await pool!.pool.run(
      pool!.request(pathToFileURL(file).href, name, { grants, timeoutMs: 5_000 }),
    );
    assert.ok(!JSON.stringify(outcome).includes(SECRET), "The secret came out");
    if (name === "static_text_inside") return void assert.ok(outcome.ok);
    assert.ok(!outcome.ok, `It ran: ${JSON.stringify(outcome)}`);
    arena().isUntouched();
    // This Deno knows "bytes" only with a flag that cells do not have.
    if (name === "static_bytes") return void assert.match(outcome.message, /unsupported/);
    assert.equal(outcome.code, "permission_denied", outcome.message);
    assert.equal(outcome.denied?.kind, "read");
  });
}

Deno.test("attack [A1] twin a file of the root is imported, a granted one is read", async () => {
  assert.equal(succeeded(await arena().call("twin_json")).content, "inside");
  assert.equal(succeeded(await arena().call("twin_reads")).content, SECRET);
});
