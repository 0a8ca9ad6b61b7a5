import assert from "node:assert/strict";
import { join } from "node:path";
import { onPath, openTool, type WorkerGrants } from "./_open_tool.ts";

interface Reply {
  readonly text: string;
  readonly structured: {
    readonly exit_code: number | null;
    readonly signal: string | null;
    readonly timed_out: boolean;
    readonly duration_ms: number;
    readonly dropped_bytes: number;
  };
}

const SHELLS = ["bash", "sh"].map(onPath).filter((path) => path !== undefined);
const ENV = ["PATH", "HOME", "LANG", "TERM"];

async function withTerminal(
  body: (
    run: (args: object, signal?: AbortSignal) => Promise<Reply>,
    workspace: string,
  ) => Promise<void>,
  grants: WorkerGrants = {},
): Promise<void> {
  const workspace = await Deno.realPath(await Deno.makeTempDir());
  using tool = await openTool(
    "terminal",
    { read: [workspace], run: SHELLS, env: ENV, ...grants },
    workspace,
  );
  try {
    await body(async (args, signal) => {
      const answer = await tool.call(args, signal);
      if (!answer.ok) throw new Error(answer.error.message);
      const { content, structuredContent } = answer.value as {
        content: { text: string }[];
        structuredContent: Reply["structured"];
      };
      return { text: content[0]!.text, structured: structuredContent };
    }, workspace);
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

function body(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}

/** Whether a process runs; one that has ended and was not yet collected by its parent does not. */
async function isAlive(pid: number): Promise<boolean> {
  const args = ["-c", `ps -o stat= -p ${pid}`];
  const { stdout } = await new Deno.Command("sh", { args, stderr: "null" }).output();
  return /^[^Z\s]/.test(new TextDecoder().decode(stdout).trim());
}

Deno.test("terminal merges both streams in the order in which they were written", async () => {
  await withTerminal(async (run) => {
    const { text, structured } = await run({ command: "echo a; echo b >&2; echo c; echo d >&2" });
    assert.equal(body(text), "a\nb\nc\nd\n");
    assert.match(text, /^\[exit_code 0, \d+\.\d\d s\]\n/);
    assert.equal(structured.exit_code, 0);
    assert.equal(structured.signal, null);
  });
});

Deno.test("terminal gives a non-zero exit code as a normal result", async () => {
  await withTerminal(async (run) => {
    const { text, structured } = await run({ command: "echo oops >&2; exit 3" });
    assert.equal(structured.exit_code, 3);
    assert.match(text, /^\[exit_code 3, /);
    assert.equal(body(text), "oops\n");
  });
});

Deno.test("terminal names the signal that ended the shell", async () => {
  await withTerminal(async (run) => {
    const { text, structured } = await run({ command: "kill -KILL $$" });
    assert.equal(structured.exit_code, null);
    assert.equal(structured.signal, "SIGKILL");
    assert.match(text, /ended by SIGKILL/);
    assert.equal(body(text), "(no output)");
  });
});

Deno.test("terminal takes a command that starts with a dash, quotes, and several lines", async () => {
  await withTerminal(async (run) => {
    assert.equal((await run({ command: "-no-such" })).structured.exit_code, 127);
    const { text } = await run({
      command: `printf '%s|' "a b" 'c"d'\nfor i in 1 2\ndo echo $i\ndone`,
    });
    assert.equal(body(text), 'a b|c"d|1\n2\n');
  });
});

Deno.test("terminal runs in the workspace, or in a folder of it", async () => {
  await withTerminal(async (run, workspace) => {
    await Deno.mkdir(join(workspace, "sub dir"));
    await Deno.writeTextFile(join(workspace, "file.txt"), "");
    assert.equal(body((await run({ command: "pwd" })).text), `${workspace}\n`);
    const inside = await run({ command: "pwd", workdir: "sub dir" });
    assert.equal(body(inside.text), `${workspace}/sub dir\n`);
    await assert.rejects(run({ command: "pwd", workdir: "nowhere" }), /Cannot run in "nowhere"/);
    await assert.rejects(run({ command: "pwd", workdir: "file.txt" }), /it is not a folder/);
    await assert.rejects(run({ command: "pwd", workdir: ".." }), /leaves the workspace/);
  });
});

Deno.test("terminal passes only four variables to the command", async () => {
  Deno.env.set("CLOISTER_TEST_SECRET", "hunter2");
  try {
    await withTerminal(async (run) => {
      const { text } = await run({ command: "env" });
      const names = body(text).trim().split("\n").map((line) => line.split("=")[0]);
      const ownOfShell = ["PWD", "SHLVL", "_", "OLDPWD"];
      const foreign = names.filter((name) => !ENV.includes(name!) && !ownOfShell.includes(name!));
      assert.deepEqual(foreign, []);
      assert.ok(names.includes("PATH"));
    });
  } finally {
    Deno.env.delete("CLOISTER_TEST_SECRET");
  }
});

Deno.test("terminal gives the command no input", async () => {
  await withTerminal(async (run) => {
    assert.equal(body((await run({ command: "cat; echo end" })).text), "end\n");
  });
});

Deno.test("terminal keeps the whole of a long output", async () => {
  await withTerminal(async (run) => {
    const { text } = await run({ command: "seq 1 200000" });
    const lines = body(text).trimEnd().split("\n");
    assert.equal(lines.length, 200_000);
    assert.equal(lines[0], "1");
    assert.equal(lines[199_999], "200000");
  });
});

Deno.test("terminal keeps 50 MB and says how much it dropped", async () => {
  await withTerminal(async (run) => {
    const { text, structured } = await run({ command: "head -c 52428900 /dev/zero | tr '\\0' x" });
    assert.equal(structured.dropped_bytes, 100);
    assert.match(text, /first 50 MB of output are kept; 100 more bytes were dropped/);
  });
});

Deno.test("terminal ends the whole process group at the timeout and shows what was printed", async () => {
  await withTerminal(async (run) => {
    const { text, structured } = await run({
      command: "trap '' TERM; (trap '' TERM; sleep 60) & echo $!; echo before; wait",
      timeout: 1,
    });
    assert.equal(structured.timed_out, true);
    assert.match(text, /^\[timed out after 1 s; /);
    assert.match(body(text), /^\d+\nbefore\n/);
    assert.ok(structured.duration_ms < 2500, `took ${structured.duration_ms} ms`);
    assert.equal(await isAlive(Number(body(text).split("\n")[0])), false);
  });
});

Deno.test("terminal ends the whole process group when the call is cancelled", async () => {
  await withTerminal(async (run, workspace) => {
    const abort = new AbortController();
    const watcher = Deno.watchFs(workspace);
    const answer = run(
      { command: "sleep 60 & echo $! > pid.tmp; mv pid.tmp pid; wait" },
      abort.signal,
    );
    for await (const event of watcher) {
      if (event.paths.some((path) => path.endsWith("/pid"))) break;
    }
    const pid = Number(await Deno.readTextFile(join(workspace, "pid")));
    assert.equal(await isAlive(pid), true);
    const begin = performance.now();
    abort.abort();
    assert.match((await answer).text, /^\[cancelled after /);
    assert.ok(performance.now() - begin < 1000);
    assert.equal(await isAlive(pid), false);
  });
});

Deno.test("terminal is not held up by a background process that keeps the output open", async () => {
  await withTerminal(async (run) => {
    const { text, structured } = await run({ command: "sleep 60 & echo $!" });
    assert.equal(structured.exit_code, 0);
    assert.ok(structured.duration_ms < 2000, `took ${structured.duration_ms} ms`);
    assert.match(text, /left in the background were ended with it/);
    assert.equal(await isAlive(Number(text.trimEnd().split("\n").at(-1))), false);
  });
});

Deno.test("terminal answers although a process that left the group keeps the output open", async () => {
  await withTerminal(async (run) => {
    const { text, structured } = await run({
      command:
        "command -v setsid >/dev/null || exit 0; setsid sh -c 'echo $$; exec sleep 5' & sleep 0.3",
    });
    assert.ok(structured.duration_ms < 3000, `took ${structured.duration_ms} ms`);
    const pid = Number(body(text).trim());
    if (pid > 0) Deno.kill(pid, "SIGKILL");
  });
});

Deno.test("terminal removes control sequences and keeps unfinished ones as text", async () => {
  await withTerminal(async (run) => {
    const { text } = await run({
      command: String
        .raw`printf '\033[31mred\033[0m \033]0;title\007a \033]8;;http://x\033\\link\033]8;;\033\\ ` +
        String.raw`\033[38:2::1:2:3mrgb\033[m \033Pq#0\033\\dcs \033]unfinished\nnext\n'`,
    });
    assert.equal(body(text), "red a link rgb dcs unfinished\nnext\n");
  });
});

Deno.test("terminal uses sh where bash is not granted, and says so when nothing is", async () => {
  const sh = onPath("sh")!;
  await withTerminal(async (run) => {
    assert.equal(body((await run({ command: "echo $0" })).text), "sh\n");
  }, { run: [sh] });
  await withTerminal(async (run) => {
    await assert.rejects(run({ command: "true" }), /none of the shells bash, sh can be started/);
  }, { run: [] });
});

Deno.test("terminal refuses a NUL and explains a command that is too long", async () => {
  await withTerminal(async (run) => {
    await assert.rejects(run({ command: "echo a\0b" }), /holds a NUL character/);
    await assert.rejects(
      run({ command: `: ${"x".repeat(200_000)}` }),
      /belongs into a script file/,
    );
  });
});

Deno.test("terminal declares its deadline, grants and hints", async () => {
  using tool = await openTool("terminal", {}, "/");
  const { name, toolset, emoji, timeoutMs, annotations, permissions } = tool.declaration;
  assert.deepEqual([name, toolset, emoji, timeoutMs], ["terminal", "terminal", "💻", 610_000]);
  assert.equal(annotations?.destructiveHint, true);
  assert.equal(annotations?.openWorldHint, true);
  assert.deepEqual(permissions, { read: ["$WORKSPACE"], run: ["bash", "sh"], env: ENV });
});
