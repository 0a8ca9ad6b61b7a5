import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { shareArena, startCanary, succeeded, until } from "./_arena.ts";
import { WAYS } from "../fixtures/attacks/a04/_ways.ts";

const LIBRARIES = [
  "/usr/lib/x86_64-linux-gnu/libc.so.6",
  "/usr/lib/aarch64-linux-gnu/libc.so.6",
  "/usr/lib/libSystem.B.dylib",
];
const library = LIBRARIES.find((path) => {
  try {
    return Deno.realPathSync(path) === path;
  } catch {
    return false;
  }
});
const LOOPBACK = ["127.0.0.1", "0.0.0.0"];

const arena = shareArena("a04", {
  env: { ATTACK_CANARY: "granted" },
  replace: () => ({ __LIBRARY__: library ?? "/nowhere/lib.so" }),
  config: { permissions: { tools: { reach_net: { allow: { net: LOOPBACK } } } } },
});

function outside(): { dir: string; file: string; host: string; port: number; library: string } {
  const { outside: dir, canary: { port } } = arena();
  return { dir, file: `${dir}/secret.txt`, host: "127.0.0.1", port, library: library ?? "/l.so" };
}

function inside(): ReturnType<typeof outside> {
  const { workspace: dir } = arena();
  Deno.writeTextFileSync(`${dir}/mine.txt`, "inside");
  Deno.writeTextFileSync(`${dir}/some.db`, "");
  return { ...outside(), dir, file: `${dir}/mine.txt` };
}

async function deny(
  tool: string,
  kind: string,
  target: ReturnType<typeof outside>,
  asked: RegExp,
  declares: string,
): Promise<void> {
  const ways = Object.keys(WAYS[kind]!);
  assert.ok(ways.length > 0);
  for (const way of ways) {
    const { result } = await arena().contain(tool, { kind, way, target }, {
      code: "permission_denied",
    });
    assert.match(result.error.message, asked, `${way} does not tell what it asked for`);
    assert.ok(
      result.error.message.includes(declares),
      `${way} does not tell what is declared: ${result.error.message}`,
    );
  }
}

const NOTHING: readonly [kind: string, asked: RegExp][] = [
  ["read", /asked for read access to ".*\/out/],
  ["write", /asked for (?:read|write) access to ".*\/out/],
  ["links", /asked for (?:read access to ".*\/out|write access,)/],
  ["net", /asked for net access to "/],
  ["unix", /asked for (?:read|net) access to "/],
  ["env", /asked for env access to "ATTACK_CANARY"/],
  ["run", /asked for (?:run|env) access/],
  ["shell", /asked for (?:run|env) access/],
  ["sys", /asked for sys access to "/],
  ["ffi", /asked for ffi access to "/],
  ["pointers", /asked for ffi access,/],
  ["never", /asked for (?:sys|env) access/],
];

for (const [kind, asked] of NOTHING) {
  const name = `attack [A4] ${kind} without a grant, in every spelling: contained`;
  Deno.test(name, () => deny("reach_with_nothing", kind, outside(), asked, "it declares no "));
}

// These ways swallow the reason, so the tool gets an error of its own; what counts is that nothing was sent.
Deno.test("attack [A4] ways that hide the denial: contained", async () => {
  for (const way of Object.keys(WAYS.silent!)) {
    const args = { kind: "silent", way, target: outside() };
    await arena().contain("reach_with_nothing", args, {
      code: ["tool_error", "permission_denied"],
    });
  }
});

Deno.test("attack [A4] datagrams without a grant: contained", async () => {
  const receiver = createSocket("udp4").bind(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address();
  const args = { kind: "net", way: "node:dgram", target: { ...outside(), port } };
  await arena().contain("reach_with_nothing", args, { code: "permission_denied" });
  // Datagrams keep their order here: had the tool sent one, it would come before this one.
  receiver.send("mine", port, "127.0.0.1");
  assert.equal(String((await once(receiver, "message"))[0]), "mine");
  receiver.close();
});

Deno.test("attack [A4] write with a read grant only: contained", async () => {
  for (const kind of ["write", "links"]) {
    await deny("reach_read", kind, inside(), /asked for write access/, "declares no write");
  }
  assert.equal(await Deno.readTextFile(inside().file), "inside");
});

Deno.test("attack [A4] outside with grants for the inside: contained", async () => {
  await deny("reach_read", "read", outside(), /read access to ".*\/out/, '"$WORKSPACE"');
  await deny("reach_write", "write", outside(), /(read|write) access to ".*\/out/, '"$WORKSPACE"');
  await deny("reach_write", "links", outside(), /asked for (read|write) access/, '"$WORKSPACE"');
});

Deno.test("attack [A4] unix socket with files granted but no net: contained", async () => {
  await deny("reach_unix", "unix", inside(), /asked for net access to "unix:/, "declares no net");
  await assert.rejects(Deno.lstat(`${inside().dir}/mine`), Deno.errors.NotFound);
});

Deno.test("attack [A4] other programs and processes with one program granted: contained", async () => {
  const target = inside();
  for (const way of Object.keys(WAYS.shell!)) {
    const end = { code: ["permission_denied", "tool_error"] } as const;
    await arena().contain("reach_run", { kind: "shell", way, target }, end);
  }
});

const TWINS: readonly [kind: string, tool: string][] = [
  ["read", "reach_read"],
  ["write", "reach_write"],
  ["env", "reach_env"],
  ["run", "reach_run"],
  ["sys", "reach_sys"],
];

for (const [kind, tool] of TWINS) {
  Deno.test(`attack [A4] twin ${kind} with the grant`, async () => {
    for (const way of Object.keys(WAYS[kind]!)) {
      succeeded(await arena().call(tool, { kind, way, target: inside() }));
    }
  });
}

Deno.test({
  name: "attack [A4] twin ffi with the grant",
  ignore: library === undefined,
  fn: async () => {
    const args = { kind: "ffi", way: "Deno.dlopen", target: inside() };
    succeeded(await arena().call("reach_ffi", args));
  },
});

Deno.test("attack [A4] twin net with the operator's grant", async () => {
  await using server = startCanary();
  const withoutServer = /listen|createServer|serve|resolveDns|lookup|dgram/i;
  for (const way of [...Object.keys(WAYS.net!), "EventSource"]) {
    if (/resolveDns|lookup/.test(way)) continue;
    const before = server.heard.length;
    const kind = way === "EventSource" ? "silent" : "net";
    const target = { ...inside(), port: server.port };
    const result = await arena().call("reach_net", { kind, way, target });
    if (withoutServer.test(way)) succeeded(result);
    // The tool may have its answer before the server has taken the connection.
    else {await until(() =>
        server.heard.length > before, `${way} to get through: ${result.content}`);}
  }
});
