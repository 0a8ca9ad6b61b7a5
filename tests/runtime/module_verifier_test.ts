import assert from "node:assert/strict";
import { LOAD_RECORD_FILE } from "../../runtime/load_record.ts";
import { startRuntime, type TestRuntime, toolFile } from "./_runtime.ts";

/** A tool file with more at its end. */
function ending(name: string, end: string, rest = ""): string {
  return toolFile(name, name, { rest }) + end + "\n";
}

/** A tool file that leaves a mark in the workspace each time when it is loaded. */
function marking(name: string, more = ""): string {
  const rest = `permissions: { write: ["$WORKSPACE"], env: ["OWN_KEY"] }, ${more}`;
  const text = toolFile(name, name, { rest });
  const mark = `Deno.writeTextFileSync("__SPACE__/${name}", "x", { append: true });\n`;
  return text + mark;
}

async function writeMarking(test: TestRuntime, name: string, more?: string): Promise<void> {
  await test.write(`${name}.ts`, marking(name, more).replace("__SPACE__", test.workspace));
}

async function marks(test: TestRuntime, name: string): Promise<number> {
  const text = await Deno.readTextFile(`${test.workspace}/${name}`).catch(() => "");
  return text.length;
}

async function offered({ runtime }: TestRuntime): Promise<string[]> {
  return [...(await runtime.getDefinitions()).names.values()];
}

/** What is said of a file, as place, code and message. */
function findings({ runtime, tools }: TestRuntime, file: string): string[] {
  const module = runtime.lastDiscovery!.modules.find(({ path }) => path === `${tools}/${file}`)!;
  return module.diagnostics.map(({ path, line, column, code, message }) =>
    `${path.slice(tools.length + 1)}:${line}:${column} ${code} ${message}`
  );
}

Deno.test("Runtime.getDefinitions() [case 52] leaves out a module that throws after its registration, with its reason", async () => {
  await using test = await startRuntime({
    files: {
      "bad.ts": ending("bad", 'throw new TypeError("no \\u001b[31m luck");'),
      "good.ts": toolFile("good", "good"),
      "open.ts": ending("open", "await Promise.resolve();"),
    },
  });
  const { runtime, tools } = test;
  assert.equal(runtime.registry.getEntry("bad")?.name, "bad");
  assert.deepEqual(await offered(test), ["good", "open"]);
  const { modules } = runtime.lastDiscovery!;
  assert.deepEqual(modules.map(({ status, tools }) => [status, tools]), [
    ["failed", []],
    ["registered", ["good"]],
    ["registered", ["open"]],
  ]);
  const says = 'Cannot load the module of tool "bad": TypeError: no  luck';
  assert.deepEqual(findings(test, "bad.ts"), [
    `bad.ts:11:7 load_failed ${says}`,
    `bad.ts:11:7 module_failed Could not import tool module ${tools}/bad.ts: ${says}`,
  ]);
  const warnings = test.logs.filter(({ level }) => level === "warning").map((log) => log.message);
  assert.deepEqual(warnings, [
    `${tools}/bad.ts:11:7: ${says}`,
    `${tools}/bad.ts:11:7: Could not import tool module ${tools}/bad.ts: ${says}`,
  ]);
  assert.equal((await test.call("bad", {})).error?.code, "unknown_tool");
  assert.equal((await test.call("open", {})).content, "open");
  const { found, diagnostics } = await runtime.explain("bad");
  assert.deepEqual([found, diagnostics[0]?.message], [false, says]);
});

Deno.test("Runtime.getDefinitions() names the place in an imported file that throws", async () => {
  await using test = await startRuntime({
    files: {
      "bad.ts": 'import { word } from "./_words.ts";\n' + ending("bad", "export { word };"),
      "_words.ts": 'export const word = "x";\n\nexport const none: string = JSON.parse("[");\n',
      "more.ts": ending("a", "") + toolFile("b", "b").split("\n").slice(2).join("\n") +
        "const x = null as any;\nx.y;\n",
    },
  });
  assert.deepEqual(await offered(test), []);
  assert.match(findings(test, "bad.ts")[0]!, /^_words\.ts:3:34 load_failed .*SyntaxError: /);
  const [first] = findings(test, "more.ts");
  assert.match(first!, /^more\.ts:\d+:\d+ load_failed Cannot load the module of tools "a", "b": /);
});

