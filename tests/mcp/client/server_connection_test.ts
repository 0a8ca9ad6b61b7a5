import assert from "node:assert/strict";
import { createMemoryEras, eraKey } from "../../../mcp/client/memory_eras.ts";
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

const TOOLS = "echo,ask,ask_url,ask_model,steps,wait,grow,fail,die,say";

async function connected(
  args: readonly string[],
  ...[spec, services]: [Parameters<typeof specOf>[1]?, Parameters<typeof openArena>[1]?]
): Promise<Arena> {
  const arena = openArena(specOf(fixture("both_eras.ts", ...args), spec), services);
  await arena.connection.connect();
  return arena;
}

for (
  const [era, args, version] of [
    ["modern", [], "2026-07-28"],
    ["legacy", ["legacy"], "2025-11-25"],
  ] as const
) {
  Deno.test(`ServerConnection speaks the ${era} era, in one process`, async () => {
    const eras = createMemoryEras();
    await using arena = await connected(args, {}, { eras });
    const { connection } = arena;
    assert.deepEqual({ ...connection.status, since: 0 }, {
      name: "sample",
      state: "connected",
      since: 0,
      containment: "unsandboxed",
      protocolVersion: version,
      serverInfo: { name: "sample", version: "1.2.3" },
    });
    assert.equal(connection.capabilities?.tools?.listChanged, true);
    assert.equal((await connection.listTools()).map(({ name }) => name).join(), TOOLS);
    const echoed = await connection.callTool(toolOf("echo"), { text: "hi" }, callOptions());
    assert.equal(textOf(echoed), "hi");
    assert.equal(arena.started(), 1);
    assert.equal(eras.get(eraKey(specOf(fixture("both_eras.ts", ...args)))), era);
  });

  Deno.test(`ServerConnection asks the person for a server of the ${era} era`, async () => {
    await using arena = await connected(args);
    const answered = callOptions({
      answer: () => Promise.resolve({ action: "accept", content: { name: "Ann" } }),
    });
    const call = arena.connection.callTool(toolOf("ask"), {}, answered);
    assert.equal(textOf(await call), "Hello Ann");
    assert.deepEqual(answered.heard.asked.map(({ message }) => message), ["Who are you?"]);

    const refused = callOptions({ answer: () => Promise.reject(new Error("nobody is here")) });
    const none = await arena.connection.callTool(toolOf("ask"), {}, refused);
    assert.equal(textOf(none), "nobody answered");
    const url = callOptions();
    await arena.connection.callTool(toolOf("ask_url"), {}, url).catch(() => {});
    assert.deepEqual(url.heard.asked, []);
  });

  Deno.test(`ServerConnection passes progress of the ${era} era on as long as it grows`, async () => {
    await using arena = await connected(args);
    const options = callOptions();
    await arena.connection.callTool(toolOf("steps"), {}, options);
    assert.deepEqual(options.heard.progress, [[1, 3, "step 1"], [2, 3, "step 2"], [
      3,
      3,
      "step 3",
    ]]);
  });

  Deno.test(`ServerConnection tells a server of the ${era} era that a call was given up`, async () => {
    await using arena = await connected(args);
    const caller = new AbortController();
    const options = callOptions({ signal: caller.signal });
    const failure = failureOf(arena.connection.callTool(toolOf("wait"), {}, options));
    await arena.until("the call", () => arena.log.includes("info: stderr: waiting"));
    caller.abort();
    assert.deepEqual(await failure, {
      code: "cancelled",
      message: 'Gave up while calling tool "wait" of server "sample"',
      retryable: false,
      end: "unsettled",
    });
    await arena.until("the end", () => arena.log.includes("info: stderr: called off"));
    assert.equal(arena.connection.status.state, "connected");
  });

  Deno.test(`ServerConnection [case 98] hears of new tools of the ${era} era`, async () => {
    await using arena = await connected(args);
    await arena.connection.callTool(toolOf("grow"), {}, callOptions());
    await arena.until("the change", () => arena.changes() === 1);
    const names = (await arena.connection.listTools()).map(({ name }) => name);
    assert.equal(names.join(), `${TOOLS},grown`);
  });

  Deno.test(`ServerConnection [case 109] does not repeat a call in which a server of the ${era} era dies`, async () => {
    await using arena = await connected(args);
    for (const repeatable of [false, true]) {
      const options = callOptions({ repeatable });
      const { message, ...rest } = await failureOf(
        arena.connection.callTool(toolOf("die"), {}, options),
      );
      assert.deepEqual(rest, { code: "outcome_unknown", retryable: repeatable, end: "unsettled" });
      assert.match(message, /was lost while calling tool "die": .*It may have run/);
      await arena.until("the next process", () => arena.connection.status.state === "connected");
    }
    assert.equal(arena.started(), 3);
    const echoed = await arena.connection.callTool(toolOf("echo"), { text: "x" }, callOptions());
    assert.equal(textOf(echoed), "x");
  });

  Deno.test(`ServerConnection reads resources and prompts of the ${era} era`, async () => {
    await using arena = await connected(args);
    const { connection } = arena;
    const resources = await connection.listResources(callOptions());
    assert.deepEqual(resources.map(({ uri }) => uri), ["memo://note"]);
    const { contents } = await connection.readResource("memo://note", callOptions());
    assert.deepEqual(contents, [{ uri: "memo://note", text: "remember" }]);
    const prompts = await connection.listPrompts(callOptions());
    assert.deepEqual(prompts.map(({ name }) => name), ["greet"]);
    const { messages } = await connection.getPrompt("greet", { name: "Bo" }, callOptions());
    assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Greet Bo" } }]);
  });
}

