/**
 * Facts F34 and F35: what `deno info` does and does not say, and permission sets.
 * @module
 */
import assert from "node:assert/strict";
import { onPath } from "../tools/_open_tool.ts";
import { fixture, runDeno } from "./_helpers.ts";

const OFFLINE = ["--no-remote", "--no-npm", "--no-lock"];

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

interface Graph {
  readonly modules: readonly { readonly specifier: string; readonly error?: string }[];
}

function namesIn(graph: Graph): string[] {
  return graph.modules.map(({ specifier }) => specifier.split("/").at(-1)!).sort();
}

Deno.test("platform [F34] deno info merges a file imported twice and lists only literal imports", async () => {
  const args = ["info", "--json", "--no-config", ...OFFLINE, fixture("graph/entry.ts")];
  const graph: Graph = JSON.parse((await runDeno(args)).stdout);
  assert.deepEqual(namesIn(graph), ["data.json", "entry.ts", "lazy.ts", "node:module"]);
  await assert.rejects(Deno.stat(fixture("graph/executed.txt")), Deno.errors.NotFound);
});

Deno.test("platform [F34] deno info downloads unless told not to", async () => {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    asked.push(new URL(request.url).pathname);
    return new Response("export {};", { headers: { "content-type": "application/typescript" } });
  });
  const host = `127.0.0.1:${server.addr.port}`;
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const env = { DENO_DIR: `${cwd}/cache`, NPM_CONFIG_REGISTRY: `http://${host}` };
  try {
    await Deno.writeTextFile(`${cwd}/deno.json`, "{}");
    await Deno.writeTextFile(
      `${cwd}/entry.ts`,
      `import "http://${host}/remote.ts"; import "npm:left-pad@1.3.0";`,
    );
    const info = ["info", "--json", `--allow-import=${host}`];
    await runDeno([...info, ...OFFLINE, "entry.ts"], { cwd, env });
    assert.deepEqual(asked, []);
    await runDeno([...info, "entry.ts"], { cwd, env });
    assert.deepEqual([...new Set(asked)].sort(), ["/left-pad", "/remote.ts"]);
    await Deno.writeTextFile(`${cwd}/entry.ts`, `import "http://${host}/remote.ts";`);
    await runDeno([...info, "entry.ts"], { cwd, env });
    assert.match(await Deno.readTextFile(`${cwd}/deno.lock`), /remote\.ts/);
  } finally {
    await server.shutdown();
  }
});

Deno.test({
  name: "platform [F34] deno info waits for ever at a named pipe that a module imports",
  ignore: onPath("mkfifo") === undefined,
  fn: async () => {
    await using folder = await temporaryFolder();
    const made = await new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).output();
    assert.ok(made.success);
    const entry = `${folder.path}/entry.ts`;
    await Deno.writeTextFile(entry, `import text from "./pipe" with { type: "text" };`);
    const args = ["info", "--json", "--no-config", ...OFFLINE, entry];
    const { timedOut } = await runDeno(args, { timeoutMs: 700 });
    assert.equal(timedOut, true);
  },
});

Deno.test("platform [F35] a permission set works in a task and prints an experimental notice", async () => {
  const cwd = fixture("sets/good");
  const { stdout, stderr } = await runDeno(["task", "set"], { cwd });
  assert.equal(stdout.trim(), "granted prompt");
  assert.match(stderr, /experimental/);
});

Deno.test("platform [F35] one unknown key breaks every permission set", async () => {
  const cwd = fixture("sets/bad");
  const { code, stderr } = await runDeno(["run", "--no-prompt", "-P=good", "state.ts"], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /unknown field `deny-read`/);
});

Deno.test("platform [F35] a task expands $PWD, $HOME and $(pwd), and not a default value", async () => {
  const cwd = fixture("sets/good");
  const env = { HOME: "/somewhere" };
  const variables = await runDeno(["task", "variables"], { cwd, env });
  assert.equal(variables.stdout.trim(), `[${cwd}] [/somewhere] [${cwd}]`);
  const fallback = await runDeno(["task", "fallback"], { cwd });
  assert.equal(fallback.stdout.trim(), "${MISSING:-fallback}");
});
