import assert from "node:assert/strict";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { MemoryServer, startHub, tool, within } from "./_memory_server.ts";

Deno.test("McpServers [case 96] puts my_tool of my_srv into the table as mcp__my_srv__my_tool, and the server's name is an alias of its toolset", async () => {
  await using test = await startHub({ my_srv: new MemoryServer([tool("my_tool")]) });
  const entry = test.registry.getEntry("mcp__my_srv__my_tool")!;
  assert.equal(entry.toolset, "mcp-my_srv");
  assert.equal(entry.owner, "mcp:my_srv");
  assert.deepEqual(entry.source, {
    kind: "mcp",
    server: "my_srv",
    containment: "unsandboxed",
  });
  assert.equal(test.registry.getToolsetAliasTarget("my_srv"), "mcp-my_srv");
  assert.deepEqual(test.runtime.resolveToolset("my_srv").tools, ["mcp__my_srv__my_tool"]);
  const { tools } = await test.runtime.getDefinitions({ toolsets: ["my_srv"] });
  assert.deepEqual(tools.map((one) => one.function.name), ["mcp__my_srv__my_tool"]);
  const result = await test.runtime.dispatch("mcp__my_srv__my_tool", {});
  assert.ok(result.ok, result.content);
  assert.match(result.content, /my_tool ran/);
  assert.match(result.content, /<untrusted-output /);
});

Deno.test("McpServers gives no alias where a toolset has the server's name, and says so", async () => {
  await using test = await startHub({ web: new MemoryServer([tool("t")]) });
  assert.equal(test.registry.getToolsetAliasTarget("web"), undefined);
  assert.deepEqual(test.runtime.resolveToolset("mcp-web").tools, ["mcp__web__t"]);
  await test.logged(/gets no alias: there is a toolset "web"/);
});

Deno.test("McpServers [case 97] takes old_tool out and puts new_tool in, both by the alias, in one generation", async () => {
  const server = new MemoryServer([tool("old_tool"), tool("same")]);
  await using test = await startHub({ srv: server });
  const { generation } = test.registry;
  const same = test.registry.getEntry("mcp__srv__same");
  server.tools = [tool("same"), tool("new_tool")];
  const changed = test.changed();
  await server.notify();
  await changed;
  assert.equal(test.registry.generation, generation + 1);
  assert.deepEqual(test.runtime.resolveToolset("srv").tools, [
    "mcp__srv__new_tool",
    "mcp__srv__same",
  ]);
  assert.equal(test.registry.getEntry("mcp__srv__same"), same);
  await test.logged(/^warning: .*not there before: new_tool/);
  await test.logged(/^warning: .*no longer has: old_tool/);
});

Deno.test("McpServers looks at an equal list without a new generation", async () => {
  const server = new MemoryServer([tool("a", { annotations: { x: 1 } })]);
  await using test = await startHub({ srv: server });
  const { generation } = test.registry;
  server.tools = [{ annotations: { x: 1 }, ...tool("a") }];
  const { promise, resolve } = Promise.withResolvers<void>();
  server.gate = { then: (done: () => void) => (resolve(), done()) } as unknown as Promise<void>;
  await server.notify();
  await within(promise, "no second look");
  assert.deepEqual(await test.hub.accept("srv"), []);
  assert.equal(test.registry.generation, generation);
});

Deno.test("McpServers answers a call in flight while its tool is replaced", async () => {
  const server = new MemoryServer([tool("slow"), tool("gone")]);
  const gate = Promise.withResolvers<void>();
  server.callGate = gate.promise;
  await using test = await startHub({ srv: server });
  const running = test.runtime.dispatch("mcp__srv__gone", {});
  await within(server.called, "no call");
  server.tools = [tool("slow")];
  const changed = test.changed();
  await server.notify();
  await changed;
  assert.equal(test.registry.getEntry("mcp__srv__gone"), undefined);
  gate.resolve();
  const result = await running;
  assert.match(result.content, /gone ran/);
});

Deno.test("McpServers [case 102] tells configured, connecting, connected, failed with its error, and disabled apart", async () => {
  const gate = Promise.withResolvers<void>();
  const slow = new MemoryServer([tool("t")]);
  slow.gate = gate.promise;
  const broken = new MemoryServer([]);
  broken.serve = () => Promise.reject(new Error("no such program"));
  const servers = { slow, broken, off: new MemoryServer([]), good: new MemoryServer([tool("t")]) };
  await using test = await startHub(servers, {
    specs: { off: { enabled: false } },
    waits: false,
  });
  const states = () =>
    Object.fromEntries(test.hub.servers().map(({ name, state }) => [name, state]));
  assert.deepEqual(states(), {
    slow: "configured",
    broken: "configured",
    off: "disabled",
    good: "configured",
  });
  await test.logged(/Cannot use MCP server "broken": no such program/);
  gate.resolve();
  await within(test.hub.ready, "not ready");
  assert.deepEqual(test.hub.servers().map(({ name, tools }) => [name, tools]), [
    ["slow", 1],
    ["broken", 0],
    ["off", 0],
    ["good", 1],
  ]);
  assert.equal(states().good, "connected");
  assert.equal(test.hub.servers()[1]!.error, "no such program");
});