Deno.test("Runtime.getDefinitions() ends what waits, spins, exits or fills memory, and nobody else pays", async () => {
  await using test = await startRuntime({
    config: { limits: { memoryMb: 256 } },
    files: {
      "waits.ts": ending("waits", "await new Promise(() => {});"),
      "spins.ts": ending("spins", "for (;;);"),
      "exits.ts": ending("exits", "Deno.exit(0);"),
      "fills.ts": ending(
        "fills",
        "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));",
      ),
      "good.ts": ending("good", "await Promise.resolve();"),
      "other.ts": ending("other", "await Promise.resolve();"),
    },
  });
  assert.deepEqual(await offered(test), ["good", "other"]);
  const reason = (file: string) => findings(test, file)[0]!.replace(/^.*?": /, "");
  const late = "Its top level did not come to its end within 2000 ms";
  assert.deepEqual(["waits.ts", "spins.ts"].map(reason), [late, late]);
  assert.equal(reason("exits.ts"), "It ended its worker while it was loaded");
  assert.match(reason("fills.ts"), /MB at most|did not come to its end|heap was full/);
});

Deno.test("Runtime.getDefinitions() loads a module with the grants of its tool and no others", async () => {
  const reading = 'const home = Deno.env.get("HOME");';
  await using test = await startRuntime({
    environment: (name) => Deno.env.get(name),
    files: {
      "without.ts": ending("without", reading),
      "granted.ts": ending("granted", reading, 'permissions: { env: ["HOME"] },'),
    },
  });
  assert.deepEqual(await offered(test), ["granted"]);
  const [first] = findings(test, "without.ts");
  assert.match(first!, /^without\.ts:11:23 load_failed .*asked for env access to "HOME"/);
  assert.match(first!, /change its registration to permissions: \{ env: \["HOME"\] \}/);
});

Deno.test("Runtime.verifyModules() loads nothing where the text of the modules is certain", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`tool_${i}.ts`, toolFile(`tool_${i}`, "x")]),
  );
  await using test = await startRuntime({ files });
  const record = `${test.base}/cache/${LOAD_RECORD_FILE}`;
  const { modules } = await test.runtime.verifyModules();
  assert.equal(modules.filter(({ status }) => status === "registered").length, 8);
  await assert.rejects(Deno.stat(record), Deno.errors.NotFound);
  await test.write("tool_0.ts", ending("tool_0", "await Promise.resolve();"));
  await test.runtime.discover();
  await test.runtime.verifyModules();
  assert.equal(JSON.parse(await Deno.readTextFile(record)).loads.length, 1);
});

Deno.test("Runtime.getDefinitions() loads a module once, not again at the next start, and again after an edit", async () => {
  await using test = await startRuntime({ files: {} });
  // In a cell of its own each load would leave a mark of its own.
  await writeMarking(test, "marks", 'isolation: "process",');
  await test.runtime.discover();
  assert.equal(await marks(test, "marks"), 0);
  await Promise.all([offered(test), offered(test), test.runtime.verifyModules()]);
  await test.runtime.discover();
  assert.deepEqual([await offered(test), await marks(test, "marks")], [["marks"], 1]);
  const again = { roots: [test.tools], workspace: test.workspace, cacheDir: `${test.base}/cache` };
  {
    await using next = await startRuntime(again);
    assert.deepEqual([await offered(next), await marks(test, "marks")], [["marks"], 1]);
  }
  {
    // What a load rests on is also which of the granted variables are set.
    const environment = (name: string) => name === "OWN_KEY" ? "x" : undefined;
    await using next = await startRuntime({ ...again, environment });
    assert.deepEqual([await offered(next), await marks(test, "marks")], [["marks"], 2]);
  }
  await test.write("marks.ts", await Deno.readTextFile(`${test.tools}/marks.ts`) + "// edited\n");
  await using next = await startRuntime(again);
  assert.deepEqual([await offered(next), await marks(test, "marks")], [["marks"], 3]);
});

Deno.test("Runtime.getDefinitions() tries a module that failed again after an edit, and at the next start", async () => {
  await using test = await startRuntime({ files: {} });
  const failing = marking("own").replace("__SPACE__", test.workspace) + 'throw new Error("x");\n';
  await test.write("own.ts", failing);
  await test.runtime.discover();
  assert.deepEqual([await offered(test), await marks(test, "own")], [[], 1]);
  await test.runtime.discover();
  assert.deepEqual([await offered(test), await marks(test, "own")], [[], 1]);
  {
    const { tools, workspace, base } = test;
    await using next = await startRuntime({ roots: [tools], workspace, cacheDir: `${base}/cache` });
    assert.deepEqual([await offered(next), await marks(test, "own")], [[], 2]);
  }
  await test.write("own.ts", failing.replace('throw new Error("x");', ""));
  await test.runtime.discover();
  assert.deepEqual([await offered(test), await marks(test, "own")], [["own"], 3]);
  await test.write("own.ts", failing);
  await test.runtime.discover();
  assert.deepEqual([await offered(test), await marks(test, "own")], [[], 4]);
});

