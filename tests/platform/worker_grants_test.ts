/**
 * Facts F5, F6, F11 to F14, F16, F18, F37 and F38: what the permissions of a worker hold back, and what not.
 * @module
 */
import assert from "node:assert/strict";
import { fixture, ISOLATED_FLAGS, runDeno, WORKER_FLAGS } from "./_helpers.ts";

type Action = readonly [name: string, argument: string];

async function ask(
  flags: readonly string[],
  permissions: unknown,
  message: unknown,
  { worker = "./acts_worker.ts", env = {} }: { worker?: string; env?: Record<string, string> } = {},
): Promise<{ readonly message?: string; readonly thrown?: string; readonly stderr: string }> {
  const words = [worker, JSON.stringify(permissions), JSON.stringify(message)];
  const result = await runDeno([...flags, fixture("worker_host.ts"), ...words], { env });
  return { ...JSON.parse(result.stdout || "{}"), stderr: result.stderr };
}

async function act(
  flags: readonly string[],
  permissions: unknown,
  action: Action,
): Promise<string> {
  const { message, thrown, stderr } = await ask([...WORKER_FLAGS, ...flags], permissions, action);
  return message ?? thrown ?? stderr;
}

function dataModule(code: string): string {
  return `data:application/javascript,${encodeURIComponent(code)}`;
}

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Server extends AsyncDisposable {
  readonly port: number;
  readonly requests: string[];
}

