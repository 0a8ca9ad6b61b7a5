import assert from "node:assert/strict";
import { tool } from "../registry/table_support.ts";
import { fixtureRoot, startRuntime, toolFile } from "./_runtime.ts";

Deno.test("Runtime.explain() tells where a tool comes from, what it gets and why it may be used", async () => {
  await using test = await startRuntime({ fixtures: ["grants"] });
  const text = await Deno.readTextFile(`${fixtureRoot("grants")}/snoops.ts`);
  // The registration begins on the line before its name.
  const line = text.split("\n").findIndex((one) => one.includes('"reads_workspace"'));
  const explanation = await test.runtime.explain("reads_workspace");
  const { checkedAt, ageMs, integrity, rule: _, ...rest } = explanation;
  assert.deepEqual(rest, {
    name: "reads_workspace",
    found: true,
    suggestions: [],
    source: { kind: "file", path: `${fixtureRoot("grants")}/snoops.ts`, line },
    owner: "user",
    shadowed: [],
    toolset: "grants",
    selection: { enabled: true, listedBy: ["grants"] },
    available: true,
    isolation: "worker",
    timeoutMs: 30_000,
    memoryMb: 512,
    permissions: { read: ["$WORKSPACE"] },
    grants: rest.grants,
    cut: [],
    diagnostics: [],
    dialects: [],
  });
  assert.ok(rest.grants!.some((line) => line.includes(test.workspace)));
  assert.match(integrity!, /^[0-9a-zA-Z+/=:-]{20,}$/);
  assert.ok(Math.abs(Date.parse(checkedAt!) - Date.now()) < 60_000);
  assert.ok(ageMs! >= 0 && ageMs! < 60_000);
});

Deno.test("Runtime.explain() tells why a tool may not be used", async () => {
  await using test = await startRuntime({ fixtures: ["needs"] });
  const { available, reason } = await test.runtime.explain("needs_program");
  assert.deepEqual([available, reason], [
    false,
    'Program "cloister-no-such-program" is not on the PATH',
  ]);
  const luck = await test.runtime.explain("needs_luck");
  assert.equal(luck.available, false);
  assert.match(luck.reason!, /^No luck in process \d+$/);
});

Deno.test("Runtime.explain() tells what the operator's ceiling took away", async () => {
  await using test = await startRuntime({
    fixtures: ["grants"],
    config: { permissions: { tools: { reads_workspace: { deny: { read: ["$WORKSPACE"] } } } } },
  });
  const { cut, grants } = await test.runtime.explain("reads_workspace");
  assert.ok(cut!.length > 0, JSON.stringify({ cut, grants }));
  assert.ok(!grants!.some((line) => line.includes(test.workspace)), JSON.stringify(grants));
});

Deno.test("Runtime.explain() gives near names, and what was found about a file that is broken", async () => {
  await using test = await startRuntime({
    files: {
      "good.ts": toolFile("good_tool", "ok"),
      "hidden.ts": `if (true) {\n${toolFile("hidden_tool", "no").replace(/^import.*\n/, "")}}\n`
        .replace(/^/, 'import { registry } from "@cloister/cloister/tool";\n'),
    },
  });
  const near = await test.runtime.explain("good-tol");
  assert.deepEqual([near.found, near.suggestions], [false, ["good_tool"]]);
  const hidden = await test.runtime.explain("hidden_tool");
  assert.equal(hidden.found, false);
});

Deno.test("Runtime.explain() tells who else wanted the name", async () => {
  await using test = await startRuntime({ files: { "own.ts": toolFile("shared_name", "file") } });
  test.runtime.registry.register(tool("shared_name"));
  const { owner, shadowed, rule } = await test.runtime.explain("shared_name");
  assert.equal(shadowed.length, 1);
  assert.notEqual(shadowed[0]!.owner, owner);
  assert.ok(rule && shadowed[0]!.reason.length > 0);
});

Deno.test("Runtime.explain() tells what each dialect cannot say of a tool", async () => {
  await using test = await startRuntime();
  const schema = { type: "object", properties: { a: { type: "string", format: "uri" } } };
  test.runtime.registry.register(tool("lossy", { schema }));
  const { dialects } = await test.runtime.explain("lossy");
  const places = dialects?.map(({ dialect, losses }) => [dialect, losses.map(({ path }) => path)]);
  assert.deepEqual(places, [
    ["openai-strict", ["/properties/a", "/properties/a/format"]],
    ["gemini", ["/properties/a/format"]],
  ]);
  assert.equal((await test.runtime.explain("lossy", { dialects: false })).dialects, undefined);
  const far = { type: "object", properties: { a: { $ref: "far.json" } } };
  test.runtime.registry.register(tool("far", { schema: far }));
  const found = (await test.runtime.explain("far")).dialects!;
  assert.deepEqual(found.map(({ dialect }) => dialect), [
    "openai",
    "openai-strict",
    "anthropic",
    "gemini",
  ]);
  for (const { omitted } of found) assert.match(omitted!, /never fetched$/);
});

Deno.test("Runtime.explain() tells that a tool has a cell of its own because it once ended one that others shared", async () => {
  await using test = await startRuntime({
    files: {
      "spins.ts": toolFile("spins", "ok", { rest: "timeoutMs: 200," }).replace(
        /handler: .*/,
        "handler: () => { while (true); },",
      ),
      "quiet.ts": toolFile("quiet", "ok"),
    },
  });
  assert.ok((await test.call("quiet", {})).ok);
  assert.equal((await test.runtime.explain("spins")).ownCell, undefined);
  const result = await test.call("spins", {});
  assert.equal(result.ok || result.error.code, "timeout");
  assert.match((await test.runtime.explain("spins")).ownCell!, /went on after its deadline/);
  assert.equal((await test.runtime.explain("quiet")).ownCell, undefined);
});
