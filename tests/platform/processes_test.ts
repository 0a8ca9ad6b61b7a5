/**
 * Facts F29 and F33: starting programs, and ending them with all they started.
 * @module
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { fixture, ISOLATED_FLAGS, runDeno } from "./_helpers.ts";

const notLinux = Deno.build.os !== "linux";
const DENO = Deno.execPath();
const STARTER = [DENO, ...ISOLATED_FLAGS, "--allow-run", fixture("starts_program.ts")];

interface Family {
  readonly child: ChildProcess;
  readonly grandchild: number;
}

/** Reads below /proc through a program: Deno itself would want all permissions for it. */
async function printed(script: string, ...args: string[]): Promise<string> {
  const words = ["-c", script, "sh", ...args];
  const { stdout } = await new Deno.Command("sh", { args: words, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await printed('cat "/proc/$1/stat"', String(pid));
  return stat !== "" && !/\) [ZX] /.test(stat);
}

async function startFamily(words: readonly string[], detached = false): Promise<Family> {
  const [command = "", ...args] = words;
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"], detached });
  const line = await new Promise((resolve, reject) => {
    child.stdout!.once("data", resolve);
    child.once("exit", (code) => reject(new Error(`The child ended with ${code}`)));
    child.once("error", reject);
  });
  return { child, grandchild: Number(String(line).trim().split(" ")[1]) };
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once("exit", resolve));
}

async function isGone(pid: number): Promise<boolean> {
  const end = performance.now() + 1_000;
  while (performance.now() < end) {
    if (!await isAlive(pid)) return true;
  }
  return false;
}

/** Waits until a process leads a group of its own: `setsid` takes a moment to be loaded. */
async function hasLeft(pid: number): Promise<boolean> {
  const end = performance.now() + 2_000;
  while (performance.now() < end) {
    const stat = await printed('cat "/proc/$1/stat"', String(pid));
    // After the name in brackets: state, parent, group.
    if (stat.slice(stat.lastIndexOf(")")).split(" ")[3] === String(pid)) return true;
  }
  return false;
}

async function killIfAlive(pid: number): Promise<void> {
  if (await isAlive(pid)) Deno.kill(pid, "SIGKILL");
}

Deno.test({
  name: "platform [F29] SIGKILL of a child leaves its own children alive",
  ignore: notLinux,
  fn: async () => {
    const { child, grandchild } = await startFamily([...STARTER, "sleep", "20"]);
    child.kill("SIGKILL");
    await exitOf(child);
    try {
      assert.equal(await isAlive(grandchild), true);
    } finally {
      await killIfAlive(grandchild);
    }
  },
});

Deno.test({
  name: "platform [F29] Deno.kill of a process group needs bare run, sh -c kill only run of sh",
  ignore: notLinux,
  fn: async () => {
    const killer = fixture("kills_pid.ts");
    for (const way of ["Deno.kill", "sh"]) {
      const { child, grandchild } = await startFamily([...STARTER, "sleep", "20"], true);
      try {
        const group = String(-child.pid!);
        const narrow = await runDeno([...ISOLATED_FLAGS, "--allow-run=sh", killer, group]);
        assert.match(narrow.stdout, /^NotCapable: Requires run access/);
        assert.equal(await isAlive(grandchild), true);
        if (way === "sh") {
          await new Deno.Command("sh", { args: ["-c", `kill -9 ${group}`] }).output();
        } else await runDeno([...ISOLATED_FLAGS, "--allow-run", killer, group]);
        await exitOf(child);
        assert.equal(await isGone(grandchild), true);
      } finally {
        await killIfAlive(grandchild);
      }
    }
  },
});

Deno.test({
  name: "platform [F29] a setsid grandchild escapes the end of its process group",
  ignore: notLinux,
  fn: async () => {
    const family = await startFamily([...STARTER, "setsid", "sleep", "20"], true);
    assert.equal(await hasLeft(family.grandchild), true);
    await new Deno.Command("sh", { args: ["-c", `kill -9 -${family.child.pid}`] }).output();
    await exitOf(family.child);
    try {
      assert.equal(await isAlive(family.grandchild), true);
    } finally {
      await killIfAlive(family.grandchild);
    }
  },
});

const NAMESPACE = ["unshare", "-r", "--pid", "--fork", "--kill-child"];

async function hasUnshare(): Promise<boolean> {
  try {
    const args = [...NAMESPACE.slice(1), "true"];
    return (await new Deno.Command("unshare", { args, stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

const FIND = 'for d in /proc/[0-9]*; do read -r name < "$d/comm" && [ "$name" = sleep ] && ' +
  'tr "\\0" " " < "$d/cmdline" | grep -q -F "sleep $1 " && echo "${d#/proc/}"; done';

async function pidOf(mark: string): Promise<number> {
  return Number(await printed(FIND, mark));
}

Deno.test({
  name: "platform [F29] a process-id namespace takes a setsid grandchild along and hides pids",
  ignore: notLinux,
  fn: async () => {
    if (!await hasUnshare()) {
      console.log("platform [F29]: no unshare on this machine, the namespace is not tried");
      return;
    }
    const mark = `20.${Deno.pid}`;
    const family = await startFamily([...NAMESPACE, ...STARTER, "setsid", "sleep", mark]);
    const outside = await pidOf(mark);
    assert.ok(outside > 1, `the sleeping program is not found: ${outside}`);
    try {
      assert.notEqual(family.grandchild, outside);
      family.child.kill("SIGKILL");
      await exitOf(family.child);
      assert.equal(await isGone(outside), true);
    } finally {
      await killIfAlive(outside);
    }
  },
});

Deno.test({
  name: "platform [F33] --allow-run of a name without PATH grants nothing and the program goes on",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const script = fixture("runs_sh.ts");
    const start = async (grant: string, env: Record<string, string>, command: string) => {
      const args = [...ISOLATED_FLAGS, `--allow-run=${grant}`, script, command];
      const { stdout, code } = await new Deno.Command(DENO, { args, clearEnv: true, env }).output();
      return `${code} ${new TextDecoder().decode(stdout).trim()}`;
    };
    const path = { PATH: "/usr/bin:/bin" };
    const answers = await Promise.all([
      start("sh", path, "sh"),
      start("sh", {}, "sh"),
      start("sh", {}, "/bin/sh"),
      start("/bin/sh", {}, "/bin/sh"),
    ]);
    assert.deepEqual(answers, [
      "0 granted ran",
      "0 prompt NotFound",
      "0 prompt NotCapable",
      "0 prompt ran",
    ]);
  },
});

Deno.test({
  name:
    "platform [F33] --allow-run of a name covers the path it resolves to and no other path of the program",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.symlink("/bin/sh", `${folder}/sh`);
      const script = fixture("runs_sh.ts");
      const env = { PATH: folder };
      const named = await runDeno([...ISOLATED_FLAGS, "--allow-run=sh", script, "/bin/sh"], {
        env,
      });
      assert.equal(named.stdout.trim(), "granted NotCapable");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
