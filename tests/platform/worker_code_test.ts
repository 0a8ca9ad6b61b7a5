/**
 * Facts F23, F24, F30 and F31: what a worker loads, and what its errors carry.
 * @module
 */
import assert from "node:assert/strict";
import { fixture, ISOLATED_FLAGS, runDeno, WORKER_FLAGS } from "./_helpers.ts";

const CACHED = ["run", "--quiet", "--no-prompt", "--cached-only", "--unstable-worker-options"];

async function askWorker(flags: readonly string[], ...args: string[]): Promise<unknown> {
  const { stdout, stderr } = await runDeno([...flags, fixture("worker_host.ts"), ...args]);
  return stdout ? JSON.parse(stdout) : stderr;
}

Deno.test("platform [F23] an error event carries the message and no error", async () => {
  const answer = await askWorker([...WORKER_FLAGS, "--allow-read"], "./throws_worker.ts");
  assert.deepEqual(answer, { error: "Uncaught TypeError: from the worker", cause: null });
});

Deno.test("platform [F23] a worker without permissions has a fine clock and shared memory", async () => {
  const answer = await askWorker([...WORKER_FLAGS, "--allow-read"], "./side_channel_worker.ts");
  assert.deepEqual(answer, { message: { fine: true, shared: 8 } });
});

