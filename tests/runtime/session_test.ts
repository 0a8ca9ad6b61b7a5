import assert from "node:assert/strict";
import { tool } from "../registry/table_support.ts";
import { startRuntime, type TestRuntime } from "./_runtime.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import type { ApprovalRequest } from "../../runtime/approval/approval_types.ts";
import type { Definitions, Selection } from "../../runtime/runtime_types.ts";
import type { SessionOptions } from "../../runtime/session_types.ts";

/** A runtime over inline tools: `a1`, `a2` in toolset `a`, `b1` in `b`. */
function start(options: Parameters<typeof startRuntime>[0] = {}): Promise<TestRuntime> {
  const registry = new ToolRegistry({ onEvent: () => {} });
  for (const name of ["a1", "a2"]) registry.register(tool(name, { toolset: "a" }));
  registry.register(tool("b1", { toolset: "b" }));
  return startRuntime({ registry, ...options });
}

interface DefinitionSource {
  getDefinitions(selection?: Selection): Promise<Definitions>;
}

async function namesOf(source: DefinitionSource, selection?: Selection): Promise<string[]> {
  return (await source.getDefinitions(selection)).tools.map((one) => one.function.name);
}

Deno.test("Runtime.session() offers and calls what it selects, and nothing else", async () => {
  await using test = await start();
  const session = test.runtime.session({ toolsets: ["a"], disabledToolsets: [], names: ["b1"] });
  assert.deepEqual(await namesOf(session), ["a1", "a2", "b1"]);
  const narrow = test.runtime.session({ toolsets: ["a"] });
  assert.deepEqual(await namesOf(narrow), ["a1", "a2"]);
  assert.equal((await narrow.dispatch("a1", {})).content, "a1");
  const refused = await narrow.dispatch("b1", {});
  assert.deepEqual([refused.error?.code, refused.end, refused.error?.message], [
    "not_enabled",
    "never_started",
    'Tool "b1" is not enabled: this session does not select it (toolset "b")',
  ]);
  // The runtime itself is not bound, and its dispatch takes the session too.
  assert.ok((await test.runtime.dispatch("b1", {})).ok);
  const bound = await test.runtime.dispatch("b1", {}, { session: narrow });
  assert.equal(bound.error?.code, "not_enabled");
});

Deno.test("Runtime.session() dispatches exactly what it advertises", async () => {
  await using test = await start({
    config: {
      toolsets: { mine: { tools: ["a1"], includes: ["b"] } },
      disabledToolsets: ["b"],
    },
  });
  const selections: SessionOptions[] = [
    {},
    { toolsets: [] },
    { toolsets: ["mine"] },
    { toolsets: ["all"] },
    { toolsets: ["*"], disabledToolsets: ["mine"] },
    { names: ["a2", "b1"] },
    { disabledToolsets: ["a"] },
    { toolsets: ["nothing"], names: ["nobody"] },
  ];
  for (const selection of selections) {
    const session = test.runtime.session(selection);
    const advertised = await namesOf(session);
    for (const name of ["a1", "a2", "b1"]) {
      const { ok, error } = await session.dispatch(name, {});
      assert.equal(ok, advertised.includes(name), `${name} ${JSON.stringify(selection)}`);
      if (!ok) assert.equal(error?.code, "not_enabled");
    }
  }
});

Deno.test("Session.getDefinitions() narrows, and says what the configuration does not offer", async () => {
  await using test = await start({ config: { enabledToolsets: ["a"] } });
  const session = test.runtime.session({ toolsets: ["a", "b"] });
  const { tools, omitted } = await session.getDefinitions();
  assert.deepEqual(tools.map((one) => one.function.name), ["a1", "a2"]);
  assert.deepEqual(omitted, [
    { name: "b1", reason: 'The configuration does not select it (toolset "b")' },
  ]);
  assert.deepEqual(await namesOf(session, { names: ["a2", "b1"] }), ["a2"]);
  const mcp = await session.getDefinitions(undefined, { dialect: "mcp" });
  assert.deepEqual(mcp.tools.map(({ name }) => name), ["a1", "a2"]);
  // What no selection asked for was not left out of it.
  assert.deepEqual((await test.runtime.getDefinitions()).omitted, []);
});

Deno.test("Session.dispatch() evaluates the selection again, on the table that the call is pinned to", async () => {
  await using test = await start();
  const session = test.runtime.session({ toolsets: ["late", "short"] });
  assert.deepEqual(await namesOf(session), []);
  test.runtime.registry.registerToolsetAlias("short", "b");
  assert.deepEqual(await namesOf(session), ["b1"]);
  assert.ok((await session.dispatch("b1", {})).ok);
  const calling = session.dispatch("added", {});
  test.runtime.registry.register(tool("added", { toolset: "late" }));
  assert.equal((await calling).error?.code, "unknown_tool");
  assert.ok((await session.dispatch("added", {})).ok);
  // The same name under another toolset is not what was selected.
  test.runtime.registry.register(tool("added", { toolset: "other" }));
  assert.equal((await session.dispatch("added", {})).error?.code, "not_enabled");
});

