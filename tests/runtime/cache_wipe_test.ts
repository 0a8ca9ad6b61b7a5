/** The cache folder goes while a runtime runs: everything but `data/` is put back when it is needed. */
import assert from "node:assert/strict";
import type { ToolResult } from "../../core/result.ts";
import { startHttpServer } from "../../edge/http_server.ts";
import { until } from "../workers/_wait.ts";
import { startRuntime, type TestRuntime, toolFile } from "./_runtime.ts";

const HEAD = `import { registry } from "@cloister/cloister/tool";\n`;

/** A tool file of each kind; `more` is what its registration holds beside the usual. */
function kind(name: string, more: string, handler: string, head = ""): string {
  return `${HEAD}${head}
registry.register({
  name: "${name}",
  toolset: "own",
  description: "A tool of a test.",
  schema: { type: "object", properties: { path: { type: "string" } } },
  ${more}
  handler: ${handler},
});
`;
}

const FILES = {
  "plain.ts": kind("plain", "", `() => "plain " + Deno.pid`),
  "packaged.ts": kind(
    "packaged",
    "",
    `() => z.string().parse("packaged")`,
    `import { z } from "zod";\n`,
  ),
  "argued.ts": kind(
    "argued",
    `permissions: { read: ["$ARG.path"] },`,
    `({ path }) => Deno.readTextFile(path as string)`,
  ),
  "alone.ts": kind("alone", `isolation: "process",`, `() => "alone"`),
  "computed.ts": kind(
    "computed",
    `emoji: ["🔢", "x"].filter((one) => one !== "x").join(""),`,
    `() => "computed"`,
  ),
  "scratch.ts": kind(
    "scratch",
    `permissions: { read: ["$TMP"], write: ["$TMP", "$DATA"] },`,
    `async (_, context) => {
      const tmp = context.data.replace("/data/", "/tmp/") + "/";
      await Deno.writeTextFile(tmp + "a.txt", "scratch");
      return await Deno.readTextFile(tmp + "a.txt");
    }`,
  ),
  "checked.ts": kind("checked", "checkFn: () => true,", `() => "checked"`),
};

/** Removes everything in the cache folder, and the folder itself, but for `data/`. */
async function wipe(test: TestRuntime): Promise<void> {
  const cache = `${test.base}/cache`;
  for (const { name } of [...Deno.readDirSync(cache)]) {
    if (name !== "data") await Deno.remove(`${cache}/${name}`, { recursive: true });
  }
}

function content(result: ToolResult): string {
  assert.ok(result.ok, `${result.error?.code}: ${result.error?.message}`);
  return result.content;
}

async function callAll({ call, workspace }: TestRuntime): Promise<Record<string, string>> {
  const path = `${workspace}/note.txt`;
  await Deno.writeTextFile(path, "argued");
  const answers: Record<string, string> = {};
  for (const name of ["plain", "packaged", "argued", "alone", "computed", "scratch", "checked"]) {
    answers[name] = content(await call(name, { path }));
  }
  return answers;
}

const REST = {
  packaged: "packaged",
  argued: "argued",
  alone: "alone",
  computed: "computed",
  scratch: "scratch",
  checked: "checked",
};

Deno.test("Runtime starts cells for every kind of tool after the cache folder was emptied, and nobody's table changes", async () => {
  await using test = await startRuntime({ files: FILES });
  const { generation } = test.runtime.registry;
  await wipe(test);
  const { plain, ...rest } = await callAll(test);
  assert.deepEqual(rest, REST);
  // Copies were put back; nothing had to be scanned or evaluated again.
  const manifest = `${test.base}/cache/discovery-manifest.json`;
  await assert.rejects(Deno.stat(manifest), Deno.errors.NotFound);
  await wipe(test);
  // Those that are warm go on in the cells that they have; the one of `$ARG` gets a new one.
  assert.deepEqual(await callAll(test), { plain, ...REST });
  assert.equal(test.runtime.registry.generation, generation);
  assert.deepEqual([test.runtime.limits, test.runtime.outage], [[], undefined]);
});

Deno.test("Runtime asks checks and overrides of tools whose copies went before their first call", async () => {
  await using test = await startRuntime({
    files: {
      "checked.ts": FILES["checked.ts"],
      "dynamic.ts": kind(
        "dynamic",
        `dynamicSchemaOverrides: () => ({ description: "Said by itself." }),`,
        `() => "dynamic"`,
      ),
    },
  });
  await wipe(test);
  const { tools } = await test.runtime.getDefinitions();
  assert.deepEqual(tools.map((tool) => [tool.function.name, tool.function.description]), [
    ["checked", "A tool of a test."],
    ["dynamic", "Said by itself."],
  ]);
});

Deno.test("Runtime.dispatch() loads a copy that went between the look at it and the start of the cell", async () => {
  let before: (() => Promise<unknown>) | undefined;
  await using test = await startRuntime({
    files: { "plain.ts": FILES["plain.ts"], "alone.ts": FILES["alone.ts"] },
    hooks: { beforeCall: async () => void await before?.() },
  });
  before = () => wipe(test);
  assert.equal(content(await test.call("alone", {})), "alone");
  // Its file was edited meanwhile: what was looked at cannot run any more, and nothing else may in its place.
  before = async () => {
    await wipe(test);
    await test.write("plain.ts", kind("plain", "", `() => "other"`));
  };
  const changed = await test.call("plain", {});
  assert.equal(changed.error?.code, "integrity_changed");
  assert.match(changed.error?.message ?? "", /^Tool "plain" changed: its file ".*" was edited/);
  before = undefined;
  assert.equal(content(await test.call("plain", {})), "other");
});