Deno.test("platform [F24] a new worker on the same URL reads entry and dependencies anew", async () => {
  for (const changed of ["entry.ts", "part.ts"]) {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/part.ts`, `export const part = "old part";`);
      const entry = `import { part } from "./part.ts"; self.postMessage("old entry, " + part);`;
      await Deno.writeTextFile(`${folder}/entry.ts`, entry);
      const host = [fixture("reload_host.ts"), `file://${folder}/entry.ts`, `${folder}/${changed}`];
      const grants = ["--allow-read", `--allow-write=${folder}`];
      const { stdout } = await runDeno([...WORKER_FLAGS, ...grants, ...host]);
      const second = changed === "entry.ts" ? "new entry, old part" : "old entry, new part";
      assert.deepEqual(stdout.trim().split("\n"), ["old entry, old part", second]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
});

const TOOL = fixture("computed/tool/tool.ts");
const PART = fixture("computed/tool/part.ts");
const VALUE = { message: "part object function import" };

function importTool(
  files: readonly string[],
  {
    flags = ["--no-lock"] as readonly string[],
    config = fixture("computed/cell.json"),
    tool = TOOL,
  } = {},
): Promise<unknown> {
  const cell = [...CACHED, "--config", config, "--allow-read", ...flags];
  const permissions = JSON.stringify({ read: files });
  return askWorker(
    cell,
    "./imports_by_message_worker.ts",
    permissions,
    JSON.stringify(`file://${tool}`),
  );
}

Deno.test("platform [F30] a computed import needs read of exactly the module's own files", async () => {
  const [both, entryOnly, none] = await Promise.all([
    importTool([TOOL, PART]),
    importTool([TOOL]),
    importTool([]),
  ]);
  assert.deepEqual(both, VALUE);
  assert.match(JSON.stringify(entryOnly), /Requires read access to [^ ]*part\.ts/);
  assert.match(JSON.stringify(none), /Requires read access to [^ ]*tool\.ts/);
});

Deno.test("platform [F30] a cell's strict flags keep that import working, --no-npm breaks it", async () => {
  const folder = await Deno.makeTempDir();
  const lock = `--lock=${folder}/deno.lock`;
  try {
    assert.deepEqual(await importTool([TOOL, PART], { flags: [lock] }), VALUE);
    const frozen = [lock, "--frozen", "--deny-import", "--no-code-cache"];
    const [strict, local, noNpm] = await Promise.all([
      importTool([TOOL, PART], { flags: frozen }),
      importTool([TOOL, PART], { flags: ["--no-remote", "--no-lock"] }),
      importTool([TOOL, PART], { flags: ["--no-npm", "--no-lock"] }),
    ]);
    assert.deepEqual(strict, VALUE);
    assert.deepEqual(local, VALUE);
    assert.match(JSON.stringify(noNpm), /--no-npm is specified/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("platform [F30] with --config, configuration and node_modules beside the tool are ignored", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${folder}/node_modules/zod`, { recursive: true });
    await Deno.writeTextFile(`${folder}/deno.json`, `{ "imports": { "zod": "./missing.ts" } }`);
    await Deno.writeTextFile(`${folder}/package.json`, `{ "dependencies": { "zod": "0.0.1" } }`);
    await Deno.writeTextFile(`${folder}/node_modules/zod/index.js`, "throw new Error('near')");
    await Deno.copyFile(TOOL, `${folder}/tool.ts`);
    await Deno.copyFile(PART, `${folder}/part.ts`);
    const files = [`${folder}/tool.ts`, `${folder}/part.ts`];
    const answer = await importTool(files, { tool: files[0]! });
    assert.deepEqual(answer, VALUE);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const REMOTE: Readonly<Record<string, string>> = {
  "/host.ts": Deno.readTextFileSync(fixture("worker_host.ts")),
  "/worker.ts": `self.onmessage = async (event) => {
    try { self.postMessage((await import(event.data)).value); }
    catch (error) { self.postMessage(error.message); }
  };`,
  "/tool.ts": `export const value = "remote tool";`,
  "/lazy.ts": "export {};",
  "/main.ts": `export const later = () => import("./lazy.ts");`,
};

function servePackage(): { origin: string; asked: string[]; server: Deno.HttpServer } {
  const asked: string[] = [];
  const headers = { "content-type": "application/typescript" };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return new Response(REMOTE[pathname] ?? "", { headers });
  });
  return { origin: `127.0.0.1:${(server.addr as Deno.NetAddr).port}`, asked, server };
}

Deno.test("platform [F31] a computed import from a host needs import of that host, and the cache", async () => {
  const { origin, asked, server } = servePackage();
  const DENO_DIR = await Deno.makeTempDir();
  const run = async (flag: string, permissions: unknown) => {
    const base = `http://${origin}`;
    const args = [`${base}/worker.ts`, JSON.stringify(permissions), `"${base}/tool.ts"`];
    const flags = WORKER_FLAGS.filter((word) => word !== "--cached-only");
    const allow = `--allow-import=${origin}`;
    const started = [...flags, flag, allow, `${base}/host.ts`, ...args];
    return (await runDeno(started, { env: { DENO_DIR } })).stdout;
  };
  try {
    assert.match(await run("--no-code-cache", {}), /Requires import access to/);
    const allowed = { import: [origin] };
    assert.match(await run("--cached-only", allowed), /Specifier not found in cache/);
    assert.equal(asked.includes("/tool.ts"), false);
    assert.deepEqual(JSON.parse(await run("--no-code-cache", allowed)), { message: "remote tool" });
    assert.deepEqual(JSON.parse(await run("--cached-only", allowed)), { message: "remote tool" });
    assert.match(await run("--cached-only", {}), /Requires import access to/);
  } finally {
    await server.shutdown();
    await Deno.remove(DENO_DIR, { recursive: true });
  }
});

Deno.test("platform [F31] a literal import that is never called is fetched with the entry", async () => {
  const { origin, asked, server } = servePackage();
  const DENO_DIR = await Deno.makeTempDir();
  try {
    const flags = ISOLATED_FLAGS.filter((word) => word !== "--cached-only");
    const entry = [`--allow-import=${origin}`, `http://${origin}/main.ts`];
    await runDeno([...flags, ...entry], { env: { DENO_DIR } });
    assert.deepEqual(asked.toSorted(), ["/lazy.ts", "/main.ts"]);
  } finally {
    await server.shutdown();
    await Deno.remove(DENO_DIR, { recursive: true });
  }
});
