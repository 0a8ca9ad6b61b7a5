import assert from "node:assert/strict";
import { PermissionError } from "../../core/errors.ts";
import type { ToolRegistration } from "../../core/registration.ts";
import { createModuleEntry } from "../../registry/entry.ts";
import type { Prober } from "../../registry/prober.ts";
import type { TableChange } from "../../registry/table_change.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { entry, loggedTable, MODULE, tool } from "./table_support.ts";

function tableOf(...tools: readonly ToolRegistration[]): ToolRegistry {
  const table = new ToolRegistry();
  for (const one of tools) table.register(one);
  return table;
}

function moduleEntry(name: string, more: { hasCheckFn?: boolean; description?: string } = {}) {
  return createModuleEntry(
    { name, toolset: "text", description: "", schema: { type: "object" }, ...more },
    { owner: "user", handler: MODULE, source: { kind: "file", path: `/t/${name}.ts` } },
  );
}

Deno.test("ToolRegistry.register() [case 1] keeps the handler that a call runs", () => {
  const table = tableOf(tool("alpha", { handler: () => '{"ok":true}' }));
  const { handler } = table.getEntry("alpha")!;
  assert.ok(handler.kind === "inline");
  assert.equal(handler.call({} as never, {} as never), '{"ok":true}');
});

Deno.test("ToolRegistry.register() [case 2] leaves arguments alone", () => {
  const table = tableOf(tool("echo", { handler: (args) => args }));
  const { handler } = table.getEntry("echo")!;
  assert.ok(handler.kind === "inline");
  assert.deepEqual(handler.call({ msg: "hi" } as never, {} as never), { msg: "hi" });
});

Deno.test("ToolRegistry.getEntry() [case 9] knows no unknown name, and none that every object has", () => {
  const table = tableOf(tool("alpha"));
  for (const name of ["beta", "Alpha", "constructor", "__proto__", "toString", ""]) {
    assert.equal(table.getEntry(name), undefined);
    assert.equal(table.getToolsetForTool(name), undefined);
  }
});

Deno.test("ToolRegistry.getAllToolNames() [case 13] sorts", () => {
  assert.deepEqual(tableOf(tool("z_tool"), tool("a_tool")).getAllToolNames(), ["a_tool", "z_tool"]);
});

Deno.test("ToolRegistry.getRegisteredToolsetNames() [case 14] sorts and names each once", () => {
  const table = tableOf(
    tool("a", { toolset: "zeta" }),
    tool("b", { toolset: "alpha" }),
    tool("c", { toolset: "alpha" }),
  );
  assert.deepEqual(table.getRegisteredToolsetNames(), ["alpha", "zeta"]);
});

Deno.test("ToolRegistry.getToolNamesForToolset() [case 15] sorts and leaves others out", () => {
  const table = tableOf(tool("z"), tool("a"), tool("m", { toolset: "other" }));
  assert.deepEqual(table.getToolNamesForToolset("text"), ["a", "z"]);
  assert.deepEqual(table.getToolNamesForToolset("unknown"), []);
  assert.deepEqual([...table.getToolToToolsetMap()], [["a", "text"], ["m", "other"], [
    "z",
    "text",
  ]]);
});

Deno.test("ToolRegistry.getAllToolNames() [case 77] gives a list of the caller's own", () => {
  const table = tableOf(tool("alpha"));
  table.getAllToolNames().push("beta");
  table.getToolNamesForToolset("text").push("beta");
  assert.deepEqual(table.getAllToolNames(), ["alpha"]);
  assert.deepEqual(table.getToolNamesForToolset("text"), ["alpha"]);
});

Deno.test("ToolRegistry.getEmoji() [cases 21 to 24] gives the tool's, else the default", () => {
  const table = tableOf(tool("a", { emoji: "🔢" }), tool("b"), tool("c", { emoji: "" }));
  assert.equal(table.getEmoji("a"), "🔢");
  assert.equal(table.getEmoji("b"), "⚡");
  assert.equal(table.getEmoji("b", "x"), "x");
  assert.equal(table.getEmoji("unknown"), "⚡");
  assert.equal(table.getEmoji("unknown", "x"), "x");
  assert.equal(table.getEmoji("c"), "⚡");
});

