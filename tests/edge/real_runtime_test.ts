import assert from "node:assert/strict";
import { startHttpServer } from "../../edge/http_server.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import type { Runtime } from "../../runtime/runtime_types.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";

const GOOD = new URL("../fixtures/cli/good", import.meta.url).pathname;

async function withServer(
  work: (url: string, runtime: Runtime) => Promise<void>,
): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-http-" }));
  try {
    await using runtime = await createRuntime({
      registry: new ToolRegistry(),
      roots: [GOOD],
      builtins: false,
      workspace: dir,
      cacheDir: `${dir}/cache`,
    });
    await using server = startHttpServer(runtime, { port: 0 });
    await work(server.url, runtime);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function call(url: string, path: string, body: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal,
  });
}

Deno.test("startHttpServer() over a real runtime answers each outcome with its status", () =>
  withServer(async (url) => {
    const cases: [path: string, body: string, status: number, code: string | undefined][] = [
      ["/tools/fixture_echo/call", '{"text":"hi"}', 200, undefined],
      ["/tools/fixture_echo/call", '{"text":"fail"}', 422, "tool_error"],
      ["/tools/fixture_echo/call", '{"text":7}', 400, "invalid_arguments"],
      // The text reaches the check as it was sent.
      ["/tools/fixture_echo/call", '{"text":"hi","text":"ho"}', 400, "invalid_arguments"],
      ["/tools/fixture_echo/call", '{"text":"hi","n":9007199254740993}', 400, "invalid_arguments"],
      ["/tools/fixture_nope/call", "{}", 404, "unknown_tool"],
      ["/tools/constructor/call", "{}", 404, "unknown_tool"],
      ["/tools/fixture_needs/call", "{}", 503, "unavailable"],
      ["/tools/fixture_snoop/call", "{}", 403, "permission_denied"],
      ["/tools/fixture_wait/call?timeoutMs=200", "{}", 504, "timeout"],
    ];
    for (const [path, body, status, code] of cases) {
      const answer = await call(url, path, body);
      const result = await answer.json();
      assert.deepEqual([answer.status, result.error?.code], [status, code], JSON.stringify(result));
      assert.equal(typeof result.callId, "string");
    }
  }));

Deno.test("startHttpServer() over a real runtime is ready and lists what the table holds", () =>
  withServer(async (url) => {
    const ready = await (await fetch(url + "/readyz")).json();
    assert.deepEqual([ready.status, ready.tools, ready.isolation], ["ready", 4, "cell"]);
    const list = await (await fetch(url + "/tools")).json();
    assert.deepEqual(list.tools.map((tool: { name: string }) => tool.name), [
      "fixture_echo",
      "fixture_needs",
      "fixture_snoop",
      "fixture_wait",
    ]);
    const document = await (await fetch(url + "/openapi.json")).json();
    assert.ok(document.paths["/tools/fixture_echo/call"].post);
  }));

Deno.test("startHttpServer() over a real runtime cancels the call when the client goes away", () =>
  withServer(async (url, runtime) => {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string | undefined>();
    runtime.on("tool-call-start", () => started.resolve());
    runtime.on("tool-call-end", ({ result }) => ended.resolve(result.error?.code));
    const controller = new AbortController();
    const answer = call(url, "/tools/fixture_wait/call", "{}", controller.signal);
    await started.promise;
    controller.abort();
    await assert.rejects(answer, { name: "AbortError" });
    assert.equal(await ended.promise, "cancelled");
  }));
