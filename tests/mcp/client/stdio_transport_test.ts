import assert from "node:assert/strict";
import type { StdioLaunch } from "../../../mcp/client/connection_services.ts";
import { MessageGate } from "../../../mcp/client/message_gate.ts";
import { StdioTransport, type StdioTransportOptions } from "../../../mcp/client/stdio_transport.ts";
import { callOptions, fixture, openArena, specOf, toolOf } from "./_arena.ts";

function transportTo(
  launch: StdioLaunch,
  more: Partial<StdioTransportOptions> = {},
): { readonly transport: StdioTransport; readonly lines: string[] } {
  const lines: string[] = [];
  const transport = new StdioTransport({
    launch,
    gate: new MessageGate({ onDropped: () => {} }),
    onErrorLine: (line) => void lines.push(line),
    ...more,
  });
  return { transport, lines };
}

function shell(script: string, env: StdioLaunch["env"] = {}): StdioLaunch {
  return { command: "/bin/sh", args: ["-c", script], env };
}

// Nothing of a transport keeps a program alive: the timer does, and bounds the wait.
async function runToItsEnd(transport: StdioTransport): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(reject, 20_000, new Error("It did not end"));
  transport.onclose = resolve;
  await transport.start();
  await promise;
  clearTimeout(timer);
}

function isAlive(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGCONT");
    return true;
  } catch {
    return false;
  }
}

Deno.test("StdioTransport.close() ends a server that obeys without any signal, and fast", async () => {
  const { transport, lines } = transportTo(shell("cat >/dev/null; echo bye >&2"));
  await transport.start();
  const { pid } = transport;
  assert.ok(pid !== null && isAlive(pid));
  const start = performance.now();
  await transport.close();
  assert.ok(performance.now() - start < 1_500);
  assert.deepEqual(lines, ["bye"]);
  assert.equal(isAlive(pid), false);
});

Deno.test("StdioTransport.close() ends a server that ignores the end of its input and SIGTERM, in 10 s", async () => {
  const arena = openArena(specOf(fixture("misbehaves.ts", "ignores the end of its input")));
  await arena.connection.connect();
  const pid = Number(arena.log.find((line) => line.includes("started"))?.split(" ").at(-1));
  const start = performance.now();
  await arena.connection[Symbol.asyncDispose]();
  assert.ok(performance.now() - start < 10_000);
  assert.ok(arena.log.includes("info: stderr: ignored SIGTERM"));
  assert.equal(isAlive(pid), false);
});

Deno.test("StdioTransport closes when its process is gone, though a grandchild holds its output", async () => {
  const { transport, lines } = transportTo(shell("sleep 60 & echo $! >&2"));
  await runToItsEnd(transport);
  await transport.close();
  Deno.kill(Number(lines[0]), "SIGKILL");
});

Deno.test("StdioTransport [case 111] gives a server the environment it was told and nothing else", async () => {
  Deno.env.set("CLOISTER_TEST_API_KEY", "secret");
  try {
    const { transport, lines } = transportTo(shell("/usr/bin/env >&2", { GIVEN: "1" }));
    await runToItsEnd(transport);
    await transport.close();
    assert.deepEqual(lines.filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=/.test(line)), ["GIVEN=1"]);
  } finally {
    Deno.env.delete("CLOISTER_TEST_API_KEY");
  }
});

Deno.test("StdioTransport.send() says that a message was not sent when the process is gone", async () => {
  const { transport } = transportTo(shell("exit 0"));
  const message = { jsonrpc: "2.0" as const, id: 1, method: "ping" };
  await assert.rejects(transport.send(message), { name: "NotSentError" });
  await runToItsEnd(transport);
  await assert.rejects(transport.send(message), { name: "NotSentError" });
  await transport.close();
});

Deno.test("StdioTransport.start() says what cannot be started and where", async () => {
  const launch = { command: "/bin/sh", args: [], env: {}, cwd: "/no/such/folder" };
  await assert.rejects(transportTo(launch).transport.start(), {
    name: "LaunchError",
    message: /^Cannot start "\/bin\/sh" in "\/no\/such\/folder": /,
  });
});

Deno.test("StdioTransport bounds what a line of standard error may hold", async () => {
  const { transport, lines } = transportTo(
    shell("head -c 100000 /dev/zero | tr '\\0' x >&2; echo >&2; echo end >&2"),
  );
  await runToItsEnd(transport);
  await transport.close();
  assert.deepEqual(lines.map(({ length }) => length), [8_192, 3]);
});

Deno.test("StdioTransport keeps no program alive", async () => {
  const arena = new URL("./_arena.ts", import.meta.url);
  const code = `
    import { callOptions, fixture, openArena, specOf, toolOf } from "${arena}";
    const { connection } = openArena(specOf(fixture("both_eras.ts")));
    await connection.connect();
    await connection.callTool(toolOf("echo"), { text: "x" }, callOptions());
    console.log("the end");
  `;
  const { stdout, code: status } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", "--quiet", code],
    cwd: new URL("../../..", import.meta.url),
    signal: AbortSignal.timeout(30_000),
  }).output();
  assert.equal(new TextDecoder().decode(stdout), "the end\n");
  assert.equal(status, 0);
});

Deno.test("StdioTransport keeps a program alive that waits for an answer", async () => {
  await using arena = openArena(specOf(fixture("both_eras.ts")));
  await arena.connection.connect();
  const call = arena.connection.callTool(toolOf("wait"), {}, callOptions({ timeoutMs: 300 }));
  await assert.rejects(call, { code: "timeout" });
});
