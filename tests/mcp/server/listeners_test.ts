/** Looking for changes costs the tools' checks: it goes on for as long as a client listens, and no longer. */
import assert from "node:assert/strict";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { serveMcpStdio } from "../../../mcp/server/serve_stdio.ts";
import { type ServiceBench, startService } from "../../runtime/availability/_service.ts";
import { until } from "../../workers/_wait.ts";
import { connect, type Era, ERAS, LEGACY, MODERN, serveHttp, serveStreams } from "./_server.ts";

/** What a client says of the changes it hears. */
function hearing(heard: string[]) {
  return {
    listChanged: {
      tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void heard.push("changed") },
    },
  };
}

// The timer of a check that is being asked is not in the background.
const isLooking = ({ clock }: ServiceBench): boolean =>
  clock.waiting.some(({ background }) => background);

/** The check is asked again and again, and the client hears of what it says. */
async function assertListens(bench: ServiceBench, heard?: readonly string[]): Promise<void> {
  await until("the look", () => isLooking(bench));
  const { runs } = bench.service;
  bench.service.up = false;
  await bench.clock.advance(95_000);
  assert.ok(bench.service.runs >= runs + 3, `${bench.service.runs - runs} looks`);
  if (heard) await until("the notice", () => heard.length === 1);
}

/** Nobody looks any more, however long it is. */
async function assertQuiet(bench: ServiceBench): Promise<void> {
  await until("the end of looking", () => bench.clock.waiting.length === 0);
  const { runs } = bench.service;
  await bench.clock.advance(600_000);
  assert.deepEqual([bench.clock.waiting, bench.service.runs], [[], runs]);
}

/** A client in a process of its own, over its streams or to a URL. */
function startClient(era: Era, ...url: string[]): Deno.ChildProcess {
  const script = new URL("_listening_child.ts", import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-net=127.0.0.1", script, era, ...url],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function kill(child: Deno.ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.status;
  for (const stream of [child.stdin, child.stdout]) {
    if (!stream.locked) {
      await (stream === child.stdin ? child.stdin.abort() : child.stdout.cancel());
    }
  }
}

// Over HTTP a client of the other era only drops its stream: see below.
const HTTP_ENDS: Readonly<Record<string, (client: Client) => Promise<void>>> = {
  "deletes its session": async ({ transport }) => {
    assert.ok(transport instanceof StreamableHTTPClientTransport);
    await transport.terminateSession();
  },
  "drops its stream": (client) => client.close(),
};

for (const [what, end] of Object.entries(HTTP_ENDS)) {
  Deno.test(`createMcpHttpHandler() asks no check any more when a client of ${LEGACY} ${what}`, async () => {
    await using bench = await startService(true);
    await using served = serveHttp(bench.test);
    const heard: string[] = [];
    const client = await connect(served.url, LEGACY, hearing(heard));
    await client.listTools();
    await assertListens(bench, heard);
    await end(client);
    await assertQuiet(bench);
    // The next one finds everything as the first did.
    bench.service.up = true;
    await using next = await connect(served.url, LEGACY, hearing([]));
    await next.listTools();
    await assertListens(bench);
    await client.close();
  });
}

for (const era of ERAS) {
  Deno.test(`createMcpHttpHandler() asks no check any more when the process of a client of ${era} was killed`, async () => {
    await using bench = await startService(true);
    await using served = serveHttp(bench.test);
    const child = startClient(era, served.url);
    await assertListens(bench);
    await kill(child);
    await assertQuiet(bench);
  });
}

Deno.test("createMcpHttpHandler() asks no check for a client that does not listen, and goes on while one of two does", async () => {
  await using bench = await startService(true);
  await using served = serveHttp(bench.test);
  await using quiet = await connect(served.url, MODERN);
  await quiet.listTools();
  await assertQuiet(bench);
  const first = await connect(served.url, LEGACY, hearing([]));
  const second = await connect(served.url, MODERN, hearing([]));
  await until("the look", () => isLooking(bench));
  await first.close();
  await assertListens(bench);
  await served.handler.close();
  await assertQuiet(bench);
  await second.close();
});

for (const era of ERAS) {
  Deno.test(`serveMcpStdio() asks no check any more when its client of ${era} has closed the streams`, async () => {
    await using bench = await startService(true);
    await using served = serveStreams(bench.test);
    const heard: string[] = [];
    const client = await connect(served.transport, era, hearing(heard));
    await client.listTools();
    await assertListens(bench, heard);
    await client.close();
    await served.finished;
    await assertQuiet(bench);
  });

  Deno.test(`serveMcpStdio() asks no check any more when the process of its client of ${era} was killed`, async () => {
    await using bench = await startService(true);
    const child = startClient(era);
    const finished = serveMcpStdio(bench.test.runtime, {
      readable: child.stdout,
      writable: child.stdin,
    });
    await assertListens(bench);
    await kill(child);
    await finished;
    await assertQuiet(bench);
  });
}

Deno.test("serveMcpStdio() asks no check for a client of 2026-07-28 that has no subscription", async () => {
  await using bench = await startService(true);
  await using served = serveStreams(bench.test);
  await using client = await connect(served.transport, MODERN);
  await client.listTools();
  await assertQuiet(bench);
  const heard: string[] = [];
  client.setNotificationHandler("notifications/tools/list_changed", () => void heard.push("x"));
  const subscription = await client.listen({ toolsListChanged: true });
  await assertListens(bench, heard);
  await subscription.close();
  await assertQuiet(bench);
});
