import assert from "node:assert/strict";
import type { ModuleGraph } from "../../registry/graph.ts";
import { DenoInfoGraph } from "../../registry/deno_info_graph.ts";
import { LexerGraph } from "../../registry/lexer_graph.ts";
import { errorsOf, moduleAt, Playground, toolNames, toolText } from "./discovery_support.ts";

const GRAPHS: readonly ModuleGraph[] = [new DenoInfoGraph(), new LexerGraph()];

/** What each file of fixtures/discovery/imports comes to: its error's code and line, or its tool. */
const EXPECTED: Readonly<Record<string, string>> = {
  "absolute.ts": "outside_root:2",
  "bare_package.ts": "package_not_allowed:2",
  "builtin.ts": "ok",
  "bytes_import.ts": "import_attributes:2",
  "climbing.ts": "outside_root:2",
  "data_module.ts": "inline_module:2",
  "deep.ts": "remote_import:2",
  "json_inside.ts": "ok",
  "json_outside.ts": "outside_root:2",
  "jsr_package.ts": "package_not_allowed:2",
  "mapped_package.ts": "ok",
  "missing.ts": "import_not_found:2",
  "named_type.ts": "ok",
  "npm_package.ts": "package_not_allowed:2",
  "remote_dynamic.ts": "remote_import:2",
  "remote_static.ts": "remote_import:2",
  "text_import.ts": "outside_root:2",
  "types_comment.ts": "outside_root:2",
  "with_helper.ts": "ok",
  "worker_threads.ts": "worker_threads:2",
};

for (const graph of GRAPHS) {
  Deno.test(`A1, A2, A3: discover() admits and refuses imports by their place (${graph.name})`, async () => {
    using place = new Playground("imports");
    const outcome = await place.discover({ graph });
    const seen = outcome.modules.map((module) => {
      const errors = errorsOf(module);
      assert.equal(module.status, errors.length === 0 ? "registered" : "failed", module.path);
      return [module.path.slice(place.dir.length + 1), errors.join() || "ok"];
    });
    assert.deepEqual(Object.fromEntries(seen), EXPECTED);
  });
}

Deno.test("A1: the refusal of a foreign file names the file, the place and what to do", async () => {
  using place = new Playground("imports");
  const [error, warning] = moduleAt(await place.discover(), "text_import.ts").diagnostics;
  assert.deepEqual(error, {
    severity: "error",
    code: "outside_root",
    message: 'Cannot import "/etc/hostname": tool files import local files by relative paths only',
    path: `${place.dir}/text_import.ts`,
    line: 2,
    column: error?.column,
    hint: "Move the file into the tool folder and import it as ./name.ts",
  });
  assert.equal(
    warning?.message,
    `Could not import tool module ${place.dir}/text_import.ts: ${error?.message}`,
  );
  assert.equal(warning?.severity, "warning");
});

Deno.test("A2: a refusal deep in the closure is shown in the file where it stands", async () => {
  using place = new Playground("imports");
  const error = moduleAt(await place.discover(), "deep.ts").diagnostics
    .find(({ severity }) => severity === "error");
  assert.equal(error?.path, `${place.dir}/_bottom.ts`);
  assert.equal(error?.line, 2);
});