Deno.test("ServerConnection logs what a server says, without what steers and without secrets", async () => {
  await using arena = await connected(["legacy"]);
  await arena.connection.callTool(toolOf("say"), {}, callOptions());
  await arena.until("the log", () => arena.log.length >= 3);
  assert.deepEqual(
    new Set(arena.log.slice(1)),
    new Set([
      "info: stderr: to stderr  token=[redacted]",
      "warning: sample: to the log",
    ]),
  );
});

Deno.test("ServerConnection lets calls go one after the other, or together where the server allows it", async () => {
  for (const parallel of [false, true]) {
    await using arena = await connected([], { parallel });
    const caller = new AbortController();
    const slow = failureOf(
      arena.connection.callTool(toolOf("wait"), {}, callOptions({ signal: caller.signal })),
    );
    await arena.until("the call", () => arena.log.includes("info: stderr: waiting"));
    let isAnswered = false;
    const quick = arena.connection.callTool(toolOf("echo"), { text: "x" }, callOptions())
      .then(() => isAnswered = true);
    // Lists are not calls: a refresh must not wait for a slow tool.
    await arena.connection.listTools();
    if (parallel) await quick;
    assert.equal(isAnswered, parallel);
    caller.abort();
    await Promise.all([slow, quick]);
  }
});

Deno.test("ServerConnection [case 108] keeps calls away from a server that rejects them", async () => {
  const clock = new FakeClock();
  await using arena = await connected([], {}, { clock });
  const fail = () => arena.connection.callTool(toolOf("fail"), {}, callOptions());
  for (let call = 0; call < 3; call++) assert.equal((await fail()).isError, true);
  const refused = await failureOf(fail());
  assert.equal(refused.code, "unavailable");
  assert.match(refused.message, /rejected what it was asked 3 times in a row/);
  await clock.advance(60_000);
  await arena.connection.callTool(toolOf("echo"), { text: "x" }, callOptions());
  assert.equal((await fail()).isError, true);
});

