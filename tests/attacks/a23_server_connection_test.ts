/** A23 and A12: servers that lie, flood, die and never answer. */
import assert from "node:assert/strict";
import {
  type Arena,
  callOptions,
  failureOf,
  fixture,
  openArena,
  specOf,
  textOf,
  toolOf,
} from "../mcp/client/_arena.ts";

async function connected(
  mode: string,
  ...[spec, services]: [Parameters<typeof specOf>[1]?, Parameters<typeof openArena>[1]?]
): Promise<Arena> {
  const arena = openArena(specOf(fixture("misbehaves.ts", mode), spec), services);
  await arena.connection.connect();
  return arena;
}

function go(arena: Arena, more: Parameters<typeof callOptions>[0] = {}) {
  return arena.connection.callTool(toolOf("go"), {}, callOptions(more));
}

function wasCalled({ log }: Arena): number {
  return log.filter((line) => line.endsWith("was called")).length;
}

for (const mode of ["wrong ids", "garbage on stdout", "protocol on stderr"]) {
  Deno.test(`ServerConnection [A23] gives the true answer of a server with ${mode}`, async () => {
    await using arena = await connected(mode);
    assert.equal(textOf(await go(arena)), "true");
    const dropped = { "wrong ids": 9, "garbage on stdout": 5 }[mode];
    assert.equal(arena.connection.status.dropped, dropped);
  });
}

Deno.test("ServerConnection [A23] gives up a call that is never answered, and says so to the server", async () => {
  await using arena = await connected("never answers");
  const failure = await failureOf(go(arena, { timeoutMs: 200 }));
  assert.deepEqual(failure, {
    code: "timeout",
    message: 'Server "sample" gave no answer within 200 ms while calling tool "go". ' +
      "It may still be running",
    retryable: false,
    end: "unsettled",
  });
  await arena.until(
    "the cancellation",
    () => arena.log.includes("info: stderr: notifications/cancelled"),
  );
  assert.equal(arena.connection.status.state, "connected");
});

Deno.test("ServerConnection [case 109] [A23] does not repeat a call in which the server dies", async () => {
  await using arena = await connected("dies in mid-call");
  const { message: _, ...failure } = await failureOf(go(arena));
  assert.deepEqual(failure, { code: "outcome_unknown", retryable: false, end: "unsettled" });
  await arena.until("the next process", () => arena.connection.status.state === "connected");
  assert.equal(wasCalled(arena), 1);
});

Deno.test("ServerConnection [A23] reads an endless list as far as 50 pages", async () => {
  await using arena = await connected("endless cursor");
  assert.equal((await arena.connection.listTools()).length, 50);
  const warning = "warning: The server has more than 50 pages: the list ends with 50 items";
  assert.ok(arena.log.includes(warning));
});

Deno.test("ServerConnection [A23] refuses a list with a description of 10 MB, and stays connected", async () => {
  await using arena = await connected("10 MB description");
  const { code, message } = await failureOf(arena.connection.listTools());
  assert.equal(code, "invalid_result");
  assert.match(message, /A page of the list has 10485825 characters, and at most 10485760/);
  assert.equal(textOf(await go(arena)), "true");
  assert.deepEqual(arena.states, ["connecting", "connected"]);
});

Deno.test("ServerConnection [case 98] [A23] tells of every change in a storm and survives what it does not know", async () => {
  await using arena = await connected("storm");
  assert.equal(textOf(await go(arena)), "true");
  await arena.until("the storm", () => arena.changes() === 1_000);
  assert.equal(textOf(await go(arena)), "true");
  assert.deepEqual(arena.states, ["connecting", "connected"]);
});

Deno.test("ServerConnection [A12] shows no steering characters of a server's name", async () => {
  await using arena = await connected("quiet");
  assert.equal(arena.connection.status.serverInfo?.name, "misbehaves");
});
