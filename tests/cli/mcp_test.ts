import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { finish, GOOD, type Home, linesOf, makeHome, ROOT } from "./child.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

interface Message {
  readonly id?: number;
  readonly result?: Record<string, never>;
  readonly error?: { readonly code: number };
}

/** A client that writes and reads lines. */
function connect(home: Home, words: readonly string[]) {
  const child = home.spawn(["mcp", "--workspace", home.dir, ...words], "piped");
  const writer = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  const stderr = new Response(child.stderr).text();
  const send = (message: unknown) =>
    writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  return {
    child,
    stderr,
    send,
    end: () => writer.close(),
    async answer(id: number): Promise<Message> {
      for await (const line of { [Symbol.asyncIterator]: () => ({ next: () => lines.next() }) }) {
        const message = JSON.parse(line);
        if (message.id === id) return message;
      }
      throw new Error(`No answer to ${id}: ${await stderr}`);
    },
  };
}

Deno.test("mcp serves the tools on stdin and stdout, and ends with stdin", async () => {
  await using home = await makeHome();
  const client = connect(home, ["--root", GOOD]);
  await client.send(INITIALIZE);
  const hello = await client.answer(1);
  assert.deepEqual(hello.result?.serverInfo, { name: "cloister", version: manifest.version });
  await client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await client.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const list = (await client.answer(2)).result?.tools as unknown as { name: string }[];
  const names = list.map(({ name }) => name);
  assert.ok(names.includes("read_file") && names.includes("fixture_echo"), names.join());
  await client.send({
    jsonrpc: "2.0",
    id: 3,
    method: "tools/call",
    params: { name: "fixture_echo", arguments: { text: "hello" } },
  });
  const call = await client.answer(3);
  assert.match(JSON.stringify(call.result), /hello/);
  await client.end();
  assert.equal((await client.child.status).code, 0, await client.stderr);
});

Deno.test("mcp ends at SIGTERM", async () => {
  await using home = await makeHome();
  const client = connect(home, []);
  await client.send(INITIALIZE);
  await client.answer(1);
  client.child.kill("SIGTERM");
  const { code } = await client.child.status;
  assert.equal(code, 0, await client.stderr);
  await client.end().catch(() => {});
});

Deno.test("mcp refuses the home folder and the root as workspace, unless they are named", async () => {
  await using home = await makeHome();
  const run = async (cwd: string, ...words: string[]) => {
    const [, ...task] = manifest.tasks.cli.split(" ");
    const args = task.map((word) =>
      word.replaceAll("$PWD", cwd).replaceAll("$HOME", home.dir).replace(
        "cli/main.ts",
        `${ROOT}/cli/main.ts`,
      )
    );
    return await finish(
      new Deno.Command(Deno.execPath(), {
        args: [...args, "mcp", ...words],
        cwd,
        env: {
          HOME: home.dir,
          DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
  };
  const inHome = await run(home.dir);
  assert.deepEqual([inHome.code, inHome.stdout], [2, ""]);
  assert.match(inHome.stderr, /because it is the home folder: name the folder .* --workspace=DIR/);
  const inRoot = await run("/");
  assert.deepEqual([inRoot.code, inRoot.stdout], [2, ""]);
  assert.match(inRoot.stderr, /because it is the root of the file system/);
  const named = await run(home.dir, "--workspace", ".");
  assert.equal(named.code, 0, named.stderr);
});

Deno.test("mcp says which words it takes", async () => {
  await using home = await makeHome();
  const { code, stderr } = await home.run("mcp", "lsit");
  assert.equal(code, 2);
  assert.match(stderr, /Unknown word "lsit" after "mcp"; did you mean list\?/);
});

Deno.test("mcp lists the tools of the servers in use from the first time on", async () => {
  await using home = await makeHome();
  const config = `${home.dir}/cloister.json`;
  const fixture = `${ROOT}/tests/fixtures/mcp/both_eras.ts`;
  const server = {
    command: "deno",
    args: ["run", "--quiet", "--no-prompt", fixture],
    env: { DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno` },
  };
  await Deno.writeTextFile(config, JSON.stringify({ mcpServers: { sample: server } }));
  const client = connect(home, ["--config", config]);
  await client.send(INITIALIZE);
  await client.answer(1);
  await client.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const list = (await client.answer(2)).result?.tools as unknown as { name: string }[];
  const names = list.map(({ name }) => name).filter((name) => name.startsWith("mcp__sample__"));
  assert.ok(names.length > 0, JSON.stringify(list));
  await client.end();
  assert.equal((await client.child.status).code, 0, await client.stderr);
});
