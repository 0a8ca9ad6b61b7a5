import assert from "node:assert/strict";
import { assertGone, isRunning, shareArena, succeeded, until } from "./_arena.ts";

const INSPECTOR = { hostname: "127.0.0.1", port: 9229 };
const noSignals = Deno.build.os === "windows";

const arena = shareArena("a10");

// The process of the cell that all tools without grants share.
async function cellProcess(): Promise<number> {
  return (succeeded(await arena().call("stays")).structured as { pid: number }).pid;
}

const EXITS = [
  "Deno.exit",
  "Deno.exit with a code",
  "Deno.exit from a timer",
  "process.exit",
  "process.reallyExit",
  "self.close",
  "self.close and a loop",
];

for (const way of EXITS) {
  Deno.test(`attack [A10] ${way}: contained`, async () => {
    const { result } = await arena().contain("leave", { way }, { code: "tool_exited" });
    assert.match(result.error.message, /ended its worker before it answered/);
  });
}

Deno.test("attack [A10] process.abort: contained", async () => {
  // This Deno refuses it in a worker; one that does not would end the cell.
  await arena().contain("leave", { way: "process.abort" }, {
    code: ["tool_error", "tool_crashed"],
  });
});

for (const signal of ["SIGKILL", "SIGTERM", "SIGQUIT"]) {
  Deno.test({
    name: `attack [A10] ${signal} to its own process: contained`,
    ignore: noSignals,
    fn: async () => {
      for (const by of ["Deno.kill", "process.kill"]) {
        const pid = await cellProcess();
        const way = `${by} ${signal}`;
        const { result } = await arena().contain("leave", { way }, { code: "tool_crashed" });
        assert.equal(result.end, "stopped");
        await assertGone(pid);
      }
    },
  });
}

Deno.test({
  name: "attack [A10] SIGSTOP and SIGSEGV to its own process: contained",
  ignore: noSignals,
  fn: async () => {
    for (const way of ["Deno.kill SIGSTOP", "Deno.kill SIGSEGV"]) {
      const end = { code: ["timeout", "tool_crashed"], timeoutMs: 500 } as const;
      const pid = await cellProcess();
      await arena().contain("leave", { way }, end);
      // Deno ignores SIGSEGV that somebody sent, so only that call is over then.
      if (way.endsWith("STOP")) await assertGone(pid);
    }
  },
});

async function inspectorAnswers(): Promise<boolean> {
  try {
    (await Deno.connect(INSPECTOR)).close();
    return true;
  } catch {
    return false;
  }
}

for (const by of ["Deno.kill", "process.kill"]) {
  Deno.test({
    name: `attack [A10] SIGUSR1 to its own process by ${by}: contained`,
    ignore: noSignals,
    fn: async () => {
      const pid = await cellProcess();
      // Deno listens for this signal only some time after a process has started.
      const old = performance.now() + 1_200;
      await until(() => performance.now() > old, "the cell to be old enough");
      let reached = 0;
      const attack = arena().contain("leave", { way: `${by} SIGUSR1` }, { code: "tool_crashed" });
      const over = attack.then(() => true);
      while (!await Promise.race([over, inspectorAnswers().then((yes) => void (reached += +yes))]));
      await attack;
      await assertGone(pid);
      assert.equal(reached, 0, "The inspector could be reached");
      assert.equal(await inspectorAnswers(), false);
    },
  });
}

Deno.test({
  name: "attack [A10] signals to the parent, the group and everything: contained",
  ignore: noSignals,
  fn: async () => {
    const ways = [
      "parent by Deno.kill",
      "parent by process.kill",
      "parent by SIGUSR1",
      "process group by Deno.kill",
      "process group by process.kill",
      "parent's group",
      "own group by negation",
      "everything",
    ];
    for (const way of ways) {
      await arena().contain("leave", { way }, { code: "permission_denied", says: /run access/ });
    }
  },
});

Deno.test({
  name: "attack [A10] a granted program that signals the parent and the group: contained",
  ignore: noSignals,
  fn: async () => {
    // Were the front in reach, this very process would be gone.
    for (const command of ["kill -9 0", "kill -9 $PPID; kill -9 $(ps -o ppid= $PPID)"]) {
      const result = await arena().call("shoots", { command });
      if (!result.ok) assert.equal(result.error.code, "tool_crashed");
      await arena().goesOn();
    }
    assert.ok(isRunning(Deno.pid));
  },
});

Deno.test("attack [A10] twin a tool that stays answers, and its cell goes on", async () => {
  const pid = await cellProcess();
  assert.ok(isRunning(pid));
  assert.equal(await cellProcess(), pid);
  assert.deepEqual(succeeded(await arena().call("shoots", { command: "exit 3" })).structured, {
    code: 3,
    signal: null,
  });
});
