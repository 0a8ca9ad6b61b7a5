import assert from "node:assert/strict";
import { Discovery } from "../../registry/discovery.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { DiscoveryService } from "../../runtime/discovery_service.ts";
import { startRuntime, toolFile } from "./_runtime.ts";

Deno.test("DiscoveryService.refresh() runs the new code under a new generation when only the code changed", async () => {
  await using test = await startRuntime({ files: { "own.ts": toolFile("own_tool", "old") } });
  const before = await test.call("own_tool", {});
  assert.equal(before.content, "old");
  await test.write("own.ts", toolFile("own_tool", "new"));
  const after = await test.call("own_tool", {});
  assert.deepEqual([after.content, after.generation], ["new", before.generation + 1]);
  const again = await test.call("own_tool", {});
  assert.deepEqual([again.content, again.generation], ["new", after.generation]);
});

Deno.test("DiscoveryService.refresh() sees a change of a file that the tool file imports", async () => {
  const importing = toolFile("own_tool", "").replace('() => ""', "() => word")
    .replace(/^/, 'import { word } from "./_word.ts";\n');
  await using test = await startRuntime({
    files: { "own.ts": importing, "_word.ts": 'export const word = "old";\n' },
  });
  assert.equal((await test.call("own_tool", {})).content, "old");
  await test.write("_word.ts", 'export const word = "new";\n');
  assert.equal((await test.call("own_tool", {})).content, "new");
});

Deno.test("DiscoveryService.refresh() does not run what declares something else, until it was offered anew", async () => {
  const changes: [what: string, text: string][] = [
    ["description", toolFile("own_tool", "new", { description: "Something else." })],
    [
      "permissions",
      toolFile("own_tool", "new", { rest: 'permissions: { read: ["$WORKSPACE"] },' }),
    ],
    ["isolation", toolFile("own_tool", "new", { rest: 'isolation: "process",' })],
    [
      "schema",
      toolFile("own_tool", "new").replace(
        '{ type: "object" }',
        '{ type: "object", properties: { a: { type: "string" } } }',
      ),
    ],
  ];
  for (const [what, text] of changes) {
    await using test = await startRuntime({ files: { "own.ts": toolFile("own_tool", "old") } });
    assert.equal((await test.call("own_tool", {})).content, "old");
    const path = await test.write("own.ts", text);
    const result = await test.call("own_tool", {});
    assert.deepEqual(
      [result.error?.code, result.end],
      ["integrity_changed", "never_started"],
      what,
    );
    assert.equal(
      result.error?.message,
      `Tool "own_tool" changed: its file "${path}" now declares something else. ` +
        "Ask for the definitions again before calling it",
    );
    await test.runtime.getDefinitions();
    assert.equal((await test.call("own_tool", {})).content, "new", what);
  }
});

Deno.test("DiscoveryService.refresh() does not run a tool whose file is gone, empty or broken", async () => {
  await using test = await startRuntime({
    files: {
      "deleted.ts": toolFile("deleted_tool", "old"),
      "emptied.ts": toolFile("emptied_tool", "old"),
      "broken.ts": toolFile("broken_tool", "old"),
      "good.ts": toolFile("good_tool", "good"),
    },
  });
  for (const name of ["deleted", "emptied", "broken"]) {
    assert.equal((await test.call(`${name}_tool`, {})).content, "old");
  }
  await Deno.remove(`${test.tools}/deleted.ts`);
  await test.write("emptied.ts", "export {};\n");
  await test.write("broken.ts", "registry.register({");
  for (const name of ["deleted", "emptied", "broken"]) {
    const result = await test.call(`${name}_tool`, {});
    assert.deepEqual(
      [result.error?.code, result.end],
      ["integrity_changed", "never_started"],
      name,
    );
    assert.match(result.error!.message, /no longer registers it/);
    const next = await test.call(`${name}_tool`, {});
    assert.equal(next.error?.code, "unknown_tool", name);
  }
  assert.equal((await test.call("good_tool", {})).content, "good");
});

Deno.test("DiscoveryService.refresh() scans once for calls that come at the same time", async () => {
  await using test = await startRuntime({ files: { "own.ts": toolFile("own_tool", "old") } });
  const before = (await test.call("own_tool", {})).generation;
  await test.write("own.ts", toolFile("own_tool", "new"));
  const results = await Promise.all([1, 2, 3, 4].map(() => test.call("own_tool", {})));
  assert.deepEqual(results.map(({ content }) => content), ["new", "new", "new", "new"]);
  assert.deepEqual(results.map(({ generation }) => generation), Array(4).fill(before + 1));
});

