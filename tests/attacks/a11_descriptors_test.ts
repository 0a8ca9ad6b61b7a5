import assert from "node:assert/strict";
import type { ToolResult } from "../../core/result.ts";
import { type Arena, shareArena, succeeded, until } from "./_arena.ts";

const arena = shareArena("a11");

// Whatever happens to a call in a disturbed cell: a wrong answer it never gives.
function assertNotForged(result: ToolResult): void {
  assert.doesNotMatch(JSON.stringify(result), /counterfeit/);
}

async function linesWith(text: string, before: number): Promise<void> {
  const seen = (): boolean =>
    arena().logs.slice(before).some(({ message }) => message.includes(text));
  await until(seen, `"${text}" in the log`);
}

const WRITES: readonly [way: string, stream: string][] = [
  ["Deno.stdout", "stdout"],
  ["Deno.stderr", "stderr"],
  ["console.log", "stdout"],
  ["console.error", "stderr"],
  ["process.stdout", "stdout"],
  ["process.stderr", "stderr"],
  ["node:fs.writeSync 1", "stdout"],
  ["node:fs.writeSync 2", "stderr"],
];

for (const [way, stream] of WRITES) {
  Deno.test(`attack [A11] protocol-like lines by ${way}: contained`, async () => {
    const before = arena().logs.length;
    const result = succeeded(await arena().call("grab", { way }));
    assertNotForged(result);
    // What a cell prints is log text, told by whom.
    await linesWith(`${stream}: {"type":"result","id":1`, before);
    await arena().goesOn();
  });
}

for (const way of ["Deno.stdin", "node:fs.readSync 0", "process.stdin"]) {
  Deno.test(`attack [A11] ${way}: contained`, async () => {
    const result = succeeded(await arena().call("grab", { way }));
    assert.deepEqual(result.structured, { got: "nothing to read" });
    await arena().goesOn();
  });
}

async function stealBeside(
  tool: string,
  way: string,
): Promise<{ attack: ToolResult; cellmate: ToolResult }> {
  const { call } = arena();
  const attack = call(tool, { way }, { timeoutMs: 1_000 });
  const cellmate = call("neighbour", { n: 7 }, { timeoutMs: 1_500 });
  const elsewhere = call("elsewhere", { n: 8 });
  const results = { attack: await attack, cellmate: await cellmate };
  assert.equal((succeeded(await elsewhere).structured as { n: number }).n, 8);
  for (const result of Object.values(results)) assertNotForged(result);
  if (results.cellmate.ok) assert.deepEqual(results.cellmate.structured, { n: 7 });
  return results;
}

const CODES = ["timeout", "tool_crashed", "tool_exited", "tool_error"];

for (const way of ["node:net reads", "node:net writes", "process.binding", "nested worker"]) {
  Deno.test(`attack [A11] descriptors 3 to 64 by ${way}: contained`, async () => {
    // A descriptor that a worker of the same cell has adopted before cannot be adopted again.
    await arena().call("grab", { way: "exit" });
    const before = arena().logs.length;
    const { attack, cellmate } = await stealBeside("grab", way);
    succeeded(cellmate);
    // Reading takes frames away from the cell only; the theft shows with the next frame. What was written may
    // arrive after the tool's own answer; then it ends the cell all the same.
    if (!attack.ok) assert.ok(CODES.includes(attack.error.code), attack.error.message);
    else if (!/reads/.test(way)) {
      assert.notDeepEqual(attack.structured, { got: 0 }, "the attack found a descriptor");
      await linesWith("A cell ended: A frame does not verify", before);
    }
    // A disturbed cell is ended at the latest with the call that gets no answer; the next one has a new cell.
    const next = await arena().call("grab", { way: "Deno.stdin" }, { timeoutMs: 1_000 });
    assertNotForged(next);
    if (!next.ok) succeeded(await arena().call("grab", { way: "Deno.stdin" }));
    await arena().goesOn();
  });
}

for (const way of ["node:net reads", "node:net writes", "process.binding", "nested worker"]) {
  Deno.test(`attack [A11] descriptors of a shared cell by ${way}: contained`, async () => {
    await stealBeside("grab_from_cellmates", way);
    await recovers(arena());
  });
}

async function recovers({ call }: Arena): Promise<void> {
  await until(async () => {
    const result = await call("neighbour", { n: 9 }, { timeoutMs: 1_000 });
    if (result.ok) assert.deepEqual(result.structured, { n: 9 });
    return result.ok;
  }, "the shared cell to be replaced");
}

Deno.test("attack [A11] a forged frame ends the cell: contained", async () => {
  const before = arena().logs.length;
  const result = await arena().call("grab", { way: "process.binding" });
  assert.equal(result.error?.code, "tool_crashed");
  assert.match(result.content, /A frame does not verify/);
  await linesWith("A cell ended: A frame does not verify", before);
});

for (const way of ["node:fs writes", "node:fs reads"]) {
  Deno.test(`attack [A11] descriptors 3 to 64 by ${way}: contained`, async () => {
    const result = succeeded(await arena().call("grab", { way }));
    assert.match(result.content, /"0 bytes/);
    await arena().goesOn();
  });
}

const PATHS = [
  "/proc/self/fd",
  "/proc/self/fd by node:fs",
  "/dev/fd",
  "/proc/self/fd listing",
  "/proc/self/environ",
  "/proc of the parent",
];

Deno.test("attack [A11] descriptors by their paths: contained", async () => {
  for (const way of PATHS) {
    await arena().contain("grab", { way }, { code: "permission_denied", says: /read access to / });
  }
});

Deno.test("attack [A11] twin a line by the context's log", async () => {
  const before = arena().logs.length;
  assert.equal(succeeded(await arena().call("logs")).content, "logged");
  await linesWith("a line as it is meant", before);
  const line = arena().logs.find(({ message }) => message === "a line as it is meant");
  assert.equal(line?.name, "logs");
});
