import assert from "node:assert/strict";
import type { ToolDeclaration, ToolEntry } from "../../../core/entry.ts";
import { NO_GRANTS } from "../../../core/permissions.ts";
import { createModuleEntry } from "../../../registry/entry.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import {
  type AvailabilityOptions,
  AvailabilityProber,
} from "../../../runtime/availability/availability_prober.ts";
import type { CallPool } from "../../../runtime/lazy_pool.ts";
import type { ToolPlanner } from "../../../runtime/tool_planner.ts";
import { FakeClock } from "../../registry/availability/_fake_clock.ts";
import { MODULE } from "../../registry/table_support.ts";
import { startRuntime, toolFile } from "../_runtime.ts";

type Asked = Parameters<CallPool["check"]>;

/** A prober whose checks are asked of nobody; `asked` holds what would have gone to a worker. */
function bench(options: Partial<AvailabilityOptions> = {}) {
  const asked: Asked[] = [];
  const clock = new FakeClock();
  const registry = new ToolRegistry();
  const planner = {
    plan: () => ({ plan: { grants: { ...NO_GRANTS, env: ["TOKEN"] }, refused: [] } }),
    placement: () => ({}),
    module: (entry: ToolEntry) => entry.handler,
  } as unknown as ToolPlanner;
  const check = (...of: Asked) => {
    asked.push(of);
    return Promise.resolve({ available: false, reason: "No luck" });
  };
  const prober = new AvailabilityProber({
    planner,
    pool: { check },
    config: {},
    environment: () => undefined,
    hasCells: true,
    hasWorkers: true,
    workspace: "/",
    snapshot: () => registry.snapshot(),
    clock,
    ...options,
  });
  return { prober, asked, clock };
}

function moduleEntry(
  name: string,
  more: Partial<ToolDeclaration> = {},
  integrity = "aa",
): ToolEntry {
  return createModuleEntry(
    {
      name,
      toolset: "t",
      description: "",
      schema: { type: "object" },
      ...more,
    },
    {
      owner: "user",
      handler: { ...MODULE, integrity, export: name },
      source: { kind: "file", path: `/t/${name}.ts` },
    },
  );
}

const CHECKED = { hasCheckFn: true };

Deno.test("AvailabilityProber.pass() starts no worker for 45 tools of which none has a check to ask", async () => {
  const { prober, asked } = bench();
  const needs: Partial<ToolDeclaration>[] = [
    {},
    { requires: { bins: ["cloister-no-such-program"] } },
    { requires: { files: ["no/such/file"] } },
    { requiresEnv: ["NO_SUCH_VARIABLE"] },
    { ...CHECKED, requiresEnv: ["NO_SUCH_VARIABLE"] },
  ];
  const entries = Array.from(
    { length: 45 },
    (_, index) => moduleEntry(`t${index}`, needs[index % 5]),
  );
  const pass = prober.pass();
  const verdicts = entries.map((entry) => pass.probe(entry));
  // Nobody was waited for, either.
  assert.ok(verdicts.every((verdict) => !(verdict instanceof Promise)));
  const said = (await Promise.all(verdicts.slice(0, 5))).map((one) => one.reason ?? one.available);
  assert.deepEqual(said, [
    true,
    'Program "cloister-no-such-program" is not on the PATH',
    'File "no/such/file" does not exist',
    "Environment variable NO_SUCH_VARIABLE is not set, or may not be read here",
    "Environment variable NO_SUCH_VARIABLE is not set, or may not be read here",
  ]);
  assert.equal(asked.length, 0);
});

Deno.test("AvailabilityProber.probe() hands the check what the tool gets, and 5 seconds", async () => {
  const { prober, asked } = bench({ config: { tools: { a: { size: 3 } } } });
  const { available, reason } = await prober.probe(moduleEntry("a", CHECKED));
  assert.deepEqual([available, reason], [false, "No luck"]);
  const [[order, check, timeoutMs]] = asked as [Asked];
  assert.equal(order.module.integrity, "aa");
  assert.deepEqual(check, { tool: "a", env: ["TOKEN"], config: { size: 3 } });
  assert.equal(timeoutMs, 5_000);
});

Deno.test("AvailabilityProber.probe() keeps a verdict through generations, for as long as the module is the same", async () => {
  const { prober, asked } = bench();
  await prober.probe(moduleEntry("a", CHECKED));
  const again = moduleEntry("a", { ...CHECKED, description: "The same module, scanned again" });
  assert.equal(prober.peek(again)?.reason, "No luck");
  await prober.probe(again);
  assert.equal(asked.length, 1);
  await prober.probe(moduleEntry("a", CHECKED, "changed"));
  await prober.probe(moduleEntry("b", CHECKED));
  assert.equal(asked.length, 3);
});

