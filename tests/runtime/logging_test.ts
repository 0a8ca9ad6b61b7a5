import assert from "node:assert/strict";
import { join } from "node:path";
import { openRuntimeLog } from "../../runtime/logging.ts";

async function inFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "cloister_log_" });
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("openRuntimeLog() writes one line a record, without secrets and controls (A12, A25)", () =>
  inFolder(async (cacheDir) => {
    {
      await using log = openRuntimeLog({ cacheDir });
      log.log("debug", "not written");
      log.log("warning", "first\nline \x1b[31mred\x1b[0m token=abcdef123");
      log.log("error", "second", { apiKey: "abc", path: "/a\u202Eb", count: 2 });
    }
    const lines = (await Deno.readTextFile(join(cacheDir, "logs", "agent.log"))).trimEnd().split(
      "\n",
    );
    assert.equal(lines.length, 2);
    assert.match(
      lines[0]!,
      /^\d{4}-\d\d-\d\dT[\d:.]+Z WARNING first\\nline red token=\[redacted\]$/,
    );
    assert.match(
      lines[1]!,
      /ERROR second \{"apiKey":"\[redacted\]","path":"\/a\\u\{202E\}b","count":2\}$/,
    );
  }));

Deno.test("openRuntimeLog() rotates the file", () =>
  inFolder(async (cacheDir) => {
    {
      await using log = openRuntimeLog({ cacheDir, maxBytes: 1_000, maxFiles: 3 });
      for (let index = 0; index < 100; index++) log.log("info", `${index} ${"x".repeat(100)}`);
    }
    const files = [...Deno.readDirSync(join(cacheDir, "logs"))].map(({ name }) => name).toSorted();
    assert.ok(files.includes("agent.log") && files.length > 1 && files.length <= 4, files.join());
    for (const name of files) {
      assert.ok((await Deno.stat(join(cacheDir, "logs", name))).size <= 1_200);
    }
  }));

Deno.test("openRuntimeLog() works where no file can be written (A27)", () =>
  inFolder(async (cacheDir) => {
    await Deno.writeTextFile(join(cacheDir, "logs"), "in the way");
    const log = openRuntimeLog({ cacheDir });
    log.log("error", "lost");
    await log[Symbol.asyncDispose]();
    assert.equal(log.path, undefined);
    assert.equal(await Deno.readTextFile(join(cacheDir, "logs")), "in the way");
    log.log("error", "after the end");
  }));

Deno.test("openRuntimeLog() prints nothing", async () => {
  const url = new URL("../../runtime/logging.ts", import.meta.url);
  const code = `import { openRuntimeLog } from ${JSON.stringify(url.href)};
    await using log = openRuntimeLog(); log.log("error", "quiet"); log.log("debug", "quiet");`;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--config", config, code],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(new TextDecoder().decode(output.stdout), "");
  assert.equal(new TextDecoder().decode(output.stderr), "");
  assert.ok(output.success);
});