Deno.test("ToolRegistry.getEntry() [case 25] gives name and toolset", () => {
  const found = tableOf(tool("alpha")).getEntry("alpha")!;
  assert.deepEqual([found.name, found.toolset, found.owner], ["alpha", "text", "program"]);
});

Deno.test("ToolRegistry.deregister() [case 31] removes, and leaves unknown names alone", () => {
  const table = tableOf(tool("alpha"));
  assert.equal(table.deregister("alpha"), true);
  assert.equal(table.getEntry("alpha"), undefined);
  assert.equal(table.generation, 2);
  assert.equal(table.deregister("alpha"), false);
  assert.equal(table.generation, 2);
});

Deno.test("ToolRegistry.deregister() [case 32] drops a toolset's aliases with its last tool", () => {
  const table = tableOf(tool("a"), tool("b"), tool("c", { toolset: "other" }));
  table.registerToolsetAlias("words", "text");
  table.registerToolsetAlias("rest", "other");
  table.deregister("a");
  assert.equal(table.getToolsetAliasTarget("words"), "text");
  table.deregister("b");
  assert.equal(table.getToolsetAliasTarget("words"), undefined);
  assert.equal(table.getToolsetAliasTarget("rest"), "other");
});

Deno.test("ToolRegistry.update() keeps an alias when its toolset is emptied and filled in one go", () => {
  const table = tableOf(tool("a"));
  table.registerToolsetAlias("words", "text");
  table.update((draft) => {
    draft.deregister("a");
    draft.register(tool("b"));
  });
  assert.equal(table.getToolsetAliasTarget("words"), "text");
});

Deno.test("ToolRegistry.register() [case 33] replaces the owner's own tool in the same toolset", () => {
  const table = tableOf(tool("alpha"));
  const outcome = table.register(tool("alpha", { handler: () => "new" }));
  assert.deepEqual(outcome, { status: "replaced" });
  assert.equal(table.generation, 2);
  const { handler } = table.getEntry("alpha")!;
  assert.ok(handler.kind === "inline");
  assert.equal(handler.call({} as never, {} as never), "new");
});

Deno.test("ToolRegistry.register() [case 34] refuses another owner's name without override", () => {
  const { table, events } = loggedTable();
  table.register(tool("alpha"), { owner: "builtin" });
  const outcome = table.register(tool("alpha", { toolset: "other" }), { owner: "user" });
  assert.equal(outcome.status, "rejected");
  assert.ok(outcome.status === "rejected");
  assert.equal(outcome.winner, "builtin");
  assert.match(outcome.reason, /builtin goes before user/);
  assert.equal(table.getEntry("alpha")!.owner, "builtin");
  assert.equal(table.generation, 1);
  assert.equal(events.length, 1);
  assert.equal(events[0]!.level, "error");
  assert.match(events[0]!.message, /^Tool registration REJECTED: "alpha" of user: /);
});

Deno.test("ToolRegistry.register() [case 36] lets the program override", () => {
  const { table, events } = loggedTable();
  table.register(tool("alpha"), { owner: "builtin" });
  assert.deepEqual(table.register(tool("alpha"), { override: true }), { status: "replaced" });
  assert.equal(table.getEntry("alpha")!.owner, "program");
  assert.deepEqual(events.map((event) => event.level), ["info"]);
});

Deno.test("ToolRegistry.register() [case 37] takes an override of a free name as a plain insert", () => {
  const { table, events } = loggedTable();
  assert.deepEqual(table.register(tool("alpha"), { override: true }), { status: "registered" });
  assert.deepEqual(events, []);
});

Deno.test("ToolRegistry.registerToolsetAlias() [case 44] moves an alias with a warning", () => {
  const { table, events } = loggedTable();
  table.register(tool("a"));
  table.registerToolsetAlias("words", "text");
  table.registerToolsetAlias("words", "text");
  assert.deepEqual(events, []);
  table.registerToolsetAlias("words", "other");
  assert.equal(table.getToolsetAliasTarget("words"), "other");
  assert.deepEqual(events, [{
    level: "warning",
    message: 'Toolset alias "words" moves from "text" to "other"',
  }]);
  assert.equal(table.generation, 1);
});

