import assert from "node:assert/strict";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import { tool } from "../../registry/table_support.ts";
import { startRuntime } from "../_runtime.ts";
import { startService } from "./_service.ts";

const BOTH = ["plain", "service"], PLAIN = ["plain"];

Deno.test("Runtime.getDefinitions() [case 63] loses a tool whose service is down past its grace", async () => {
  await using bench = await startService(true);
  const { clock, service } = bench;
  assert.deepEqual(await bench.names(), BOTH);
  service.up = false;
  await clock.advance(30_000);
  assert.deepEqual(await bench.names(), BOTH);
  await clock.advance(29_999);
  assert.deepEqual(await bench.names(), BOTH);
  await clock.advance(1);
  assert.deepEqual(await bench.names(), PLAIN);
  assert.deepEqual((await bench.test.runtime.getDefinitions()).omitted, [
    { name: "service", reason: "The service is down" },
  ]);
});

Deno.test("Runtime.getDefinitions() [case 64] gets a tool whose service has come up when its verdict is 30 seconds old", async () => {
  await using bench = await startService(false);
  assert.deepEqual(await bench.names(), PLAIN);
  bench.service.up = true;
  await bench.clock.advance(29_999);
  assert.deepEqual(await bench.names(), PLAIN);
  await bench.clock.advance(1);
  assert.deepEqual(await bench.names(), BOTH);
});

Deno.test("Runtime.getDefinitions() [cases 63 and 64] hides no flip behind a list that it remembers", async () => {
  await using bench = await startService(true);
  const { clock, service } = bench;
  const list = () => bench.test.runtime.getDefinitions();
  assert.equal(await list(), await list());
  // A list that was made when the verdict had a second left holds for that second.
  await clock.advance(29_000);
  assert.equal(await list(), await list());
  service.up = false;
  await clock.advance(1_000);
  await bench.names();
  assert.equal(service.runs, 2);
  // In grace no list is remembered: everybody who asks makes the check be asked.
  await bench.names();
  assert.equal(service.runs, 3);
  service.up = true;
  await bench.names();
  await bench.names();
  assert.equal(service.runs, 4);
});

Deno.test("Runtime.getDefinitions() sees at once what another reader's question has brought to light", async () => {
  await using bench = await startService(false);
  await bench.names();
  bench.service.up = true;
  bench.test.runtime.registry.invalidateCheckCache();
  assert.equal(await bench.test.runtime.registry.isToolsetAvailable("net"), true);
  assert.deepEqual(await bench.names(), BOTH);
  assert.equal(bench.service.runs, 2);
});

Deno.test("Runtime.getDefinitions() [case 8] asks a check once that two tools share, each time that it has to", async () => {
  const registry = new ToolRegistry();
  let runs = 0;
  const checkFn = () => ++runs > 0;
  registry.register(tool("a", { checkFn }));
  registry.register(tool("b", { checkFn }));
  await using test = await startRuntime({ registry, discover: false });
  assert.equal((await test.runtime.getDefinitions()).tools.length, 2);
  assert.equal(runs, 1);
  // Told other things by the configuration, it may say other things.
  const config = { tools: { b: { key: "k" } } };
  await using told = await startRuntime({ registry, discover: false, config });
  await told.runtime.getDefinitions();
  assert.equal(runs, 3);
});

Deno.test("Runtime.getDefinitions() [cases 7 and 19] leaves out only the tool whose check throws", async () => {
  const registry = new ToolRegistry();
  const checkFn = () => Deno.readFileSync("/does/not/exist").length > 0;
  registry.register(tool("broken", { checkFn }));
  registry.register(tool("fine", { checkFn: () => true }));
  await using test = await startRuntime({ registry, discover: false });
  const { tools, omitted } = await test.runtime.getDefinitions();
  assert.deepEqual(tools.map((one) => one.function.name), ["fine"]);
  assert.equal(omitted.length, 1);
  assert.match(omitted[0]!.reason, /^The check failed: NotFound: /);
});