Deno.test("McpServers [case 103] of one runtime end without touching those of another on the same table", async () => {
  const registry = new ToolRegistry();
  const [first, second] = [new MemoryServer([tool("t")]), new MemoryServer([tool("t")])];
  await using other = await startHub({ two: second }, { registry });
  const test = await startHub({ one: first }, { registry });
  assert.deepEqual(registry.getAllToolNames(), ["mcp__one__t", "mcp__two__t"]);
  await test[Symbol.asyncDispose]();
  assert.deepEqual(registry.getAllToolNames(), ["mcp__two__t"]);
  assert.equal(registry.getToolsetAliasTarget("two"), "mcp-two");
  assert.equal(other.hub.servers()[0]!.state, "connected");
  assert.ok((await other.runtime.dispatch("mcp__two__t", {})).ok);
});

Deno.test("McpServers of two runtimes that name a server alike: the first keeps the names, and the second's end leaves them", async () => {
  const registry = new ToolRegistry();
  await using first = await startHub({ srv: new MemoryServer([tool("t")]) }, { registry });
  const entry = registry.getEntry("mcp__srv__t");
  const second = await startHub({ srv: new MemoryServer([tool("t")]) }, { registry });
  await second.logged(/Tool "t" of MCP server "srv" is left out: mcp:srv has the name/);
  await second[Symbol.asyncDispose]();
  assert.equal(registry.getEntry("mcp__srv__t"), entry);
  assert.ok((await first.runtime.dispatch("mcp__srv__t", {})).ok);
});

Deno.test("McpServers [case 107] skips a tool whose name somebody else has, with a log, and keeps the other", async () => {
  const registry = new ToolRegistry();
  registry.register({
    name: "mcp__srv__taken",
    toolset: "own",
    description: "The program's own.",
    schema: { type: "object" },
    handler: () => "own",
  });
  const own = registry.getEntry("mcp__srv__taken");
  await using test = await startHub(
    { srv: new MemoryServer([tool("taken"), tool("Taken"), tool("free")]) },
    { registry, specs: { srv: { exclude: ["Taken"] } } },
  );
  assert.equal(registry.getEntry("mcp__srv__taken"), own);
  assert.deepEqual(registry.getAllToolNames(), ["mcp__srv__free", "mcp__srv__taken"]);
  await test.logged(/Tool "taken" of MCP server "srv" is left out: program has the name/);
  assert.equal(test.registry.explainClaims("mcp__srv__taken").claims.length, 1);
});

Deno.test("McpServers [case 101] keep foo-bar and foo_bar apart though their names become the same", async () => {
  const [dash, line] = [
    new MemoryServer([tool("a"), tool("b")]),
    new MemoryServer([tool("b"), tool("c")]),
  ];
  await using test = await startHub({ "foo-bar": dash, foo_bar: line });
  const where = (name: string) => {
    const { owner, toolset, source } = test.registry.getEntry(name)!;
    return [owner, toolset, source.server];
  };
  assert.deepEqual(where("mcp__foo_bar__a"), ["mcp:foo-bar", "mcp-foo-bar", "foo-bar"]);
  assert.deepEqual(where("mcp__foo_bar__c"), ["mcp:foo_bar", "mcp-foo_bar", "foo_bar"]);
  // Of two that want a name, the first of the configuration gets it.
  assert.deepEqual(where("mcp__foo_bar__b"), ["mcp:foo-bar", "mcp-foo-bar", "foo-bar"]);
  await test.runtime.dispatch("mcp__foo_bar__b", {});
  assert.deepEqual([dash.calls.length, line.calls.length], [1, 0]);
  // When it lets go, the other one takes its turn.
  dash.tools = [tool("a")];
  const changed = test.changed();
  await dash.notify();
  await changed;
  assert.deepEqual(where("mcp__foo_bar__b"), ["mcp:foo_bar", "mcp-foo_bar", "foo_bar"]);
});