Deno.test("ToolRegistry.registerToolsetAlias() stands for one toolset, never for an alias", () => {
  const table = tableOf(tool("a"));
  table.registerToolsetAlias("words", "text");
  table.registerToolsetAlias("more", "words");
  assert.deepEqual(table.getToolNamesForToolset("words"), ["a"]);
  assert.deepEqual(table.getToolNamesForToolset("more"), []);
  table.getRegisteredToolsetAliases().clear();
  assert.deepEqual([...table.getRegisteredToolsetAliases()], [["words", "text"], [
    "more",
    "words",
  ]]);
});

Deno.test("ToolRegistry.getMaxResultSize() [case 46] gives the tool's, else the default", () => {
  const table = tableOf(
    tool("five", { maxResultSizeChars: 5 }),
    tool("zero", { maxResultSizeChars: 0 }),
    tool("endless", { maxResultSizeChars: Infinity }),
    tool("none"),
  );
  assert.equal(table.getMaxResultSize("five"), 5);
  assert.equal(table.getMaxResultSize("five", 7), 5);
  assert.equal(table.getMaxResultSize("zero", 7), 0);
  assert.equal(table.getMaxResultSize("endless"), Infinity);
  assert.equal(table.getMaxResultSize("none", 7), 7);
  assert.equal(table.getMaxResultSize("none"), 100_000);
  assert.equal(table.getMaxResultSize("unknown", 7), 7);
  assert.equal(table.getMaxResultSize("unknown"), 100_000);
});

Deno.test("ToolRegistry.register() [case 48] refuses a list as schema, naming the tool", () => {
  const table = new ToolRegistry();
  const bad = tool("alpha", { schema: [] as unknown as ToolRegistration["schema"] });
  assert.throws(() => table.register(bad), /TypeError|"alpha"/);
  assert.throws(() => table.register(bad), TypeError);
  assert.equal(table.generation, 0);
});

Deno.test("ToolRegistry.register() refuses an unknown owner", () => {
  const table = new ToolRegistry();
  for (const owner of ["somebody", "plugin:", "plugin:Acme", "mcp:a b", "plugin:a//b"]) {
    assert.throws(() => table.register(tool("a"), { owner: owner as "user" }), TypeError);
  }
});

Deno.test("ToolRegistry.update() makes one generation of many changes", () => {
  const table = tableOf(tool("old"));
  const changes: TableChange[] = [];
  table.subscribe((change) => changes.push(change));
  const given = table.update((draft) => {
    draft.register(tool("b"));
    draft.register(tool("a"));
    draft.register(tool("a", { description: "again" }));
    draft.deregister("old");
    assert.equal(draft.getEntry("a")?.description, "again");
    assert.equal(table.getEntry("a"), undefined);
    return 7;
  });
  assert.equal(given, 7);
  assert.equal(table.generation, 2);
  assert.deepEqual(changes, [{ generation: 2, added: ["a", "b"], removed: ["old"], changed: [] }]);
});

Deno.test("ToolRegistry.update() leaves everything as it was when it throws", () => {
  const { table, events } = loggedTable();
  table.register(tool("alpha"), { owner: "builtin" });
  table.registerToolsetAlias("words", "text");
  const before = table.snapshot();
  assert.throws(() =>
    table.update((draft) => {
      draft.register(tool("beta"));
      draft.register(tool("alpha"), { owner: "user" });
      draft.deregister("alpha", { owner: "builtin" });
      draft.registerToolsetAlias("words", "other");
      draft.registerPluginOverridePolicy("plugin:acme", { allowToolOverride: true });
      throw new RangeError("no");
    }), RangeError);
  assert.equal(table.snapshot(), before);
  assert.equal(table.getToolsetAliasTarget("words"), "text");
  assert.equal(table.explainClaims("alpha").claims.length, 1);
  assert.throws(() => table.register(tool("alpha"), { owner: "plugin:acme", override: true }));
  assert.equal(events.filter((event) => event.level === "info").length, 0);
});