Deno.test("Runtime.getDefinitions() sees a variable that is set, or taken away, within five seconds", async () => {
  const variables: Record<string, string> = {};
  await using bench = await startService(true, {
    environment: (name) => variables[name] ?? (name === "PATH" ? "" : undefined),
  });
  bench.test.runtime.registry.register(tool("keyed", { requiresEnv: ["SOME_KEY"] }));
  assert.deepEqual(await bench.names(), BOTH);
  variables.SOME_KEY = "k";
  await bench.clock.advance(5_000);
  assert.deepEqual(await bench.names(), ["keyed", ...BOTH]);
  delete variables.SOME_KEY;
  await bench.clock.advance(5_000);
  assert.deepEqual(await bench.names(), BOTH);
});

Deno.test("Runtime.getDefinitions() gives an inline check its configuration, and the variables it was granted", async () => {
  const registry = new ToolRegistry();
  const said: unknown[] = [];
  const probe = tool("asks", {
    permissions: { env: ["GRANTED"] },
    checkFn: ({ config, env, signal }) => {
      said.push(config, env("GRANTED"), signal.aborted);
      return env("OTHER") === undefined;
    },
  });
  registry.register(probe);
  await using test = await startRuntime({
    registry,
    discover: false,
    config: { tools: { asks: { size: 3 } } },
    environment: (name) => name === "GRANTED" ? "yes" : undefined,
  });
  const { omitted } = await test.runtime.getDefinitions();
  assert.deepEqual(said, [{ size: 3 }, "yes", false]);
  assert.match(
    omitted[0]!.reason,
    /Cannot read environment variable "OTHER": add it to permissions/,
  );
});

Deno.test("Runtime.explain() tells why, and how long ago a tool was looked at", async () => {
  await using bench = await startService(true);
  const explain = async () => {
    const { available, reason, ageMs, checkedAt } = await bench.test.runtime.explain("service");
    await bench.clock.advance(0);
    return [available, reason, ageMs, checkedAt];
  };
  assert.deepEqual(await explain(), [true, undefined, 0, "2030-01-01T00:00:00.000Z"]);
  bench.service.up = false;
  await bench.clock.advance(12_000);
  assert.deepEqual(await explain(), [true, undefined, 12_000, "2030-01-01T00:00:00.000Z"]);
  await bench.clock.advance(28_000);
  await explain();
  const why = "The service is down";
  assert.deepEqual(await explain(), [true, why, 40_000, "2030-01-01T00:00:00.000Z"]);
  await bench.clock.advance(20_000);
  await explain();
  await bench.clock.advance(7_000);
  assert.deepEqual(await explain(), [false, why, 7_000, "2030-01-01T00:01:00.000Z"]);
});

Deno.test("Runtime writes into the log when a tool is lost, and not every time that it is asked for", async () => {
  await using bench = await startService(true);
  const { clock, service, test } = bench;
  await bench.names();
  service.up = false;
  for (let step = 0; step < 12; step++) {
    await clock.advance(10_000);
    await bench.names();
  }
  service.up = true;
  await clock.advance(30_000);
  await bench.names();
  assert.deepEqual(test.logs.map(({ level, message }) => `${level}: ${message}`), [
    'warning: The check of tool "service" fails; the tool counts as available until 60 seconds after ' +
    "the last success: The service is down",
    'warning: Tool "service" is no longer available: The service is down',
    'info: Tool "service" is available again',
  ]);
});

Deno.test("Runtime.getDefinitions() remembers a list although checks are not asked that it does not need", async () => {
  await using bench = await startService(false);
  const { registry } = bench.test.runtime;
  registry.register(tool("keyed", { requiresEnv: ["NO_SUCH_VARIABLE"], checkFn: () => true }));
  const list = () => bench.test.runtime.getDefinitions({ names: ["plain", "keyed"] });
  assert.equal(await list(), await list());
  assert.equal(bench.service.runs, 0);
});
