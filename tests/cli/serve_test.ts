import assert from "node:assert/strict";
import { GOOD, linesOf, makeHome } from "./child.ts";

interface Serving {
  readonly child: Deno.ChildProcess;
  readonly url: string;
  /** What came before and with the URL; for `start`, everything up to the last line. */
  readonly head: string[];
  readonly lines: AsyncGenerator<string>;
}

async function until(child: Deno.ChildProcess, last: RegExp): Promise<Serving> {
  const lines = linesOf(child.stdout);
  const head: string[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    head.push(next.value);
    if (last.test(next.value)) break;
  }
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(head.join("\n"))?.[0] ??
    assert.fail(head.join("\n"));
  return { child, url, head, lines };
}

async function call(url: string, tool: string, body: string): Promise<Response> {
  return await fetch(`${url}/tools/${tool}/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

async function stop({ child, lines }: Serving, signal: Deno.Signal): Promise<Deno.CommandStatus> {
  child.kill(signal);
  for await (const _ of lines) { /* read to the end, or the child could block */ }
  await child.stderr.cancel();
  return await child.status;
}

Deno.test("serve --json answers calls and stops on SIGTERM, a log line for each", async () => {
  await using home = await makeHome();
  const child = home.spawn(["serve", "--port", "0", "--root", GOOD, "--json"]);
  const serving = await until(child, /listening/);
  const answer = await call(serving.url, "fixture_echo", '{"text":"hi"}');
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).content, '{"text":"hi"}');
  const logged = JSON.parse((await serving.lines.next()).value!);
  assert.deepEqual(
    [logged.event, logged.method, logged.path, logged.status],
    ["request", "POST", "/tools/fixture_echo/call", 200],
  );
  const started = performance.now();
  assert.equal((await stop(serving, "SIGTERM")).code, 0);
  assert.ok(performance.now() - started < 5_000);
});

Deno.test("serve goes on when its cache folder is deleted, for warm tools and for cold ones", async () => {
  await using home = await makeHome();
  const child = home.spawn(["serve", "--port", "0", "--root", GOOD, "--json"]);
  const serving = await until(child, /listening/);
  const cache = `${home.dir}/.cache/cloister`;
  const echo = async (text: string) => {
    const answer = await call(serving.url, "fixture_echo", JSON.stringify({ text }));
    return [answer.status, (await answer.json()).content];
  };
  const read = async () => {
    const answer = await call(serving.url, "read_file", '{"path":"deno.json","limit":1}');
    return [answer.status, (await answer.json()).content.split("\n")[0]];
  };
  const ready = async () => {
    const answer = await fetch(`${serving.url}/readyz`);
    const { status, limits } = await answer.json();
    return [answer.status, status, limits];
  };
  assert.deepEqual(await echo("warm"), [200, '{"text":"warm"}']);
  await Deno.remove(cache, { recursive: true });
  assert.deepEqual(await echo("still warm"), [200, '{"text":"still warm"}']);
  assert.deepEqual(await read(), [200, "1|{"]);
  await Deno.remove(cache, { recursive: true });
  assert.deepEqual(await ready(), [200, "ready", []]);
  assert.ok((await Deno.stat(`${cache}/cell.json`)).isFile);
  await stop(serving, "SIGTERM");
});

Deno.test("serve stops within five seconds although a call never ends", async () => {
  await using home = await makeHome();
  const serving = await until(
    home.spawn(["serve", "--port", "0", "--root", GOOD, "--json"]),
    /listening/,
  );
  const pending = call(serving.url, "fixture_wait", "{}").then((answer) => answer.text(), String);
  // The next answer shows that the pending call was taken before it.
  await (await call(serving.url, "fixture_echo", '{"text":"x"}')).body?.cancel();
  const started = performance.now();
  assert.equal((await stop(serving, "SIGINT")).code, 0);
  assert.ok(performance.now() - started < 5_500);
  await pending;
});

Deno.test("serve says that the port is in use and exits with 1", async () => {
  await using home = await makeHome();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const { code, stdout, stderr } = await home.run("serve", "--port", String(port));
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${port}: the port is in use`));
});

Deno.test("start prints tools, URLs and guarantees", async () => {
  await using home = await makeHome();
  const child = home.spawn(["start", "--port", "0", "--root", GOOD]);
  const serving = await until(child, /^Stop with Ctrl-C/);
  const text = serving.head.join("\n");
  for (
    const name of ["read_file", "write_file", "patch", "search_files", "terminal", "web_extract"]
  ) {
    assert.match(text, new RegExp(`^${name} `, "m"));
  }
  assert.match(text, /^NAME +TOOLSET +ISOLATION +GRANTS$/m);
  assert.match(text, /^fixture_echo +fixture +worker +none$/m);
  assert.ok(text.includes(`${serving.url}/openapi.json`));
  assert.match(text, /^Guarantees here \(Deno \S+, isolation: cell\)$/m);
  const ready = await (await fetch(serving.url + "/readyz")).json();
  assert.deepEqual([ready.status, ready.isolation], ["ready", "cell"]);
  assert.equal((await stop(serving, "SIGINT")).code, 0);
});