Deno.test("Session.dispatch() does not suggest names that the session may not call", async () => {
  await using test = await start();
  const session = test.runtime.session({ names: ["b1"] });
  const near = await session.dispatch("a3", {});
  assert.equal(near.error?.code, "unknown_tool");
  assert.ok(!/a1|a2/.test(near.content), near.content);
  assert.match((await session.dispatch("zzzz", {})).content, /Tools: b1/);
  const none = test.runtime.session({ toolsets: [] });
  assert.equal((await none.dispatch("zzzz", {})).error?.message, 'Unknown tool: "zzzz"');
});

Deno.test("Runtime.session() refuses options that would mean every tool by mistake", async () => {
  await using test = await start();
  const bad: [unknown, RegExp][] = [
    [{ toolset: ["a"] }, /by "toolset": expected toolsets, disabledToolsets, names/],
    [{ toolsets: "a" }, /"toolsets" must be a list of names/],
    [{ names: [1] }, /"names" must be a list of names/],
    [{ id: "" }, /"id" must be a text/],
    [{ onApproval: "yes" }, /"onApproval" must be a function/],
    [{ approvals: { tools: { a1: "denyy" } } }, /"approvals.tools.a1": expected "allow", "ask"/],
    [{ approvals: { tool: {} } }, /"approvals.tool": expected one of/],
    [{ approvals: { annotations: { readOnly: "ask" } } }, /"approvals.annotations.readOnly"/],
    [{ approvals: [] }, /"approvals": expected an object/],
    [null, /expected an object/],
  ];
  for (const [options, message] of bad) {
    assert.throws(() => test.runtime.session(options as SessionOptions), message);
  }
  await assert.rejects(
    test.runtime.getDefinitions({ toolset: ["a"] } as Selection),
    /by "toolset"/,
  );
});

Deno.test("Session [Symbol.dispose] ends it, and a session belongs to its own runtime", async () => {
  await using test = await start();
  await using other = await start();
  const session = test.runtime.session({ id: "one" });
  assert.equal(session.id, "one");
  await assert.rejects(other.runtime.dispatch("a1", {}, { session }), /another runtime made it/);
  await assert.rejects(
    test.runtime.dispatch("a1", {}, { session: { ...session } as never }),
    /not one that session\(\)/,
  );
  session[Symbol.dispose]();
  session[Symbol.dispose]();
  await assert.rejects(session.dispatch("a1", {}), /disposed of/);
  await assert.rejects(session.getDefinitions(), /disposed of/);
});

Deno.test("Runtime.session() keeps what was selected when the program changes its lists", async () => {
  await using test = await start();
  const names = ["a1"];
  const session = test.runtime.session({ names });
  names.push("b1");
  assert.deepEqual(session.selection, { names: ["a1"] });
  assert.equal((await session.dispatch("b1", {})).error?.code, "not_enabled");
});

Deno.test("Session approvals are only ever stricter than the configuration, and ask at the session", async () => {
  const asked: ApprovalRequest[] = [];
  const atRuntime: string[] = [];
  await using test = await start({
    config: { approval: { tools: { a1: "ask", a2: "deny" } } },
    onApproval: ({ name }) => {
      atRuntime.push(name);
      return "once";
    },
  });
  const session = test.runtime.session({
    id: "s",
    approvals: { default: "allow", tools: { a1: "allow", a2: "allow", b1: "ask" } },
    onApproval: (request) => {
      asked.push(request);
      return "session";
    },
  });
  assert.ok((await session.dispatch("a1", {})).ok);
  assert.equal((await session.dispatch("a2", {})).error?.code, "approval_denied");
  assert.ok((await session.dispatch("b1", {})).ok);
  assert.ok((await session.dispatch("b1", {})).ok);
  assert.deepEqual(asked.map(({ name, sessionId, reasons }) => [name, sessionId, reasons]), [
    ["a1", "s", ["The configuration asks for it (approval.tools.a1)"]],
    ["b1", "s", ["The session asks for it (approval.tools.b1)"]],
  ]);
  // Outside the session b1 is free, and the runtime's own surface is asked.
  assert.ok((await test.runtime.dispatch("b1", {})).ok);
  assert.ok((await test.runtime.dispatch("a1", {})).ok);
  assert.deepEqual(atRuntime, ["a1"]);
  const denies = test.runtime.session({ approvals: { toolsets: { b: "deny" } } });
  const denied = await denies.dispatch("b1", {});
  assert.deepEqual([denied.error?.code, denied.error?.message], [
    "approval_denied",
    'Tool "b1" is not approved: the session denies it (approval.toolsets.b)',
  ]);
});

Deno.test("Session [Symbol.dispose] forgets what was approved for it", async () => {
  await using test = await start();
  let asked = 0;
  const open = () =>
    test.runtime.session({
      id: "same",
      approvals: { default: "ask" },
      onApproval: () => {
        asked++;
        return "session";
      },
    });
  {
    using session = open();
    await session.dispatch("a1", {});
    await session.dispatch("a1", {});
    assert.equal(asked, 1);
  }
  using again = open();
  await again.dispatch("a1", {});
  assert.equal(asked, 2);
});