Deno.test("ToolRegistry.update() refuses to be nested, and a change beside the draft", () => {
  const table = new ToolRegistry();
  assert.throws(() => table.update(() => table.update(() => 1)), /use the draft/);
  assert.throws(() => table.update(() => table.register(tool("a"))), /use the draft/);
  table.register(tool("a"));
  assert.equal(table.generation, 1);
});

Deno.test("ToolRegistry.update() refuses an asynchronous function, and its draft is closed", async () => {
  const table = new ToolRegistry();
  let late: unknown;
  const done = Promise.withResolvers<void>();
  assert.throws(() =>
    table.update(async (draft) => {
      draft.register(tool("a"));
      await Promise.resolve();
      try {
        draft.register(tool("b"));
      } catch (error) {
        late = error;
        throw error;
      } finally {
        done.resolve();
      }
    }), TypeError);
  await done.promise;
  assert.match(String(late), /after its update has ended/);
  assert.deepEqual(table.getAllToolNames(), []);
});

Deno.test("ToolRegistry.subscribe() tells the difference after the swap", () => {
  const table = tableOf(tool("alpha"));
  const seen: [TableChange, string[]][] = [];
  const stop = table.subscribe((change) => seen.push([change, table.getAllToolNames()]));
  table.register(tool("beta"));
  table.register(tool("beta", { description: "new" }));
  table.deregister("alpha");
  table.deregister("alpha");
  stop();
  table.register(tool("gamma"));
  assert.deepEqual(seen, [
    [{ generation: 2, added: ["beta"], removed: [], changed: [] }, ["alpha", "beta"]],
    [{ generation: 3, added: [], removed: [], changed: ["beta"] }, ["alpha", "beta"]],
    [{ generation: 4, added: [], removed: ["alpha"], changed: [] }, ["beta"]],
  ]);
});

Deno.test("ToolRegistry.subscribe() tells the others when a listener throws, and logs it", () => {
  const { table, events } = loggedTable();
  const seen: number[] = [];
  table.subscribe(() => {
    throw new Error("broken");
  });
  table.subscribe((change) => seen.push(change.generation));
  assert.deepEqual(table.register(tool("a")), { status: "registered" });
  assert.deepEqual(seen, [1]);
  assert.match(events[0]!.message, /listener of the registry failed: Error: broken/);
});

Deno.test("ToolRegistry.subscribe() tells changes in order when a listener makes one", () => {
  const table = new ToolRegistry();
  const seen: number[] = [];
  table.subscribe((change) => {
    if (change.generation === 1) table.register(tool("b"));
  });
  table.subscribe((change) => seen.push(change.generation));
  table.register(tool("a"));
  assert.deepEqual(seen, [1, 2]);
});

Deno.test("ToolRegistry.replaceOwnerClaims() makes an owner's claims exactly these", () => {
  const table = new ToolRegistry();
  table.register(tool("kept_by_others"));
  table.replaceOwnerClaims("user", [moduleEntry("a"), moduleEntry("b")]);
  assert.equal(table.generation, 2);
  const outcomes = table.replaceOwnerClaims("user", [moduleEntry("b"), moduleEntry("c")]);
  assert.deepEqual(outcomes, [{ status: "registered" }, { status: "registered" }]);
  assert.deepEqual(table.getAllToolNames(), ["b", "c", "kept_by_others"]);
  assert.equal(table.generation, 3);
});

Deno.test("ToolRegistry.replaceOwnerClaims() changes nothing when nothing is new", () => {
  const table = new ToolRegistry();
  table.replaceOwnerClaims("user", [moduleEntry("a"), moduleEntry("b")]);
  const before = table.snapshot();
  table.replaceOwnerClaims("user", [moduleEntry("b"), moduleEntry("a")]);
  assert.equal(table.snapshot(), before);
  table.replaceOwnerClaims("user", [moduleEntry("a"), moduleEntry("b", { description: "new" })]);
  assert.equal(table.generation, 2);
  assert.equal(table.getEntry("a"), before.get("a"));
});

