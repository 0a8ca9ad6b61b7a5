import assert from "node:assert/strict";
import { DenoInfoGraph } from "../../registry/deno_info_graph.ts";
import type { ModuleGraph } from "../../registry/graph.ts";
import { LexerGraph } from "../../registry/lexer_graph.ts";
import { errorsOf, IMPORT_MAP, PACKAGE, Playground, toolText } from "./discovery_support.ts";

Deno.test("a graph that sees another import than the syntax tree refuses the module", async () => {
  using place = new Playground();
  place.write("one.ts", toolText("one"));
  place.write("two.ts", toolText("two", 'import "node:fs";'));
  const honest = new DenoInfoGraph();
  const graph: ModuleGraph = {
    name: "blind",
    read: async (requests) =>
      (await honest.read(requests)).map((view) =>
        view.ok
          ? {
            ok: true,
            files: new Map([...view.files].map(([file, edges]) => [
              file,
              new Map([...edges].filter(([specifier]) => specifier !== "node:fs")),
            ])),
          }
          : view
      ),
  };
  const outcome = await place.discover({ graph });
  assert.deepEqual(outcome.modules.map(errorsOf), [[], ["graph_disagreement:2"]]);
});

Deno.test("a resolver that hangs, floods or breaks fails the modules within its bounds", async () => {
  using place = new Playground();
  place.write("one.ts", toolText("one"));
  const scripts = {
    hangs: "#!/bin/sh\nexec sleep 600\n",
    floods: "#!/bin/sh\nexec cat /dev/zero\n",
    breaks: "#!/bin/sh\nexit 3\n",
    babbles: "#!/bin/sh\necho '{\"modules\": 1}'\n",
  };
  const reasons: string[] = [];
  for (const [name, text] of Object.entries(scripts)) {
    const denoCommand = `${place.base}/${name}`;
    Deno.writeTextFileSync(denoCommand, text, { mode: 0o700 });
    const graph = new DenoInfoGraph({ denoCommand, deadlineMs: 500, maxOutputBytes: 100_000 });
    const [module] = (await place.discover({ graph })).modules;
    reasons.push(module?.diagnostics[0]?.message.split(": ")[1] ?? "");
  }
  assert.deepEqual(reasons, [
    "deno info did not end within 500 ms",
    "deno info printed more than 100000 bytes",
    "deno info ended with code 3",
    "deno info printed something else than its JSON",
  ]);
  // None of these verdicts was kept: the next start asks again, and the module is good.
  assert.equal(
    (await place.discover({ graph: new DenoInfoGraph() })).modules[0]?.status,
    "registered",
  );
});

Deno.test("DenoInfoGraph.read() asks its fallback when the program cannot be started", async () => {
  using place = new Playground();
  place.write("one.ts", toolText("one"));
  const graph = new DenoInfoGraph({
    denoCommand: `${place.base}/no-such-deno`,
    fallback: new LexerGraph(),
  });
  assert.equal((await place.discover({ graph })).modules[0]?.status, "registered");
  const bare = new DenoInfoGraph({ denoCommand: `${place.base}/no-such-deno` });
  using other = new Playground();
  other.write("one.ts", toolText("one"));
  assert.equal(
    (await other.discover({ graph: bare })).modules[0]?.diagnostics[0]?.code,
    "graph_unavailable",
  );
});

Deno.test("discover() starts one process for all modules, and another one only to part a bad batch", async () => {
  using place = new Playground();
  for (let index = 0; index < 8; index++) place.write(`t${index}.ts`, toolText(`tool_${index}`));
  const denoCommand = `${place.base}/counting-deno`;
  const log = `${place.base}/starts`;
  const bad = `grep -q "t5.ts" "$last" && exit 9`;
  const script = (guard: string) =>
    `#!/bin/sh\nfor last; do :; done\necho start >> "${log}"\n${guard}\nexec deno "$@"\n`;
  Deno.writeTextFileSync(denoCommand, script(""), { mode: 0o700 });
  await place.discover({ graph: new DenoInfoGraph({ denoCommand }) });
  assert.equal(Deno.readTextFileSync(log), "start\n");
  Deno.removeSync(place.cacheDir, { recursive: true });
  Deno.writeTextFileSync(denoCommand, script(bad), { mode: 0o700 });
  const outcome = await place.discover({ graph: new DenoInfoGraph({ denoCommand }) });
  const failed = outcome.modules.filter(({ status }) => status !== "registered");
  assert.deepEqual(failed.map(({ path }) => path), [`${place.dir}/t5.ts`]);
  // Halved three times: one start before, then 8; 4 and 4; 2 and 2; 1 and 1.
  assert.equal(Deno.readTextFileSync(log), "start\n".repeat(8));
});

Deno.test("a process that may not start deno admits by the lexer", async () => {
  using place = new Playground("imports");
  Deno.writeTextFileSync(
    `${place.base}/main.ts`,
    `import { Discovery } from "file://${PACKAGE}/registry/discovery.ts";
const discovery = new Discovery(${
      JSON.stringify({ cacheDir: place.cacheDir, importMap: IMPORT_MAP })
    });
const { modules } = await discovery.discover([${JSON.stringify(place.root)}]);
console.log(modules.filter(({ status }) => status === "registered").map(({ path }) => path).join());
`,
  );
  const output = await new Deno.Command("deno", {
    args: [
      "run",
      "--no-prompt",
      "--no-lock",
      "--cached-only",
      "--no-check",
      "--allow-read",
      `--allow-write=${place.cacheDir}`,
      "--config",
      `${PACKAGE}/deno.json`,
      `${place.base}/main.ts`,
    ],
  }).output();
  const registered = [
    "builtin.ts",
    "json_inside.ts",
    "mapped_package.ts",
    "named_type.ts",
    "with_helper.ts",
  ];
  assert.equal(
    new TextDecoder().decode(output.stdout),
    `${registered.map((name) => `${place.dir}/${name}`).join()}\n`,
    new TextDecoder().decode(output.stderr),
  );
});