Deno.test("DiscoveryService.refresh() looks at a file once in a while when it is watched, at once when it is suspect, and always otherwise", async () => {
  await using test = await startRuntime({ files: { "own.ts": toolFile("own_tool", "old") } });
  const registry = new ToolRegistry();
  await using service = new DiscoveryService({
    registry,
    open: () =>
      Promise.resolve(
        new Discovery({
          cacheDir: `${test.base}/other`,
          importMap: { "@cloister/cloister/tool": import.meta.resolve("../../core/tool.ts") },
        }),
      ),
    onDiagnostic: ({ message }) => assert.fail(message),
  });
  await service.discover([{ dir: test.tools, owner: "program" }]);
  const refresh = () => service.refresh(registry.getEntry("own_tool")!, registry.snapshot());
  const write = (text: string) =>
    Deno.writeTextFileSync(`${test.tools}/own.ts`, toolFile("own_tool", text));
  const first = await refresh();
  assert.equal(first, registry.snapshot());
  const watch = service.beginWatch();
  assert.equal(refresh(), first);
  write("newer");
  assert.equal(refresh(), first, "it was looked at a moment ago");
  service.suspect();
  const second = await refresh();
  assert.notEqual(second, first);
  assert.equal(refresh(), second);
  watch[Symbol.dispose]();
  write("newest, and longer");
  assert.notEqual(await refresh(), second);
});

Deno.test("DiscoveryService.discover() [case 52] [case 53] [case 54] costs nobody else anything when a file is broken", async () => {
  const register = toolFile("hidden_tool", "no").split("\n").slice(2).join("\n");
  await using test = await startRuntime({
    files: {
      "good.ts": toolFile("good_tool", "good"),
      "syntax.ts": `${toolFile("syntax_tool", "no")}const = 1;\n`,
      "throws.ts": `throw new Error("At import");\n${toolFile("throwing_tool", "no")}`,
      "dynamic.ts": toolFile("dynamic_tool", "no").replace(
        'description: "A tool of a test."',
        'description: (() => { throw new Error("While it is described"); })()',
      ),
      "conditional.ts":
        `import { registry } from "@cloister/cloister/tool";\nif (1) {\n${register}}\n`,
    },
  });
  assert.equal((await test.call("good_tool", {})).content, "good");
  const status = new Map(
    test.runtime.lastDiscovery!.modules.map((one) => [one.path.split("/").at(-1), one]),
  );
  assert.deepEqual(status.get("good.ts")!.tools, ["good_tool"]);
  for (const name of ["syntax.ts", "dynamic.ts", "conditional.ts"]) {
    const { tools, diagnostics } = status.get(name)!;
    assert.deepEqual(tools, [], name);
    assert.ok(diagnostics.length > 0 && diagnostics[0]!.line > 0, name);
    assert.ok(
      test.logs.some(({ level, message }) => level === "warning" && message.includes(name)),
      name,
    );
  }
  // Its declaration can be read without running it; its code cannot run.
  const thrown = await test.call("throwing_tool", {});
  assert.deepEqual([thrown.error?.code, thrown.end], ["tool_crashed", "never_started"]);
  assert.match(thrown.error!.message, /At import/);
  assert.equal((await test.call("hidden_tool", {})).error?.code, "unknown_tool");
});

Deno.test("DiscoveryService.discover() [case 55] finds what a loop registers, and a folder's tool.ts", async () => {
  await using test = await startRuntime();
  await Deno.mkdir(`${test.tools}/pack`);
  await test.write("pack/tool.ts", toolFile("packed_tool", "packed"));
  await test.write(
    "table.ts",
    'import { registry } from "@cloister/cloister/tool";\n' +
      'for (const name of ["loop_a", "loop_b"]) {\n' +
      '  registry.register({ name, toolset: "own", description: "One of a loop.",\n' +
      '    schema: { type: "object" }, handler: () => name });\n}\n',
  );
  await test.runtime.discover([test.tools]);
  assert.deepEqual(test.runtime.registry.getAllToolNames(), ["loop_a", "loop_b", "packed_tool"]);
  const contents = await Promise.all(
    ["loop_a", "loop_b", "packed_tool"].map(async (name) => (await test.call(name, {})).content),
  );
  assert.deepEqual(contents, ["loop_a", "loop_b", "packed"]);
});

Deno.test("DiscoveryService.discover() [case 56] reads unchanged files once, and takes up what was added and removed", async () => {
  await using test = await startRuntime({
    files: { "a.ts": toolFile("tool_a", "a"), "b.ts": toolFile("tool_b", "b") },
  });
  assert.deepEqual(test.runtime.lastDiscovery!.cache, { hits: 0, misses: 2 });
  const changes: unknown[] = [];
  test.runtime.on("table-change", ({ added, removed, changed }) =>
    changes.push({ added, removed, changed }));
  assert.deepEqual((await test.runtime.discover()).cache, { hits: 2, misses: 0 });
  assert.deepEqual(changes, []);
  await Deno.remove(`${test.tools}/a.ts`);
  await test.write("c.ts", toolFile("tool_c", "c"));
  assert.deepEqual((await test.runtime.discover()).cache, { hits: 1, misses: 1 });
  assert.deepEqual(changes, [{ added: ["tool_c"], removed: ["tool_a"], changed: [] }]);
});
