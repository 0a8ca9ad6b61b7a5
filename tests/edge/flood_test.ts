import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";

const SERVER = new URL("./limited_server.ts", import.meta.url).pathname;

function startLimited(): Deno.ChildProcess {
  const words = ["run", "--no-prompt", "--cached-only", "--allow-net=127.0.0.1", SERVER];
  return new Deno.Command("sh", {
    args: ["-c", 'ulimit -n 200; exec "$0" "$@"', Deno.execPath(), ...words],
    cwd: new URL("../..", import.meta.url),
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** Opens a connection that never finishes its request; nothing once the server takes no more. */
function openStuck(port: number): Promise<Socket | undefined> {
  const socket = connect({ host: "127.0.0.1", port });
  return new Promise((resolve) => {
    socket.on("error", () => resolve(undefined));
    socket.on("connect", () => {
      socket.write("POST /tools/echo/call HTTP/1.1\r\n");
      resolve(socket);
    });
  });
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}

Deno.test("startHttpServer() is ready again after a flood took all its descriptors", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const child = startLimited();
  const reader = child.stdout.pipeThrough(new TextDecoderStream() as never).getReader();
  const port = Number((await reader.read()).value);
  const stuck = await Promise.all(Array.from({ length: 400 }, () => openStuck(port)));
  for (const socket of stuck) socket?.destroy();
  const deadline = performance.now() + 10_000;
  let ready = false;
  while (!ready && performance.now() < deadline) ready = await isReady(port);
  assert.ok(ready, "the server answers again");
  child.kill("SIGKILL");
  await reader.cancel();
  await child.status;
});

Deno.test("startHttpServer() stays ready while hundreds of connections stand idle", async () => {
  const { startHttpServer } = await import("../../edge/http_server.ts");
  const { fakeRuntime } = await import("./fake_runtime.ts");
  await using server = startHttpServer(fakeRuntime().runtime, { port: 0 });
  const stuck = await Promise.all(Array.from({ length: 400 }, () => openStuck(server.port)));
  try {
    assert.ok(await isReady(server.port));
  } finally {
    for (const socket of stuck) socket?.destroy();
  }
});
