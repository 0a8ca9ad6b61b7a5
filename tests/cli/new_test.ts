import assert from "node:assert/strict";
import { join } from "node:path";
import { UsageError } from "../../cli/command.ts";
import { runCommand } from "./capture.ts";

async function inFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("new writes a tool file that type-checks into ./tools", () =>
  inFolder(async (dir) => {
    const { code, stdout } = await runCommand(dir, "new", "shout", "--toolset", "text");
    assert.deepEqual([code, stdout], [0, "Wrote tools/shout.ts\n"]);
    const text = await Deno.readTextFile(join(dir, "tools", "shout.ts"));
    assert.match(text, /name: "shout",\n {2}toolset: "text",/);
    const check = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--config", "deno.json", join(dir, "tools", "shout.ts")],
      cwd: new URL("../..", import.meta.url),
    }).output();
    assert.ok(check.success, new TextDecoder().decode(check.stderr));
  }));

Deno.test("new writes into the first root, quotes what it is given, and says where with --json", () =>
  inFolder(async (dir) => {
    const line = ["new", "a-b", "--root", "mine", "--root", "other", "--json"];
    const { stdout } = await runCommand(dir, ...line, "--description", 'Say "hi" \\ bye');
    const { path } = JSON.parse(stdout);
    assert.equal(path, join(dir, "mine", "a-b.ts"));
    assert.ok((await Deno.readTextFile(path)).includes('description: "Say \\"hi\\" \\\\ bye",'));
  }));

Deno.test("new never overwrites, whatever the file's ending", () =>
  inFolder(async (dir) => {
    await Deno.mkdir(join(dir, "tools"));
    await Deno.writeTextFile(join(dir, "tools", "old.mjs"), "kept");
    await assert.rejects(runCommand(dir, "new", "old"), /old\.mjs" is there already/);
    await runCommand(dir, "new", "fresh");
    await assert.rejects(runCommand(dir, "new", "fresh"), /is there already/);
    assert.equal(await Deno.readTextFile(join(dir, "tools", "old.mjs")), "kept");
  }));

Deno.test("new refuses names that cannot be a tool's, or that discovery skips", () =>
  inFolder(async (dir) => {
    const names = ["../x", "a b", "1a", "", "a/b", "x".repeat(65), "ä", "mod", "x_test", "_x"];
    for (const name of names) await assert.rejects(runCommand(dir, "new", name), UsageError, name);
    await assert.rejects(runCommand(dir, "new", "ok", "--toolset", "mcp-x"), UsageError);
    assert.deepEqual([...Deno.readDirSync(dir)], []);
  }));