Deno.test("AvailabilityProber.pass() asks a check once, also where its answer is not kept", async () => {
  let up = true;
  let runs = 0;
  const { prober, clock } = bench({
    pool: { check: () => Promise.resolve({ available: up, reason: `${++runs}` }) },
  });
  const entry = moduleEntry("a", CHECKED);
  await prober.probe(entry);
  up = false;
  await clock.advance(31_000);
  const pass = prober.pass();
  const first = pass.probe(entry);
  await clock.advance(0);
  assert.equal(pass.probe(entry), first);
  assert.equal(runs, 2);
  // Asked in a worker, it has a rest of 800 ms also in grace.
  await prober.probe(entry);
  await clock.advance(799);
  await prober.probe(entry);
  assert.equal(runs, 2);
  await clock.advance(1);
  await prober.probe(entry);
  await clock.advance(0);
  assert.equal(runs, 3);
});

Deno.test("AvailabilityProber.pass() looks for a program and a file once", () => {
  let reads = 0;
  const { prober } = bench({
    environment: (name) => name === "PATH" ? `/no/such/folder/${++reads}` : undefined,
  });
  const pass = prober.pass();
  for (const name of ["a", "b", "c"]) pass.probe(moduleEntry(name, { requires: { bins: ["x"] } }));
  assert.equal(reads, 1);
  prober.pass().probe(moduleEntry("d", { requires: { bins: ["x"] } }));
  assert.equal(reads, 2);
});

Deno.test("AvailabilityProber.probe() never rejects: what the pool throws is a reason", async () => {
  const { prober } = bench({ pool: { check: () => Promise.reject(new Error("No pool")) } });
  const { available, reason } = await prober.probe(moduleEntry("a", CHECKED));
  assert.deepEqual([available, reason], [false, "The check failed: Error: No pool"]);
});

Deno.test("AvailabilityProber.holdsMs() tells how long a verdict holds, and 0 when the check has to be asked", async () => {
  const { prober, clock } = bench();
  const entry = moduleEntry("a", CHECKED);
  assert.deepEqual([prober.holdsMs(entry), prober.holdsMs(moduleEntry("b"))], [0, 30_000]);
  await prober.probe(entry);
  await clock.advance(12_000);
  assert.equal(prober.holdsMs(entry), 18_000);
  prober.invalidate();
  assert.equal(prober.holdsMs(entry), 0);
});

Deno.test("ToolRegistry.isToolsetAvailable() [case 26] asks the check of a module that is deregistered meanwhile", async () => {
  await using test = await startRuntime({
    files: { "own.ts": toolFile("going", "here", { rest: "checkFn: () => true," }) },
  });
  const { registry } = test.runtime;
  const asked = registry.isToolsetAvailable("own");
  registry.replaceOwnerClaims("user", []);
  assert.deepEqual(registry.getAllToolNames(), []);
  assert.equal(await asked, true);
});

/** Two tools with one check, which leaves a line in the workspace whenever it is asked. */
function sharing(register: string): string {
  return `import { registry } from "@cloister/cloister/tool";

function up(): boolean {
  Deno.writeTextFileSync(WORKSPACE + "/asked", "asked\\n", { append: true });
  return true;
}

${register}
`;
}

const FIELDS = `toolset: "own", description: "A tool of a test.", schema: { type: "object" },
  permissions: { read: ["$WORKSPACE"], write: ["$WORKSPACE"] }, checkFn: up, handler: () => "here",`;

for (
  const [how, register] of [
    [
      "one by one",
      `registry.register({ name: "a", ${FIELDS} });
registry.register({ name: "b", ${FIELDS} });`,
    ],
    ["in a loop", `for (const name of ["a", "b"]) registry.register({ name, ${FIELDS} });`],
  ] as const
) {
  Deno.test(`Runtime.getDefinitions() [case 8] asks once the check that two tools of a module share, registered ${how}`, async () => {
    await using test = await startRuntime({ discover: false, files: {} });
    const text = sharing(register).replace("WORKSPACE", JSON.stringify(test.workspace));
    await test.write("own.ts", text);
    await test.runtime.discover();
    const { tools, omitted } = await test.runtime.getDefinitions();
    assert.deepEqual([tools.map((one) => one.function.name), omitted], [["a", "b"], []]);
    assert.equal(await Deno.readTextFile(`${test.workspace}/asked`), "asked\n");
  });
}