function serve(answer: (request: Request) => Response): Server {
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    requests.push(new URL(request.url).pathname);
    return answer(request);
  });
  return {
    port: server.addr.port,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function runModule(code: string, flags: readonly string[]): Promise<string | undefined> {
  const options = { worker: dataModule(code) };
  const { message } = await ask([...WORKER_FLAGS, ...flags], "none", null, options);
  return message;
}

Deno.test("platform [F5] static and literal imports of a worker use its parent's permissions", async () => {
  await withFolder(async (folder) => {
    const [text, json] = [`file://${folder}/secret.txt`, `file://${folder}/secret.json`];
    await Deno.writeTextFile(new URL(text), "secret text");
    await Deno.writeTextFile(new URL(json), '"secret json"');
    const attributes = `{ with: { type: "json" } }`;
    const codes = [
      `import secret from "${text}" with { type: "text" }; postMessage(secret);`,
      `import secret from "${json}" with { type: "json" }; postMessage(secret);`,
      `postMessage((await import("${json}", ${attributes})).default);`,
      `const url = "${json}"; postMessage(await import(url, ${attributes}).catch((e) => e.message));`,
    ];
    const answers = await Promise.all(codes.map((code) => runModule(code, ["--allow-read"])));
    assert.deepEqual(answers.slice(0, 3), ["secret text", "secret json", "secret json"]);
    assert.match(answers[3]!, /^Requires read access to /);
  });
});

Deno.test("platform [F5] a literal import of a worker sends a request that a computed one may not", async () => {
  await using server = serve(() =>
    new Response("export default 1;", { headers: { "content-type": "text/javascript" } })
  );
  const origin = `http://127.0.0.1:${server.port}`;
  const cache = await Deno.makeTempDir();
  const flags = ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock"];
  const parent = [...flags, "--unstable-worker-options", `--allow-import=127.0.0.1:${server.port}`];
  const run = async (code: string) => {
    const options = { worker: dataModule(code), env: { DENO_DIR: cache } };
    return (await ask([...parent, "--allow-read"], "none", null, options)).message;
  };
  try {
    const computed = `const url = "${origin}/computed.js";`;
    const refused = await run(
      `${computed} postMessage(await import(url).catch((e) => e.message));`,
    );
    assert.match(refused!, /^Requires import access to /);
    const literal = await run(`import one from "${origin}/literal.js"; postMessage(String(one));`);
    assert.equal(literal, "1");
    assert.deepEqual(server.requests, ["/literal.js"]);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});

Deno.test("platform [F6] an npm specifier downloads in spite of the worker's grants, until --cached-only or --no-npm", async () => {
  await using npm = serve(() => new Response("{}", { status: 404 }));
  const cache = await Deno.makeTempDir();
  const env = { DENO_DIR: cache, NPM_CONFIG_REGISTRY: `http://127.0.0.1:${npm.port}` };
  const flags = ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--allow-read"];
  const asked = async (flag: readonly string[]): Promise<number> => {
    npm.requests.length = 0;
    const parent = [...flags, "--unstable-worker-options", ...flag];
    const action = ["import", "npm:cloister-absent-package@1.0.0"];
    const { message } = await ask(parent, { net: false, import: false }, action, { env });
    assert.match(message!, /cloister-absent-package|npm/);
    return npm.requests.filter((path) => path.includes("cloister-absent-package")).length;
  };
  try {
    assert.ok(await asked([]) > 0, "the registry should have been asked");
    assert.ok(await asked(["--no-remote"]) > 0, "--no-remote should not matter");
    assert.equal(await asked(["--cached-only"]), 0);
    assert.equal(await asked(["--no-npm"]), 0);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});

Deno.test("platform [F11] deno.permissions without --unstable-worker-options ends the process with code 70", async () => {
  const words = [fixture("worker_host.ts"), "./acts_worker.ts", '"none"', "null"];
  const { code, stdout, stderr } = await runDeno([...ISOLATED_FLAGS, "--allow-read", ...words]);
  assert.deepEqual([code, stdout], [70, ""]);
  assert.match(stderr, /--unstable-worker-options/);
});

Deno.test("platform [F12] a worker that asks for more than its parent has is not started", async () => {
  const escalation = "NotCapable: Can't escalate parent thread permissions";
  for (const wish of [{ net: ["127.0.0.1:1"] }, { env: true }, { write: ["/"] }]) {
    assert.equal(await act(["--allow-read"], wish, ["query", "net"]), escalation);
  }
});

Deno.test({
  name:
    "platform [F13] a scoped write grant makes no links, and both grants follow links that stand",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder(async (folder) => {
      const [inside, secret] = [`${folder}/inside`, `${folder}/secret`];
      await Deno.mkdir(inside);
      await Deno.writeTextFile(secret, "outside");
      await Deno.symlink(secret, `${inside}/ready`);
      const flags = ["--allow-read", "--allow-write"];
      const scoped = { read: [inside], write: [inside] };
      const [symbolic, hard, direct, followed] = await Promise.all([
        act(flags, scoped, ["symlink", `${secret}\n${inside}/made`]),
        act(flags, scoped, ["link", `${secret}\n${inside}/made`]),
        act(flags, scoped, ["read", secret]),
        act(flags, scoped, ["read", `${inside}/ready`]),
      ]);
      assert.match(symbolic, /^NotCapable: .*requires unscoped --allow-read and --allow-write/);
      assert.match(hard, /^NotCapable: Requires read access/);
      assert.match(direct, /^NotCapable: Requires read access/);
      assert.equal(followed, "outside");
      assert.equal(await act(flags, scoped, ["write", `${inside}/ready`]), "done");
      assert.equal(await Deno.readTextFile(secret), "written");
    }),
});

Deno.test("platform [F37, F38] a hole in a write grant holds in a worker that inherits it, but not against the name of a folder above, nor a link", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/tools`);
    await Deno.mkdir(`${folder}/a/tools`, { recursive: true });
    await Deno.symlink("tools", `${folder}/link`);
    const closed = ["tools", "a/tools", "later"].map((name) => `${folder}/${name}`);
    const flags = ["--allow-read", `--allow-write=${folder}`, `--deny-write=${closed.join(",")}`];
    const inherits = { read: [folder], write: "inherit" };
    const listed = { read: [folder], write: [folder] };
    assert.match(await act(flags, listed, ["write", `${folder}/x`]), /Can't escalate parent/);
    assert.equal(await act(flags, inherits, ["write", `${folder}/x`]), "done");
    for (const path of [...closed, `${folder}/tools/x`, `${folder}/a/../tools/x`]) {
      assert.match(await act(flags, inherits, ["write", path]), /^NotCapable/, path);
    }
    for (const paths of [["tools", "t"], ["x", "tools/x"], ["x", "later"]]) {
      const both = paths.map((path) => `${folder}/${path}`).join("\n");
      assert.match(await act(flags, inherits, ["rename", both]), /^NotCapable/, both);
    }
    assert.equal(await act(flags, inherits, ["rename", `${folder}/a\n${folder}/b`]), "done");
    assert.equal(await act(flags, inherits, ["write", `${folder}/b/tools/x`]), "done");
    assert.equal(await act(flags, inherits, ["write", `${folder}/link/x`]), "done");
  }));

Deno.test("platform [F14] a redirect to a host that is not granted is refused before it is asked", async () => {
  await using target = serve(() => new Response("reached"));
  await using server = serve((request) => {
    const inner = new URL("/inner", request.url).href;
    const outer = `http://127.0.0.1:${target.port}/outer`;
    if (request.url.endsWith("/inner")) return new Response("followed");
    return Response.redirect(request.url.endsWith("/away") ? outer : inner);
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const grant = { net: [`127.0.0.1:${server.port}`] };
  const flags = ["--allow-read", "--allow-net"];
  assert.equal(await act(flags, grant, ["fetch", `${origin}/stay`]), "followed");
  const away = await act(flags, grant, ["fetch", `${origin}/away`]);
  assert.match(away, /^NotCapable: Requires net access to "127\.0\.0\.1:\d+"/);
  assert.deepEqual(target.requests, []);
});

Deno.test("platform [F14] odd spellings of loopback do not slip through another grant", async () => {
  await using target = serve(() => new Response("reached"));
  const numbers = ["2130706433", "0x7f.1", "127.1", "0177.0.0.1"];
  const hosts = [...numbers, "localhost.", "[::ffff:7f00:1]", "0"];
  const message = hosts.map((host) => `http://${host}:${target.port}/`);
  const fetchAll = async (net: unknown) => {
    const flags = [...WORKER_FLAGS, "--allow-read", "--allow-net"];
    return (await ask(flags, { net }, message, { worker: "./fetches_all_worker.ts" })).message;
  };
  assert.deepEqual(await fetchAll(["example.com", "127.0.0.1:1"]), hosts.map(() => "NotCapable"));
  assert.deepEqual(target.requests, []);
  // The same spellings do lead there when everything is granted.
  assert.deepEqual((await fetchAll(true))!.slice(0, numbers.length), numbers.map(() => "reached"));
});

Deno.test("platform [F16] unknown keys are ignored, and a key that is left out means none", async () => {
  const flags = ["--allow-read", "--allow-env"];
  const path = fixture("acts_worker.ts");
  const denied = { read: true, "deny-read": [path], denyRead: [path], nonsense: true };
  assert.match(await act(flags, denied, ["read", path]), /^\/\/ Does what the message names/);
  assert.match(await act(flags, {}, ["read", path]), /^NotCapable: Requires read access/);
  assert.match(await act(flags, { read: true }, ["getenv", "HOME"]), /^NotCapable: Requires env/);
});