Deno.test("McpServers takes the tools of a parked server out, and brings them back with it", async () => {
  const server = new MemoryServer([tool("t")]);
  await using test = await startHub({ srv: server });
  test.connection("srv").enter("parked", "gone away");
  assert.equal(test.registry.getEntry("mcp__srv__t"), undefined);
  assert.equal(test.registry.getToolsetAliasTarget("srv"), undefined);
  assert.deepEqual(test.hub.servers().map(({ state, error, tools }) => [state, error, tools]), [
    ["parked", "gone away", 0],
  ]);
  const changed = test.changed();
  test.connection("srv").enter("connected");
  await changed;
  assert.ok(test.registry.getEntry("mcp__srv__t"));
  assert.equal(test.registry.getToolsetAliasTarget("srv"), "mcp-srv");
});

Deno.test("McpServers does not bring tools back when a list comes in after the server was parked", async () => {
  const server = new MemoryServer([tool("t")]);
  await using test = await startHub({ srv: server });
  const gate = Promise.withResolvers<void>();
  server.gate = gate.promise;
  const accepting = test.hub.accept("srv");
  test.connection("srv").enter("parked");
  gate.resolve();
  await accepting;
  assert.equal(test.registry.getEntry("mcp__srv__t"), undefined);
});

Deno.test("McpServers keeps the last good table when a list fails", async () => {
  const server = new MemoryServer([tool("t")]);
  await using test = await startHub({ srv: server });
  server.listFault = "out of order";
  await server.notify();
  await test.logged(/Cannot list the tools of MCP server "srv": .*out of order/);
  assert.ok(test.registry.getEntry("mcp__srv__t"));
  assert.match(test.hub.servers()[0]!.error!, /out of order/);
  server.listFault = undefined;
  server.tools = [tool("t"), tool("u")];
  const changed = test.changed();
  await server.notify();
  await changed;
  assert.equal(test.hub.servers()[0]!.error, undefined);
});

Deno.test("McpServers offers the pinned tools of a lazy server without starting it, until a call does", async () => {
  const server = new MemoryServer([tool("t"), tool("gone")]);
  await using first = await startHub({ srv: server }, { specs: { srv: { lazy: true } } });
  assert.equal(server.contacts, 1);
  server.tools = [tool("t")];
  await first.hub.accept("srv");
  const again = new MemoryServer([tool("t"), tool("new")]);
  await using test = await startHub({ srv: again }, {
    lock: first.lock,
    specs: { srv: { lazy: true } },
  });
  assert.equal(again.contacts, 0);
  assert.deepEqual(test.registry.getAllToolNames(), ["mcp__srv__t"]);
  assert.equal(test.hub.servers()[0]!.state, "configured");
  const changed = test.changed();
  const result = await test.runtime.dispatch("mcp__srv__t", {});
  assert.match(result.content, /t ran/);
  assert.equal(again.contacts, 1);
  await changed;
  assert.deepEqual(test.registry.getAllToolNames(), ["mcp__srv__new", "mcp__srv__t"]);
});

Deno.test("McpServers starts a lazy server that is reached in another way than when it was pinned", async () => {
  const server = new MemoryServer([tool("t")]);
  await using first = await startHub({ srv: server }, { specs: { srv: { lazy: true } } });
  const again = new MemoryServer([tool("t")]);
  await using _ = await startHub({ srv: again }, {
    lock: first.lock,
    specs: {
      srv: { lazy: true, launch: { kind: "command", command: "other", args: [], env: {} } },
    },
  });
  assert.equal(again.contacts, 1);
});

Deno.test("McpServers.reconnect() begins anew, with the newest list", async () => {
  const server = new MemoryServer([tool("t")]);
  await using test = await startHub({ srv: server });
  server.tools = [tool("t"), tool("u")];
  const { state, tools } = await test.hub.reconnect("srv");
  assert.deepEqual([state, tools, server.contacts], ["connected", 2, 2]);
  await assert.rejects(test.hub.reconnect("other"), /Cannot find MCP server "other".*"srv"/);
});

Deno.test("McpServers uses no server while the lock file is damaged, says where, and leaves the file alone", async () => {
  const base = await Deno.makeTempDir({ prefix: "cloister-lock-" });
  try {
    const lock = `${base}/mcp.lock`;
    await Deno.writeTextFile(lock, '{\n  "version": 1,\n  "servers": {');
    const server = new MemoryServer([tool("t")]);
    await using test = await startHub({ srv: server }, { lock });
    assert.deepEqual(test.registry.getAllToolNames(), []);
    assert.equal(server.contacts, 0);
    const [status] = test.hub.servers();
    assert.equal(status!.state, "failed");
    assert.ok(status!.error!.startsWith(`Cannot use the lock file: ${lock}:3:`), status!.error);
    assert.equal(await Deno.readTextFile(lock), '{\n  "version": 1,\n  "servers": {');
    await Deno.remove(lock);
    assert.equal((await test.hub.reconnect("srv")).tools, 1);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});
