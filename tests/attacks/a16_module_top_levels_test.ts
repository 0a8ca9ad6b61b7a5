import assert from "node:assert/strict";
import type { ErrorCode } from "../../core/errors.ts";
import { shareArena, succeeded } from "./_arena.ts";

/** How long a module may take when it is evaluated, and what else discovery does, in milliseconds. */
const DISCOVERY_MS = 15_000;

const arena = shareArena("a16", {
  replace: ({ outside }) => ({ __OUTSIDE__: outside }),
  config: { limits: { memoryMb: 256 } },
});

/** What each top level leads to: at discovery where it is evaluated, at the call where it is not. */
const TOP_LEVELS: Readonly<Record<string, readonly [RegExp, readonly ErrorCode[]]>> = {
  hangs: [/did not end within 2000 ms/, ["timeout"]],
  awaits: [/did not end within 2000 ms/, ["timeout"]],
  throws: [/thrown at the top level/, ["tool_crashed", "tool_error"]],
  exits: [/ended its own worker/, ["tool_exited"]],
  closes: [/ended its own worker/, ["tool_exited"]],
  kills: [/SIGKILL/, ["tool_crashed"]],
  allocates: [/MB at most|did not end|heap was full/, ["tool_out_of_memory", "timeout"]],
  reads: [/Requires read access/, ["permission_denied"]],
  multiplies: [/256 a module at most/, ["tool_crashed", "tool_error"]],
};

for (const [name, [says, codes]] of Object.entries(TOP_LEVELS)) {
  Deno.test(`attack [A16] ${name} when it is evaluated: contained`, async () => {
    const { status, tools, diagnostics } = arena().report(`${name}_computed.ts`);
    assert.deepEqual([status, tools], ["failed", []]);
    const finding = diagnostics.find(({ code }) => code === "evaluation_failed");
    assert.match(finding?.message ?? "", says);
    assert.ok(
      diagnostics.some(({ message }) => message.startsWith("Could not import tool module ")),
    );
    await arena().contain(`${name}_computed`, {}, { code: "unknown_tool" });
  });

  Deno.test(`attack [A16] ${name} when it is loaded for a call: contained`, async () => {
    assert.equal(arena().report(`${name}_literal.ts`).status, "registered");
    const end = { code: codes, timeoutMs: 1_000 } as const;
    const { result } = await arena().contain(`${name}_literal`, {}, end);
    assert.ok(["stopped", "never_started"].includes(result.end), result.end);
  });
}

Deno.test("attack [A16] each of them when the tools are listed: not offered, contained", async () => {
  const { runtime, report, goesOn, isUntouched } = arena();
  const { names } = await runtime.getDefinitions();
  const offered = [...names.values()];
  for (const name of Object.keys(TOP_LEVELS)) {
    const { status, diagnostics } = report(`${name}_literal.ts`);
    assert.deepEqual([status, diagnostics[0]?.code], ["failed", "load_failed"], name);
    assert.equal(offered.includes(`${name}_literal`), false, name);
  }
  assert.deepEqual(["neighbour", "twin_computed"].filter((name) => !offered.includes(name)), []);
  await goesOn();
  isUntouched();
});

Deno.test("attack [A16] a tool whose name changes each time: contained", () => {
  const { status, tools, diagnostics } = arena().report("renames_computed.ts");
  assert.deepEqual([status, tools], ["no_tools", []]);
  assert.deepEqual(diagnostics.map(({ code, line }) => [code, line]), [["name_not_literal", 4]]);
});

Deno.test("attack [A16] discovery ends within its deadline: contained", () => {
  const { durationMs, modules } = arena().runtime.lastDiscovery!;
  assert.ok(durationMs < DISCOVERY_MS, `It took ${durationMs} ms`);
  assert.equal(modules.length, 2 * Object.keys(TOP_LEVELS).length + 3);
});

Deno.test("attack [A16] twin a computed declaration whose module ends", async () => {
  assert.equal(
    arena().runtime.registry.getEntry("twin_computed")?.description,
    "Work as it should.",
  );
  assert.equal(succeeded(await arena().call("twin_computed")).content, "ran");
});
