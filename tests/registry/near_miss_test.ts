import assert from "node:assert/strict";
import { scanModule } from "../../registry/scan.ts";
import { expectedFindings, findings, fixture, IMPORT, scanText } from "./scan_support.ts";

Deno.test("scanModule() gives each near miss its code, line and column", async () => {
  const source = await fixture("near_misses.ts");
  const scan = await scanModule(source);
  assert.deepEqual(findings(scan), expectedFindings(source));
  assert.deepEqual(scan.tools.map(({ name }) => name), ["good"]);
});

Deno.test("scanModule() makes near misses warnings with a hint", async () => {
  const { diagnostics } = await scanModule(await fixture("near_misses.ts"));
  for (const { severity, message, hint } of diagnostics) {
    assert.equal(severity, "warning");
    assert.match(message, /^Cannot discover this registration: [^.]+/);
    assert.ok(hint);
  }
});

Deno.test("scanModule() gives each fault of a registration its code, line and column", async () => {
  const source = await fixture("faults.ts");
  const scan = await scanModule(source);
  assert.deepEqual(findings(scan), expectedFindings(source));
  const severities = new Map(scan.diagnostics.map(({ code, severity }) => [code, severity]));
  assert.deepEqual(Object.fromEntries(severities), {
    duplicate_name: "error",
    permissions_not_literal: "error",
    name_not_literal: "warning",
    handler_missing: "error",
  });
});

Deno.test("scanModule() keeps its findings bounded", async () => {
  const { diagnostics } = await scanText(IMPORT + "if (x) registry.register();\n".repeat(1_000));
  assert.equal(diagnostics.length, 200);
});

Deno.test("scanModule() takes bounded time for chained uses of the registry", async () => {
  const started = performance.now();
  await scanText(`${IMPORT}x${".f(registry.register)".repeat(40_000)};`);
  assert.ok(performance.now() - started < 8_000);
});