Deno.test("A2: no request reaches a server that tool files import from", async () => {
  const requests: string[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      requests.push(request.url);
      return new Response("export default 1;", { headers: { "content-type": "text/javascript" } });
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  using place = new Playground();
  place.write("static.ts", toolText("static_import", `import "${origin}/s.ts?leak=1";`));
  place.write(
    "dynamic.ts",
    toolText("dynamic_import", `export const l = () => import("${origin}/d.ts");`),
  );
  place.write("types.ts", toolText("types_import", `import type { X } from "${origin}/t.ts";`));
  place.write(
    "comment.ts",
    toolText("comment_import", `/// <reference types="${origin}/c.d.ts" />`),
  );
  const outcome = await place.discover();
  assert.deepEqual(outcome.modules.map(({ status }) => status), [
    "failed",
    "failed",
    "failed",
    "failed",
  ]);
  assert.deepEqual(requests, []);
  // The twin: the server does answer, so that silence means something.
  assert.equal(await (await fetch(`${origin}/twin.ts`)).text(), "export default 1;");
  assert.equal(requests.length, 1);
});

Deno.test("A3: discovery asks no registry for a package and leaves the cache of Deno alone", async () => {
  const requests: string[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      requests.push(new URL(request.url).pathname);
      return new Response("no", { status: 404 });
    },
  );
  using place = new Playground("imports");
  const denoDir = `${place.base}/deno-dir`;
  using _dir = new Variable("DENO_DIR", denoDir);
  using _npm = new Variable("NPM_CONFIG_REGISTRY", `http://127.0.0.1:${server.addr.port}`);
  using _jsr = new Variable("JSR_URL", `http://127.0.0.1:${server.addr.port}`);
  const outcome = await place.discover({ graph: new DenoInfoGraph() });
  assert.deepEqual(toolNames(moduleAt(outcome, "mapped_package.ts")), ["mapped_package"]);
  assert.deepEqual(requests, []);
  assert.throws(() => Deno.statSync(denoDir), Deno.errors.NotFound);
});

/** An environment variable with another value for a while. */
class Variable implements Disposable {
  readonly #name: string;
  readonly #before: string | undefined;

  constructor(name: string, value: string) {
    this.#name = name;
    this.#before = Deno.env.get(name);
    Deno.env.set(name, value);
  }

  [Symbol.dispose](): void {
    if (this.#before === undefined) Deno.env.delete(this.#name);
    else Deno.env.set(this.#name, this.#before);
  }
}

Deno.test("imports of JavaScript files are checked like those of TypeScript files", async () => {
  using place = new Playground();
  place.write("_a.mjs", 'import "./_b.js";');
  place.write("_b.js", 'import "../../x.ts";');
  place.write("deep.mjs", toolText("deep", 'import { a } from "./_a.mjs";'));
  place.write("good.js", toolText("good", 'import fs from "node:fs";'));
  place.write("threads.mjs", toolText("threads", 'import { Worker } from "node:worker_threads";'));
  const outcome = await place.discover();
  assert.deepEqual(outcome.modules.map(({ status }) => status), ["failed", "registered", "failed"]);
  assert.deepEqual(errorsOf(moduleAt(outcome, "deep.mjs")), ["outside_root:1"]);
  assert.equal(errorsOf(moduleAt(outcome, "threads.mjs")).length, 1);
});

Deno.test("a jsr: spelling of a package is allowed when the import map has it", async () => {
  using place = new Playground("imports");
  const importMap = {
    "@cloister/cloister/tool": new URL("../../core/tool.ts", import.meta.url).href,
    "jsr:@std/path@1": "npm:zod@4.6.7",
  };
  const outcome = await place.discover({ importMap });
  assert.equal(moduleAt(outcome, "jsr_package.ts").status, "registered");
  assert.deepEqual(errorsOf(moduleAt(outcome, "mapped_package.ts")), ["package_not_allowed:2"]);
});

Deno.test("an imported file that is a link to the outside, a device or a pipe is not read", async () => {
  using place = new Playground();
  Deno.writeTextFileSync(`${place.base}/secret.ts`, "export const secret = 1;");
  Deno.symlinkSync(`${place.base}/secret.ts`, `${place.dir}/_link.ts`);
  Deno.symlinkSync("/dev/zero", `${place.dir}/_zero.ts`);
  await new Deno.Command("mkfifo", { args: [`${place.dir}/_pipe.ts`] }).output();
  for (const name of ["link", "zero", "pipe"]) {
    place.write(`${name}.ts`, toolText(name, `import "./_${name}.ts";`));
  }
  const outcome = await place.discover();
  assert.deepEqual(outcome.modules.map(errorsOf), [["outside_root:2"], ["not_a_file:2"], [
    "outside_root:2",
  ]]);
});
