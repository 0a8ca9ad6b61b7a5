/**
 * Fact F18: a worker's denied access asks the person.
 * @module
 */
import assert from "node:assert/strict";
import { fixture, WORKER_FLAGS } from "./_helpers.ts";

function hasScript(): boolean {
  const args = ["-c", "command -v script"];
  return Deno.build.os === "linux" && new Deno.Command("sh", { args }).outputSync().success;
}

/** Runs the worker host on a terminal of its own, to its end or to the question that it asks. */
async function onTerminal(flags: readonly string[]): Promise<string> {
  const act = JSON.stringify(["getenv", "CLOISTER_PIN"]);
  const words = [fixture("worker_host.ts"), "./acts_worker.ts", '"none"', act];
  const line = [Deno.execPath(), ...flags, "--allow-read", ...words]
    .map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", line, "/dev/null"],
    env: { NO_COLOR: "1", SHELL: "/bin/sh" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // The end of the terminal ends deno too.
  const end = () => child.kill("SIGKILL");
  const deadline = setTimeout(end, 10_000);
  const decoder = new TextDecoder();
  let shown = "";
  for await (const chunk of child.stdout) {
    shown += decoder.decode(chunk, { stream: true });
    if (shown.includes("Allow?")) break;
  }
  clearTimeout(deadline);
  if (shown.includes("Allow?")) end();
  await Promise.all([child.status, child.stdin.close().catch(() => {})]);
  return shown;
}

Deno.test({
  name:
    "platform [F18] on a terminal a worker's denied access asks the person, not with --no-prompt",
  ignore: !hasScript(),
  fn: async () => {
    const loud = await onTerminal(WORKER_FLAGS.filter((flag) => flag !== "--no-prompt"));
    assert.match(loud, /Deno requests .*env access to "CLOISTER_PIN"/);
    assert.doesNotMatch(loud, /NotCapable/);
    const quiet = await onTerminal(WORKER_FLAGS);
    assert.doesNotMatch(quiet, /Deno requests|Allow\?/);
    assert.match(quiet, /NotCapable/);
  },
});