Deno.test("Runtime.getDefinitions() loads what it may offer and nothing else", async () => {
  const variables = new Map<string, string>();
  await using test = await startRuntime({ files: {}, environment: (name) => variables.get(name) });
  await writeMarking(test, "chosen");
  await writeMarking(test, "other");
  await writeMarking(test, "needy", 'requiresEnv: ["OWN_KEY"],');
  await test.runtime.discover();
  await test.runtime.getDefinitions({ names: ["chosen"] });
  const all = () => Promise.all(["chosen", "other", "needy"].map((name) => marks(test, name)));
  assert.deepEqual(await all(), [1, 0, 0]);
  await test.runtime.verifyModules();
  assert.deepEqual(await all(), [1, 1, 0]);
  variables.set("OWN_KEY", "x");
  await test.runtime.verifyModules();
  assert.deepEqual(await all(), [1, 1, 1]);
});

Deno.test("Runtime.getDefinitions() does not blame a module for a copy that went with the cache, or for an edit", async () => {
  await using test = await startRuntime({
    files: {
      "lost.ts": ending("lost", "await Promise.resolve();"),
      "edited.ts": ending("edited", 'throw new Error("x");'),
    },
  });
  await Deno.remove(`${test.base}/cache/store`, { recursive: true });
  await test.write("edited.ts", ending("edited", "await Promise.resolve();"));
  assert.deepEqual(await offered(test), ["edited", "lost"]);
});

Deno.test("Runtime.dispatch() loads nothing ahead; a call that finds out tells why, and the module is withdrawn", async () => {
  await using test = await startRuntime({ files: {} });
  const { runtime } = test;
  await writeMarking(test, "fine");
  await test.write("bad.ts", ending("bad", 'throw new Error("no luck");'));
  await runtime.discover();
  assert.equal((await test.call("fine", {})).content, "fine");
  assert.equal(await marks(test, "fine"), 1);
  const gone = Promise.withResolvers<readonly string[]>();
  runtime.on("table-change", ({ removed }) => gone.resolve(removed));
  const result = await test.call("bad", {});
  assert.deepEqual([result.error?.code, result.end], ["tool_crashed", "never_started"]);
  assert.match(result.error!.message, /no luck/);
  assert.deepEqual(await gone.promise, ["bad"]);
  assert.match(findings(test, "bad.ts")[0]!, /^bad\.ts:11:7 load_failed/);
});

Deno.test("Runtime.dispatch() withdraws a module that is known to load, once it does not", async () => {
  await using test = await startRuntime({ files: {} });
  const text = toolFile("own", "own", { rest: 'permissions: { read: ["$WORKSPACE"] },' }) +
    `Deno.readTextFileSync("${test.workspace}/needed");\n`;
  await test.write("own.ts", text);
  await Deno.writeTextFile(`${test.workspace}/needed`, "");
  await test.runtime.discover();
  assert.deepEqual(await offered(test), ["own"]);
  await Deno.remove(`${test.workspace}/needed`);
  assert.deepEqual(await offered(test), ["own"]);
  const gone = Promise.withResolvers<readonly string[]>();
  test.runtime.on("table-change", ({ removed }) => gone.resolve(removed));
  assert.match((await test.call("own", {})).error!.message, /No such file/);
  assert.deepEqual(await gone.promise, ["own"]);
  assert.deepEqual(await offered(test), []);
});

Deno.test("Runtime.getDefinitions() offers what was hidden by a module that does not load", async () => {
  await using test = await startRuntime({ files: {} });
  test.runtime.registry.register({
    name: "shared",
    toolset: "own",
    description: "The program's own.",
    schema: { type: "object" },
    handler: () => "program",
  });
  const text = ending("shared", 'throw new Error("x");')
    .replace(/\}\);\n/, "}, { override: true });\n");
  await test.write("own.ts", text);
  await test.runtime.discover();
  await offered(test);
  assert.equal((await test.call("shared", {})).content, "program");
});
