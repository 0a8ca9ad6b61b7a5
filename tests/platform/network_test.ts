/**
 * Facts F25, F36 and F40: which addresses a worker reaches.
 * @module
 */
import assert from "node:assert/strict";
import { canServeNames, runModuleWithNames } from "../_dns_server.ts";
import { fixture, ISOLATED_FLAGS, runDeno, WORKER_FLAGS } from "./_helpers.ts";

const PRIVATE_V4 = "127.0.0.0/8,0.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16," +
  "169.254.0.0/16,100.64.0.0/10";
const PRIVATE = `${PRIVATE_V4},[::1],[::],[fd00:ec2::254]`;
const V4_HOSTS = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"];
const OTHER_HOSTS = ["0.0.0.0", "[::1]", "[::]"];

function serveOn(hostname: string, port: number): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname, port, onListen() {} }, (request) => {
    if (request.headers.get("upgrade") !== "websocket") return new Response("reached");
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => socket.close();
    return response;
  });
}

function trySix(port: number): Deno.HttpServer | undefined {
  try {
    return serveOn("::1", port);
  } catch {
    console.log("platform [F25]: no IPv6 loopback on this machine, those addresses are not tried");
    return undefined;
  }
}

async function reached(port: number, hosts: string[], deny: string[]): Promise<string[]> {
  const { stdout, stderr } = await runDeno([
    ...WORKER_FLAGS,
    "--allow-read",
    "--allow-net",
    ...deny,
    fixture("worker_host.ts"),
    "./reaches_out_worker.ts",
    JSON.stringify({ net: true }),
    JSON.stringify({ port, hosts }),
  ]);
  return stdout ? JSON.parse(stdout).message : [stderr];
}

Deno.test("platform [F25] --deny-net with the list of private addresses holds for workers and after resolving", async () => {
  const server = serveOn("0.0.0.0", 0);
  const { port } = server.addr;
  const six = trySix(port);
  try {
    const hosts = [...V4_HOSTS, ...(six ? OTHER_HOSTS : ["0.0.0.0"])];
    const [free, loopback, full] = await Promise.all([
      reached(port, hosts, []),
      reached(port, hosts, ["--deny-net=127.0.0.0/8"]),
      reached(port, hosts, [`--deny-net=${PRIVATE}`]),
    ]);
    const others = six ? OTHER_HOSTS : ["0.0.0.0"];
    const fetches = (list: string[]) => list.map((host) => `fetch ${host}`);
    const direct = ["connect", "node:net", "WebSocket"];
    assert.deepEqual(free, [...fetches([...V4_HOSTS, ...others]), ...direct]);
    assert.deepEqual(loopback, fetches(others));
    assert.deepEqual(full, []);
  } finally {
    await Promise.all([server.shutdown(), six?.shutdown()]);
  }
});

Deno.test("platform [F25] IPv6 ranges are rejected in every spelling", async () => {
  const spellings = ["fc00::/7", "[fc00::]/7", "[fc00::/7]"];
  const results = await Promise.all(
    spellings.map((range) =>
      runDeno([...ISOLATED_FLAGS, `--deny-net=${range}`, fixture("reads_proc.ts")])
    ),
  );
  for (const { code, stdout, stderr } of results) {
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /ipv6 addresses must be|invalid host|invalid IPv6 address/);
  }
});

Deno.test("platform [F25] --deny-net takes a port of an address, and beats a name that leads there", async () => {
  await using denied = serveOn("127.0.0.1", 0);
  await using open = serveOn("127.0.0.1", 0);
  const deny = [`--deny-net=127.0.0.1:${denied.addr.port}`];
  const hosts = ["127.0.0.1", "localhost"];
  const [none, both] = await Promise.all([
    reached(denied.addr.port, hosts, deny),
    reached(open.addr.port, hosts, deny),
  ]);
  assert.deepEqual(none, []);
  assert.deepEqual(both.slice(0, 2), ["fetch 127.0.0.1", "fetch localhost"]);
});

Deno.test({
  name:
    "platform [F40] a mapped IPv6 answer passes --deny-net in every spelling, and no-aaaa closes it",
  ignore: !canServeNames,
  fn: async () => {
    assert.deepEqual(await runModuleWithNames(new URL("./_mapped_answer.ts", import.meta.url)), {
      range: "reached",
      address: "reached",
      mapped: "reached",
      told: "not reached",
    });
  },
});

Deno.test("platform [F36] a net host that the cell lacks cannot be granted to a worker", async () => {
  const start = async (permissions: unknown) => {
    const worker = ["./side_channel_worker.ts", JSON.stringify(permissions)];
    const flags = [...WORKER_FLAGS, "--allow-read", "--allow-net=127.0.0.1:80"];
    return JSON.parse((await runDeno([...flags, fixture("worker_host.ts"), ...worker])).stdout);
  };
  const [same, other] = await Promise.all([
    start({ net: ["127.0.0.1:80"] }),
    start({ net: ["example.com:443"] }),
  ]);
  assert.ok("message" in same);
  assert.deepEqual(other, { thrown: "NotCapable: Can't escalate parent thread permissions" });
});
