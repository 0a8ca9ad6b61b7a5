import assert from "node:assert/strict";
import type { RuntimeOptions } from "../../runtime/runtime_types.ts";
import { startRuntime } from "./_runtime.ts";

const fixtures = new URL("../fixtures/", import.meta.url).pathname;

/** A runtime with a tool `greet` of the user's own, and the plugins of the fixtures. */
function start(config: RuntimeOptions["config"] = {}): ReturnType<typeof startRuntime> {
  return startRuntime({
    roots: [`${fixtures}plugin_tools`],
    pluginFolder: `${fixtures}plugins`,
    config,
  });
}

function acme(more: Record<string, unknown> = {}): RuntimeOptions["config"] {
  return { plugins: [{ id: "acme", path: `${fixtures}plugins/acme/tools`, ...more }] } as never;
}

Deno.test("PluginManager finds plugins with a manifest, and says what is wrong with others", async () => {
  await using arena = await start();
  const list = arena.runtime.plugins.list();
  assert.deepEqual(list.map(({ id, enabled, tools }) => [id, enabled, tools]), [
    ["acme", true, ["acme_who"]],
    ["other", true, ["other_who"]],
  ]);
  const manifest = `${fixtures}plugins/broken/plugin.json`;
  assert.ok(
    arena.logs.some(({ message }) =>
      message.startsWith(
        `${manifest}: Cannot use the manifest: "id" must be the folder's name, "broken"`,
      )
    ),
  );
  assert.deepEqual(arena.runtime.registry.getAllToolNames(), ["acme_who", "greet", "other_who"]);
});

Deno.test("PluginManager keeps a plugin out of the toolset of an MCP server", async () => {
  await using arena = await start();
  const report = arena.runtime.lastDiscovery!.modules.find(({ path }) =>
    path.endsWith("mcp_like.ts")
  )!;
  assert.equal(report.status, "failed");
  assert.equal(report.diagnostics.at(-1)!.code, "entry_refused");
  assert.match(report.diagnostics.at(-1)!.message, /mcp-acme/);
});

Deno.test("PluginManager keeps a plugin out of the names of MCP servers and of the result reader", async () => {
  await using arena = await start();
  const refused = (file: string): string => {
    const { modules } = arena.runtime.lastDiscovery!;
    const report = modules.find(({ path }) => path.endsWith(`/${file}`))!;
    assert.equal(report.status, "failed");
    assert.equal(report.diagnostics.at(-1)!.code, "entry_refused");
    return report.diagnostics.at(-1)!.message;
  };
  assert.equal(
    refused("server_like.ts"),
    'Cannot register tool "mcp__acme__write" of plugin:other: names that start with ' +
      '"mcp__<server>__" belong to the MCP server of that name. Give the tool another name',
  );
  assert.match(refused("reader_like.ts"), /"read_result" is the name of the tool that reads/);
  // Its other tools stay.
  assert.equal(arena.runtime.registry.getEntry("other_who")?.owner, "plugin:other");
});

Deno.test("PluginManager lets a plugin replace another's tool only with the operator's grant", async () => {
  await using without = await start();
  assert.equal(without.runtime.registry.getEntry("greet")?.owner, "user");
  const explained = await without.runtime.explain("greet");
  assert.match(explained.shadowed[0]!.reason, /allowToolOverride/);
  await using granted = await start(acme({ allowToolOverride: true }));
  assert.equal(granted.runtime.registry.getEntry("greet")?.owner, "plugin:acme");
});

Deno.test("PluginManager gives each plugin a cell of its own", async () => {
  await using arena = await start();
  const who = async (name: string): Promise<string> => (await arena.call(name, {})).content;
  const first = await who("acme_who"), second = await who("other_who"), user = await who("greet");
  const [pids, owners] = [
    [first, second, user].map((text) => text.split(":")[1]),
    [
      first,
      second,
      user,
    ].map((text) => text.split(":")[0]),
  ];
  assert.deepEqual(owners, ["acme", "other", "user"]);
  assert.equal(new Set(pids).size, 3);
  assert.equal((await arena.call("acme_who", {})).isolation, "process");
});

Deno.test("PluginManager caps a plugin's permissions, and leaves others theirs", async () => {
  await using arena = await start(acme({ permissions: { allow: { read: false } } }));
  const file = `${arena.workspace}/a.txt`;
  await Deno.writeTextFile(file, "text");
  const capped = await arena.call("acme_who", { path: file });
  assert.equal(capped.error?.code, "permission_denied");
  assert.equal((await arena.call("other_who", { path: file })).content, "text");
});

Deno.test("PluginManager.disable() withdraws a plugin's tools, and what they shadowed shows again", async () => {
  await using arena = await start(acme({ allowToolOverride: true }));
  const { runtime } = arena;
  const other = runtime.registry.getEntry("other_who");
  await runtime.plugins.disable("acme");
  assert.equal(runtime.registry.getEntry("greet")?.owner, "user");
  assert.equal(runtime.registry.getEntry("acme_who"), undefined);
  assert.equal(runtime.registry.getEntry("other_who"), other, "the same entry, untouched");
  assert.equal((await arena.call("acme_who", {})).error?.code, "unknown_tool");
  await runtime.discover();
  assert.equal(runtime.registry.getEntry("acme_who"), undefined, "a discovery does not enable it");
  await assert.rejects(async () => await runtime.plugins.reload("acme"), /it is disabled/);
  await runtime.plugins.enable("acme");
  assert.equal(runtime.registry.getEntry("greet")?.owner, "plugin:acme");
  assert.equal(runtime.registry.getEntry("other_who"), other);
});

Deno.test("PluginManager.reload() touches no other owner's tools, in one generation", async () => {
  await using arena = await startRuntime({ files: {}, pluginFolder: `${fixtures}plugins` });
  const folder = `${arena.base}/plugin`;
  await Deno.mkdir(folder);
  await using mine = await startRuntime({
    roots: [`${fixtures}plugin_tools`],
    pluginFolder: `${arena.base}/none`,
    config: { plugins: [{ id: "mine", path: folder }] } as never,
  });
  const { registry, plugins } = mine.runtime;
  const greet = registry.getEntry("greet");
  const text = await Deno.readTextFile(`${fixtures}plugins/other/other_who.ts`);
  await Deno.writeTextFile(`${folder}/other_who.ts`, text);
  const before = registry.generation;
  const report = await plugins.reload("mine");
  assert.deepEqual(report.modules.map(({ tools }) => tools), [["other_who"]]);
  assert.equal(registry.generation, before + 1);
  assert.equal(registry.getEntry("greet"), greet);
  await Deno.remove(`${folder}/other_who.ts`);
  await plugins.reload("mine");
  assert.deepEqual(registry.getAllToolNames(), ["greet"]);
});

Deno.test("PluginManager names the plugins there are when it is asked for another", async () => {
  await using arena = await start();
  await assert.rejects(
    async () => await arena.runtime.plugins.enable("acne"),
    /^RangeError: Cannot find plugin "acne": the configuration names "acme", "other"/,
  );
});