Deno.test("ServerConnection notices other tools at a sign of life, without being told", async () => {
  const clock = new FakeClock();
  await using arena = await connected(["legacy"], {}, { clock });
  // A sign of life asks twice, one after the other: after three further answers it is over.
  const pass = async () => {
    await clock.advance(180_000);
    for (let call = 0; call < 3; call++) {
      await arena.connection.callTool(toolOf("echo"), { text: "x" }, callOptions());
    }
  };
  await arena.connection.listTools();
  await pass();
  assert.equal(arena.changes(), 0);
  await arena.connection.callTool(toolOf("grow"), {}, callOptions());
  await arena.until("the notification", () => arena.changes() === 1);
  await pass();
  await arena.until("the comparison", () => arena.changes() === 2);
  // The new list is what the next one is compared with.
  await pass();
  assert.equal(arena.changes(), 2);
});

Deno.test("ServerConnection stops an idle process and starts it for the next call", async () => {
  const clock = new FakeClock();
  await using arena = await connected([], { idleTimeoutMs: 60_000 }, { clock });
  await clock.advance(60_000);
  assert.equal(arena.connection.status.state, "idle");
  assert.equal(arena.connection.usable, true);
  assert.equal(arena.connection.capabilities?.tools?.listChanged, true);
  const echoed = await arena.connection.callTool(toolOf("echo"), { text: "x" }, callOptions());
  assert.equal(textOf(echoed), "x");
  assert.equal(arena.started(), 2);
});

Deno.test("ServerConnection starts a lazy server by its first call", async () => {
  await using arena = openArena(specOf(fixture("both_eras.ts"), { lazy: true }));
  assert.equal(arena.connection.status.state, "configured");
  assert.equal(arena.connection.usable, true);
  const echoed = await arena.connection.callTool(toolOf("echo"), { text: "x" }, callOptions());
  assert.equal(textOf(echoed), "x");
});

Deno.test("ServerConnection says that a call never started that was given up in the queue", async () => {
  await using arena = await connected([]);
  const [first, second] = [new AbortController(), new AbortController()];
  const wait = ({ signal }: AbortController) =>
    failureOf(arena.connection.callTool(toolOf("wait"), {}, callOptions({ signal })));
  const running = wait(first);
  await arena.until("the call", () => arena.log.includes("info: stderr: waiting"));
  const queued = wait(second);
  second.abort();
  assert.deepEqual([(await queued).code, (await queued).end], ["cancelled", "never_started"]);
  first.abort();
  assert.deepEqual([(await running).code, (await running).end], ["cancelled", "unsettled"]);
});

Deno.test("ServerConnection [case 102] is disabled by the configuration", async () => {
  await using arena = openArena(specOf(fixture("both_eras.ts"), { enabled: false }));
  assert.equal(arena.connection.status.state, "disabled");
  assert.equal(arena.connection.usable, false);
  const { code, message } = await failureOf(arena.connection.connect());
  assert.equal(code, "unavailable");
  assert.equal(message, 'Server "sample" is disabled by the configuration');
  const call = await failureOf(arena.connection.callTool(toolOf("echo"), {}, callOptions()));
  assert.equal(call.message, message);
  assert.equal(arena.started(), 0);
});

Deno.test("ServerConnection [case 102] fails at once when its program does not exist", async () => {
  const launch = { kind: "command" as const, command: "/no/such/program", args: [], env: {} };
  await using arena = openArena(specOf(launch));
  const { message } = await failureOf(arena.connection.connect());
  assert.match(message, /^Cannot start "\/no\/such\/program": /);
  assert.deepEqual(arena.states, ["connecting", "failed"]);
  assert.match(arena.connection.status.error ?? "", /^Cannot start/);
});

Deno.test("ServerConnection refuses calls when it is closed, and those under way end", async () => {
  const arena = await connected([]);
  const slow = failureOf(arena.connection.callTool(toolOf("wait"), {}, callOptions()));
  await arena.until("the call", () => arena.log.includes("info: stderr: waiting"));
  await arena.connection[Symbol.asyncDispose]();
  assert.equal((await slow).code, "outcome_unknown");
  const after = await failureOf(arena.connection.callTool(toolOf("echo"), {}, callOptions()));
  assert.equal(after.code, "unavailable");
  assert.equal(arena.states.at(-1), "closed");
});