Deno.test("ToolRegistry.replaceOwnerClaims() lets the first of two spellings hold [rule 1]", () => {
  const { table, events } = loggedTable();
  const outcomes = table.replaceOwnerClaims("user", [moduleEntry("do_it"), moduleEntry("Do-It")]);
  assert.equal(outcomes[1]!.status, "rejected");
  assert.match(JSON.stringify(outcomes[1]), /\/t\/do_it\.ts/);
  assert.deepEqual(table.getAllToolNames(), ["do_it"]);
  assert.equal(events[0]!.level, "error");
  table.replaceOwnerClaims("user", [moduleEntry("Do-It")]);
  assert.deepEqual(table.getAllToolNames(), ["Do-It"]);
});

Deno.test("ToolRegistry.replaceOwnerClaims() refuses another owner's entries as a whole", () => {
  const table = new ToolRegistry();
  assert.throws(() => table.replaceOwnerClaims("builtin", [moduleEntry("a")]), TypeError);
  assert.equal(table.generation, 0);
});

Deno.test("ToolRegistry.registerEntry() refuses an entry that is not frozen", () => {
  const made = entry("a", "user");
  assert.throws(() => new ToolRegistry().registerEntry({ ...made }), /not frozen/);
});

Deno.test("ToolRegistry.setEventSink() delivers what has been waiting, in order", () => {
  const table = new ToolRegistry();
  table.register(tool("a"), { owner: "builtin" });
  table.register(tool("a"), { owner: "user" });
  table.register(tool("a"), { owner: "mcp:srv" });
  const messages: string[] = [];
  table.setEventSink((event) => {
    messages.push(event.message);
    throw new Error("a log that fails");
  });
  assert.equal(messages.length, 2);
  assert.match(messages[0]!, /"a" of user/);
  assert.match(messages[1]!, /"a" of mcp:srv/);
});

Deno.test("ToolRegistry.explainClaims() names every claim and the rule", () => {
  const table = new ToolRegistry();
  table.register(tool("a"), { owner: "mcp:srv" });
  table.register(tool("a"), { owner: "builtin" });
  assert.throws(
    () => table.register(tool("a"), { owner: "plugin:acme", override: true }),
    PermissionError,
  );
  const explained = table.explainClaims("A");
  assert.equal(explained.holder?.owner, "builtin");
  assert.match(explained.rule!, /builtin goes before plugin:acme/);
  assert.deepEqual(explained.claims.map(({ entry: { owner }, visible }) => [owner, visible]), [
    ["builtin", true],
    ["plugin:acme", false],
    ["mcp:srv", false],
  ]);
  assert.match(explained.claims[1]!.reason, /"allowToolOverride": true for the plugin "acme"/);
  assert.deepEqual(table.explainClaims("unknown"), { name: "unknown", claims: [] });
});

Deno.test("ToolRegistry.isToolsetAvailable() [cases 10, 11, 17 and 29] wants one tool that can be used", async () => {
  const table = tableOf(
    tool("plain"),
    tool("off", { toolset: "off", checkFn: () => false }),
    tool("raises", {
      toolset: "raises",
      checkFn: () => {
        throw new RangeError("no");
      },
    }),
    tool("mixed_off", {
      toolset: "mixed",
      checkFn: () => ({ available: false, reason: "no key" }),
    }),
    tool("mixed_on", { toolset: "mixed", checkFn: () => Promise.resolve(true) }),
  );
  table.registerToolsetAlias("words", "text");
  assert.equal(await table.isToolsetAvailable("text"), true);
  assert.equal(await table.isToolsetAvailable("words"), true);
  assert.equal(await table.isToolsetAvailable("off"), false);
  assert.equal(await table.isToolsetAvailable("raises"), false);
  assert.equal(await table.isToolsetAvailable("mixed"), true);
  assert.equal(await table.isToolsetAvailable("unknown"), false);
  assert.equal(table.peekAvailability("mixed_off")?.reason, "no key");
  assert.match(table.peekAvailability("raises")!.reason!, /RangeError: no/);
  table.invalidateCheckCache();
  assert.equal(table.peekAvailability("mixed_off"), undefined);
});

Deno.test("ToolRegistry.checkToolsetRequirements() [case 12] says yes or no of each toolset", async () => {
  const table = tableOf(
    tool("b", { toolset: "nope", checkFn: () => false }),
    tool("a", { toolset: "ok" }),
  );
  assert.deepEqual(await table.checkToolsetRequirements(), { nope: false, ok: true });
});

