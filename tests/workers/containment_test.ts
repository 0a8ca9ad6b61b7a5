import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { type Containment, killGroup, probeContainment } from "../../workers/containment.ts";
import { WorkerPool } from "../../workers/worker_pool.ts";
import { startPool, testSettings } from "./_pool.ts";
import { soon } from "./_wait.ts";

const PATH = Deno.env.get("PATH") ?? "";
const found: Containment = await probeContainment(PATH);
const SH = Deno.build.os === "windows" ? "" : await Deno.realPath("/bin/sh");

/**
 * A pipe with a name: whoever reads it hears its end when the last process that holds it open for writing is
 * gone, wherever that process went.
 */
async function makePipe(path: string): Promise<{ ended: Promise<string>; stop: () => void }> {
  const made = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.ok(made.success);
  const reader = new Deno.Command("cat", { args: [path], stdout: "piped" }).spawn();
  const output = reader.output();
  return {
    ended: output.then(({ stdout }) => new TextDecoder().decode(stdout)),
    stop: () => {
      try {
        reader.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    },
  };
}

async function runProgram(
  containment: Containment,
  script: (pipe: string) => string,
): Promise<{ code: string | undefined; heard: string }> {
  await using test = await startPool();
  await using pool = new WorkerPool({ cells: await testSettings(test.folder, containment) });
  const path = `${test.folder}/pipe`;
  const pipe = await makePipe(path);
  try {
    const outcome = await pool.run(test.request("more.ts", "runs", {
      args: { command: SH, words: ["-c", script(path)] },
      grants: { run: [SH] },
      startsPrograms: true,
      timeoutMs: 2_000,
    }));
    const heard = await soon(`the end of the program (${containment})`, pipe.ended, 5_000);
    return { code: outcome.ok ? undefined : outcome.code, heard };
  } finally {
    pipe.stop();
  }
}

Deno.test("probeContainment() gives none on a machine without any of the programs", async () => {
  assert.equal(await probeContainment("/nowhere"), "none");
});

Deno.test({
  name: "A cell in a namespace takes a program along that left its session",
  ignore: found !== "namespace",
  fn: async () => {
    const ended = await runProgram(
      "namespace",
      (pipe) => `exec 9>'${pipe}'; echo begun >&9; setsid sleep 300 >&9 2>&9 </dev/null & exit 0`,
    );
    assert.deepEqual(ended, { code: "timeout", heard: "begun\n" });
  },
});

Deno.test({
  name: "A cell that leads a group takes its programs along",
  ignore: found === "none",
  fn: async () => {
    const ended = await runProgram(
      "group",
      (pipe) => `exec 9>'${pipe}'; echo begun >&9; sleep 300 >&9 2>&9 </dev/null & exit 0`,
    );
    assert.deepEqual(ended, { code: "timeout", heard: "begun\n" });
  },
});

Deno.test({
  name: "killGroup() ends a group's leader and members, and tells when there is none",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const leader = spawn("sh", ["-c", "sleep 300 & sleep 300"], {
      detached: true,
      stdio: "ignore",
    });
    const ended = Promise.withResolvers<string | null>();
    leader.on("exit", (_code, signal) => ended.resolve(signal));
    assert.equal(await killGroup(leader.pid!, PATH), true);
    assert.equal(await soon("the end of the leader", ended.promise), "SIGKILL");
    // No process has a number as high as this.
    assert.equal(await killGroup(2 ** 30, PATH), false);
  },
});
