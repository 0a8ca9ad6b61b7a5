import assert from "node:assert/strict";
import { createMemoryEras, eraKey } from "../../../mcp/client/memory_eras.ts";
import { type Clock, SYSTEM_CLOCK } from "../../../registry/availability/clock.ts";
import { FakeClock } from "../../registry/availability/_fake_clock.ts";
import {
  type Arena,
  callOptions,
  failureOf,
  fixture,
  openArena,
  specOf,
  textOf,
  toolOf,
} from "./_arena.ts";

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

Deno.test("ServerConnection starts a server again that ends on the first question, and remembers it", async () => {
  const mode = "exits on what it does not know";
  const eras = createMemoryEras();
  await using first = await connected(mode, {}, { eras });
  assert.equal(first.started(), 2);
  assert.equal(first.connection.status.protocolVersion, "2025-06-18");
  assert.equal(eras.get(eraKey(specOf(fixture("misbehaves.ts", mode)))), "legacy");
  await using second = await connected(mode, {}, { eras });
  assert.equal(second.started(), 1);
});

Deno.test("ServerConnection forgets an era with which the server could not be reached", async () => {
  const spec = specOf(fixture("misbehaves.ts", "never answers at all"), { connectTimeoutMs: 500 });
  const eras = createMemoryEras();
  eras.set(eraKey(spec), "legacy");
  const arena = openArena(spec, { eras });
  const contact = failureOf(arena.connection.connect());
  await arena.until("the second try", () => arena.started() === 2);
  assert.equal(eras.get(eraKey(spec)), undefined);
  await arena.connection[Symbol.asyncDispose]();
  await contact;
});

Deno.test("ServerConnection starts a process again that died before a call", async () => {
  await using arena = await connected("quiet");
  const pid = Number(arena.log.find((line) => line.includes("started"))?.split(" ").at(-1));
  Deno.kill(pid, "SIGKILL");
  // Until its end is known a call may still be read, and then nothing is certain.
  await arena.until("its end", () => arena.states.includes("degraded"));
  assert.equal(textOf(await go(arena)), "true");
  assert.equal(wasCalled(arena), 1);
  assert.equal(arena.started(), 2);
});

Deno.test("ServerConnection [case 113] parks a server that dies after each handshake", async () => {
  // A thousand times as fast as the machine's: the waits between the tries take 31 ms.
  const clock: Clock = {
    ...SYSTEM_CLOCK,
    after: (ms, action, background) => SYSTEM_CLOCK.after(ms / 1_000, action, background),
  };
  const spec = { connectTimeoutMs: 60_000_000, keepaliveMs: 60_000_000 };
  await using arena = await connected("dies after the handshake", spec, { clock });
  await arena.until("the end", () => arena.states.includes("parked"));
  assert.equal(arena.started(), 6);
  await arena.until("the self-probe", () => arena.started() === 7);
});

Deno.test("ServerConnection leaves bad tools out of a list and says which", async () => {
  await using arena = await connected("bad tools");
  const tools = await arena.connection.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ["good", "untyped", "better"]);
  assert.equal(tools[1]?.inputSchema.type, "object");
  const warnings = arena.log.filter((line) => line.startsWith("warning"))
    .map((line) => line.split(" is left out")[0]);
  assert.deepEqual(warnings, [
    'warning: Tool "no_schema"',
    'warning: Tool "number 3 of its page"',
    'warning: Tool "number 4 of its page"',
  ]);
});

Deno.test("ServerConnection answers -32601 to a server that asks for a model or for places", async () => {
  await using arena = await connected("asks for a model");
  assert.equal(textOf(await go(arena)), "-32601,-32601");
});

Deno.test("ServerConnection says what a server rejects, without secrets", async () => {
  await using arena = await connected("rpc error");
  const { code, message } = await failureOf(go(arena));
  assert.equal(code, "tool_error");
  assert.equal(
    message,
    'Server "sample" rejected the request while calling tool "go": Denied for Bearer [redacted]',
  );
});

Deno.test("ServerConnection passes no answer on that is no result", async () => {
  await using arena = await connected("no result");
  const { code, message } = await failureOf(go(arena));
  assert.equal(code, "invalid_result");
  assert.match(message, /gave no usable answer while calling tool "go"/);
});

Deno.test("ServerConnection ends a connection on which a message is longer than 64 MB", async () => {
  await using arena = await connected("long line");
  const { code, message } = await failureOf(go(arena));
  assert.equal(code, "outcome_unknown");
  assert.match(message, /The server sent a message of more than 67108864 bytes/);
  await arena.until("the next process", () => arena.started() === 2);
});

Deno.test("ServerConnection takes a list of tools as a sign of life where there is no ping", async () => {
  const clock = new FakeClock();
  await using arena = await connected("no ping", {}, { clock });
  const asked = (method: string) =>
    arena.log.filter((line) => line.endsWith(`asked ${method}`)).length;
  for (let sign = 1; sign <= 2; sign++) {
    await clock.advance(180_000);
    await arena.until(`sign ${sign}`, () => asked("tools/list") === sign);
    // What was asked before this call is answered before it.
    assert.equal(textOf(await go(arena)), "true");
  }
  assert.equal(asked("ping"), 1);
  assert.deepEqual(arena.states, ["connecting", "connected"]);
});