Deno.test("ToolRegistry.checkToolAvailability() [cases 8 and 20] runs a shared check once", async () => {
  let runs = 0;
  const checkFn = () => {
    runs++;
    throw new Error("down");
  };
  const table = tableOf(
    tool("a", { toolset: "net", checkFn, requiresEnv: ["KEY", ["A", "B"]] }),
    tool("b", { toolset: "net", checkFn, requiresEnv: ["KEY"] }),
    tool("c"),
  );
  assert.deepEqual(await table.checkToolAvailability(), {
    available: ["text"],
    unavailable: [{
      name: "net",
      envVars: ["KEY", "A", "B"],
      tools: ["a", "b"],
      reasons: ["The check failed: Error: down"],
    }],
  });
  assert.equal(runs, 1);
  assert.deepEqual(Object.keys(await table.getAvailableToolsets()), ["net", "text"]);
});

Deno.test("ToolRegistry.getSchema() gives the schema of the parameters, whether or not the tool can be used", () => {
  const table = new ToolRegistry();
  const schema = { type: "object", properties: { text: { type: "string" } } } as const;
  table.register(tool("a", { schema, checkFn: () => false }));
  assert.deepEqual(table.getSchema("a"), schema);
  assert.equal(Object.isFrozen(table.getSchema("a")), true);
  assert.deepEqual([table.getSchema("A"), table.getSchema("constructor")], [undefined, undefined]);
});

Deno.test("ToolRegistry.getToolsetRequirements() says what each toolset needs, and asks nothing by itself", async () => {
  const table = new ToolRegistry();
  let runs = 0;
  const checkFn = () => {
    runs++;
    return runs > 1;
  };
  table.register(tool("c", { toolset: "web", checkFn: () => assert.fail("not the first") }));
  table.register(tool("b", { toolset: "web", requiresEnv: ["KEY", ["A", "B"]], checkFn }));
  table.register(tool("a", { toolset: "web", requiresEnv: ["KEY"] }));
  table.register(tool("z", { toolset: "text" }));
  const { text, web, ...others } = table.getToolsetRequirements();
  assert.deepEqual(others, {});
  assert.deepEqual(text, { name: "text", envVars: [], setupUrl: null, tools: ["z"] });
  const { checkFn: ask, ...rest } = web!;
  assert.deepEqual(rest, {
    name: "web",
    envVars: ["KEY", "A", "B"],
    setupUrl: null,
    tools: ["a", "b", "c"],
  });
  assert.equal(runs, 0);
  assert.equal(await ask!(), false);
  table.invalidateCheckCache();
  assert.equal(await ask!(), true);
  table.setProber({
    probe: () => Promise.reject(new Error("broken")),
    peek: () => undefined,
    invalidate: () => {},
  });
  assert.equal(await table.getToolsetRequirements().web!.checkFn!(), false);
});

Deno.test("ToolRegistry.checkToolAvailability() [case 26] answers from the snapshot it began with", async () => {
  const table = new ToolRegistry();
  table.register(tool("a", {
    toolset: "gated",
    checkFn: () => {
      table.deregister("a");
      return true;
    },
  }));
  assert.deepEqual((await table.checkToolAvailability()).available, ["gated"]);
  assert.deepEqual(table.getAllToolNames(), []);
});

Deno.test("ToolRegistry.setProber() decides about tools that run in a worker", async () => {
  const table = new ToolRegistry();
  table.registerEntry(moduleEntry("a", { hasCheckFn: true }));
  assert.equal(table.peekAvailability("a"), undefined);
  assert.equal(await table.isToolsetAvailable("text"), false);
  const prober: Prober = {
    probe: () => Promise.resolve({ available: true }),
    peek: () => ({ available: true, checkedAt: 5 }),
    invalidate: () => {},
  };
  table.setProber(prober);
  assert.equal(await table.isToolsetAvailable("text"), true);
  assert.deepEqual(table.peekAvailability("a"), { available: true, checkedAt: 5 });
  table.setProber({ ...prober, probe: () => Promise.reject(new Error("broken")) });
  assert.equal(await table.isToolsetAvailable("text"), false);
});
