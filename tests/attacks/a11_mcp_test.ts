import assert from "node:assert/strict";
import { until } from "./_arena.ts";
import { type Connected, connectHttp, connectStdio, makePlaces, textOf } from "./_mcp_arena.ts";

const WRITES = [
  "Deno.stdout",
  "Deno.stderr",
  "console.log",
  "console.error",
  "process.stdout",
  "process.stderr",
  "node:fs.writeSync 1",
  "node:fs.writeSync 2",
];
const READS = ["Deno.stdin", "node:fs.readSync 0", "process.stdin"];
const THEFTS = ["node:net reads", "node:net writes", "process.binding", "nested worker"];
/** How a call may end whose cell was disturbed. */
const ENDS = /timeout|tool_crashed|tool_exited|tool_error/;

async function goesOn(connected: Connected): Promise<void> {
  const n = Math.random();
  const result = await connected.call("neighbour", { n });
  assert.ok(!result.isError, textOf(result));
  assert.deepEqual(JSON.parse(textOf(result)), { n });
}

async function writes(connected: Connected): Promise<void> {
  for (const way of WRITES) {
    const result = await connected.call("grab", { way });
    assert.ok(!result.isError, `${way}: ${textOf(result)}`);
    assert.doesNotMatch(JSON.stringify(result), /counterfeit/, way);
    connected.assertSealed();
    await goesOn(connected);
  }
}

async function reads(connected: Connected): Promise<void> {
  for (const way of READS) {
    const result = await connected.call("grab", { way });
    assert.deepEqual(JSON.parse(textOf(result)), { got: "nothing to read" }, way);
    await goesOn(connected);
  }
  connected.assertSealed();
}

async function thefts(connected: Connected): Promise<void> {
  for (const tool of ["grab", "grab_from_cellmates"]) {
    for (const way of THEFTS) {
      const attack = connected.call(tool, { way });
      const elsewhere = await connected.call("elsewhere", { n: 8 });
      assert.equal(JSON.parse(textOf(elsewhere)).n, 8, way);
      const result = await attack;
      assert.doesNotMatch(JSON.stringify(result), /counterfeit/, way);
      if (result.isError) assert.match(textOf(result), ENDS, way);
      connected.assertSealed();
      await recovers(connected);
    }
  }
}

// A cell that was disturbed may lose one call more, and is then replaced; a wrong answer it never gives.
async function recovers(connected: Connected): Promise<void> {
  await until(
    async () => {
      const result = await connected.call("neighbour", { n: 9 });
      if (!result.isError) assert.deepEqual(JSON.parse(textOf(result)), { n: 9 });
      return !result.isError;
    },
    "the cell to be replaced",
    20_000,
  );
}

for (const [transport, connect] of [["stdio", connectStdio], ["HTTP", connectHttp]] as const) {
  const attacked = async (attack: (connected: Connected) => Promise<void>): Promise<void> => {
    // Reading frames away shows only as a call that gets no answer.
    await using places = await makePlaces(["a11"], { limits: { timeoutMs: 1_500 } });
    await using connected = await connect(places);
    await attack(connected);
  };

  Deno.test(`attack [A11] protocol-like lines of a tool over MCP, ${transport}: contained`, async () => {
    await attacked(writes);
  });

  Deno.test(`attack [A11] reading stdin of the MCP server, ${transport}: contained`, async () => {
    await attacked(reads);
  });

  Deno.test(`attack [A11] adopted descriptors under the MCP server, ${transport}: contained`, async () => {
    await attacked(thefts);
  });

  Deno.test(`attack [A11] twin answers over MCP reach the request they belong to, ${transport}`, async () => {
    await attacked(async (connected) => {
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      const results = await Promise.all(numbers.map((n) => connected.call("neighbour", { n })));
      assert.deepEqual(results.map((result) => JSON.parse(textOf(result)).n), numbers);
      assert.equal(textOf(await connected.call("logs")), "logged");
      connected.assertSealed();
    });
  });
}
