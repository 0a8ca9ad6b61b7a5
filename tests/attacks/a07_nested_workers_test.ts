import assert from "node:assert/strict";
import { assertGone, shareArena, startCanary, succeeded, until } from "./_arena.ts";

const arena = shareArena("a07");

const MORE: readonly [name: string, grants: unknown][] = [
  ["everything", "inherit"],
  ["read", { read: true }],
  ["read of one file", { read: ["/"] }],
  ["net", { net: true }],
  ["run, env, ffi, sys", { run: true, env: true, ffi: true, sys: true }],
  ["import", { import: true }],
];

for (const [name, grants] of MORE) {
  Deno.test(`attack [A7] a nested worker that asks for ${name}: contained`, async () => {
    const what = `${arena().outside}/secret.txt`;
    const { result } = await arena().contain("nested_read", { what, grants } as never, {
      code: ["permission_denied", "tool_error"],
    });
    assert.match(result.content, /Requires read access|asked for|escalate/);
  });
}

Deno.test("attack [A7] a nested worker without its own grants: contained", async () => {
  const what = `${arena().outside}/secret.txt`;
  await arena().contain("nested_read", { what }, { code: "permission_denied" });
  await arena().contain("nested_read_granted", { what }, { code: "permission_denied" });
  const place = `http://${arena().canary.host}/`;
  await arena().contain("nested_fetch", { what: place }, { code: "permission_denied" });
});

for (const what of ["true", "false", "multiply"]) {
  Deno.test(`attack [A7] ten thousand nested workers (${what}): contained`, async () => {
    const codes = ["timeout", "tool_out_of_memory", "tool_crashed"] as const;
    const { values } = await arena().contain("nested_flood", { what }, {
      code: codes,
      timeoutMs: 1_000,
    });
    await assertGone(values[0]);
  });
}

Deno.test("attack [A7] a nested worker that spins while its tool only waits: contained", async () => {
  const end = { code: "timeout", timeoutMs: 1_000 } as const;
  const { values } = await arena().contain("nested_spin", { what: "" }, end);
  await assertGone(values[0]);
});

Deno.test("attack [A7] nested workers that exit and throw: contained", async () => {
  assert.equal(succeeded(await arena().call("nested_exit", { what: "" })).content, "still here");
  await arena().contain("nested_throw", { what: "" }, {
    code: ["tool_error", "tool_crashed", "timeout"],
    timeoutMs: 1_000,
  });
});

async function countSleepers(seconds: string): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args"] }).output();
  return new TextDecoder().decode(stdout).split("\n")
    .filter((line) => line.trim() === `sleep ${seconds}`).length;
}

Deno.test({
  name: "attack [A7] a granted program that multiplies: contained",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const { runtime } = arena();
    const seconds = `${40_000 + Math.floor(Math.random() * 10_000)}`;
    const what = `for i in 1 2 3 4 5 6 7 8 9 10; do sleep ${seconds} & done; wait`;
    const attack = arena().contain("spawn_many", { what }, { code: "timeout", timeoutMs: 1_500 });
    await until(async () => await countSleepers(seconds) === 10, "the programs to be there", 1_400);
    await attack;
    await until(async () => await countSleepers(seconds) === 0, "the programs to be gone", 1_000);
    assert.equal(runtime.isolation, "cell");
  },
});

Deno.test("attack [A7] twin a nested worker reads what its tool may read", async () => {
  const what = `${arena().workspace}/mine.txt`;
  for (const grants of [undefined, { read: [what] }]) {
    const result = await arena().call("nested_read_granted", { what, ...(grants && { grants }) });
    assert.equal(succeeded(result).content, "inside");
  }
  await using server = startCanary();
  assert.equal(await (await fetch(`http://${server.host}/`)).text(), "canary");
});