Deno.test("Runtime says of a spilled result that it went with the cache folder, keeps logging, and spills again", async () => {
  const long = "A line of a long page.\n".repeat(10_000);
  await using test = await startRuntime({
    files: { "long.ts": toolFile("long", long), "first.ts": "registry.register({" },
  });
  using session = test.runtime.session();
  const before = await session.dispatch("long", {});
  const id = before.spilled!.path.match(/([^/]+)\.txt$/)![1]!;
  const logged = `${test.base}/cache/logs/agent.log`;
  const hasLogged = () => Deno.stat(logged).then(() => true, () => false);
  await until("the log", hasLogged);
  await wipe(test);
  const gone = await session.dispatch("read_result", { id });
  assert.match(
    gone.error?.message ?? "",
    /There is no result "long-[0-9a-f]{32}", or it is gone: .*call again/,
  );
  const again = await session.dispatch("long", {});
  assert.equal(await Deno.readTextFile(again.spilled!.path), long);
  // What is written to the log later goes to a file that is there.
  await test.write("second.ts", "registry.register({");
  await test.runtime.discover();
  await until("the new log", hasLogged);
  await until("the record", async () => /second\.ts:1:/.test(await Deno.readTextFile(logged)));
});

/** What a runtime has in its temporary folders. */
interface Full extends TestRuntime {
  readonly cacheDir: string;
  readonly temporary: string;
  /** Names of the temporary folders for cells and for copies. */
  kept(): string[];
  ready(): Promise<{ readonly status: number; readonly text: string }>;
}

/** A runtime whose cache folder cannot be made because a file is in its place, with a folder for temporary files. */
async function withFullCache(work: (full: Full) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-full-" }));
  const [cacheDir, temporary] = [`${base}/cache`, `${base}/temporary`];
  await Deno.writeTextFile(cacheDir, "in the way");
  await Deno.mkdir(temporary);
  const before = Deno.env.get("TMPDIR");
  const test = await startRuntime({ cacheDir, files: FILES, discover: false });
  const server = startHttpServer(test.runtime, { port: 0 });
  Deno.env.set("TMPDIR", temporary);
  try {
    await test.runtime.discover();
    await work(Object.assign(test, {
      cacheDir,
      temporary,
      kept: () =>
        [...Deno.readDirSync(temporary)].flatMap(({ name }) =>
          /cloister-(cells|store)/.exec(name)?.[1] ?? []
        ).toSorted(),
      ready: async () => {
        const answer = await fetch(`${server.url}/readyz`);
        return { status: answer.status, text: await answer.text() };
      },
    }));
  } finally {
    if (before === undefined) Deno.env.delete("TMPDIR");
    else Deno.env.set("TMPDIR", before);
    await server[Symbol.asyncDispose]();
    await test[Symbol.asyncDispose]();
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("Runtime works from temporary folders while its cache folder cannot be written, and goes back to it", () =>
  withFullCache(async ({ call, runtime, cacheDir, kept, ready }) => {
    for (const name of ["packaged", "computed"]) assert.equal(content(await call(name, {})), name);
    assert.deepEqual(kept(), ["cells", "store"]);
    const full = await ready();
    assert.equal(full.status, 200);
    assert.match(full.text, /The cache folder \S+ could not be written/);
    await Deno.remove(cacheDir);
    await runtime.discover();
    assert.deepEqual(kept(), ["cells"], "no tool uses the other one");
    assert.deepEqual(JSON.parse((await ready()).text).limits, []);
    for (const name of ["alone", "scratch"]) assert.equal(content(await call(name, {})), name);
    assert.ok((await Deno.stat(`${cacheDir}/cell.json`)).isFile);
    await runtime[Symbol.asyncDispose]();
    assert.deepEqual(kept(), []);
  }));

Deno.test("Runtime removes its temporary folders when it is disposed of", () =>
  withFullCache(async ({ call, runtime, kept }) => {
    assert.equal(content(await call("packaged", {})), "packaged");
    assert.deepEqual(kept(), ["cells", "store"]);
    await runtime[Symbol.asyncDispose]();
    assert.deepEqual(kept(), []);
  }));

Deno.test("/readyz answers 503 while neither cache folder nor a temporary one can be written, and 200 again", () =>
  withFullCache(async ({ call, temporary, ready }) => {
    await Deno.remove(temporary, { recursive: true });
    await Deno.writeTextFile(temporary, "in the way");
    const out = await ready();
    assert.equal(out.status, 503);
    assert.match(out.text, /No tool file can be run: Cannot write the configuration of cells to/);
    const failed = await call("plain", {});
    assert.equal(failed.ok, false);
    await Deno.remove(temporary);
    await Deno.mkdir(temporary);
    assert.equal((await ready()).status, 200);
    assert.equal(content(await call("alone", {})), "alone");
  }));
