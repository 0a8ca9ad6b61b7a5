import assert from "node:assert/strict";
import { COMMANDS } from "../../cli/commands.ts";

const ROOT = new URL("../..", import.meta.url);

/** Runs the command line with the least grants: help and faults need no more. */
async function cloister(...words: string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--cached-only", "--allow-read=.", "cli/main.ts", ...words],
    cwd: ROOT,
    stdin: "null",
  });
  const { code, stdout, stderr } = await child.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

Deno.test("main() prints help and version to stdout with exit code 0", async () => {
  const general = await cloister("--help");
  assert.deepEqual([general.code, general.stderr], [0, ""]);
  for (const { name, summary } of COMMANDS) {
    assert.match(general.stdout, new RegExp(`^  ${name} +${summary}`.replaceAll("?", "\\?"), "m"));
  }
  const version = await cloister("--version");
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
});

Deno.test("main() prints help for each command, with examples", async () => {
  for (const words of [["call", "--help"], ["help", "call"]]) {
    const { code, stdout } = await cloister(...words);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: cloister call NAME \[JSON or -\]/);
    assert.match(stdout, /Examples:\n {2}cloister call /);
  }
});

Deno.test("main() ends with exit code 2 and an empty stdout when the line makes no sense", async () => {
  const lines = [[], ["lits"], ["list", "--jsn"], ["call"], ["call", "x", "{"], [
    "serve",
    "--port",
    "x",
  ]];
  for (const words of lines) {
    const { code, stdout, stderr } = await cloister(...words);
    assert.deepEqual([code, stdout], [2, ""], words.join(" "));
    assert.match(stderr, /^error: /);
    assert.ok(!stderr.includes("    at "), "no stack trace");
  }
});

Deno.test("main.ts does nothing when it is imported", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", 'const { main } = await import("./cli/main.ts"); console.log(typeof main)'],
    cwd: ROOT,
  });
  const { stdout } = await child.output();
  assert.equal(new TextDecoder().decode(stdout), "function\n");
});
