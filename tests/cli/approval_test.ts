import assert from "node:assert/strict";
import { approvalSurface, type Prompt } from "../../cli/approval.ts";
import { Output } from "../../cli/output.ts";
import type { ApprovalRequest } from "../../runtime/approval/approval_types.ts";
import { MemorySink } from "./capture.ts";
import { makeHome } from "./child.ts";

const REQUEST: ApprovalRequest = {
  binding: "hash",
  callId: "c",
  name: "terminal",
  toolset: "terminal",
  args: { command: "rm -r x \x1b[2J" },
  grants: ["--allow-run=sh"],
  generation: 1,
  reasons: ["It deletes"],
  signal: new AbortController().signal,
};

function prompt(line: string | undefined, isTerminal = true): Prompt {
  return { isTerminal, readLine: () => Promise.resolve(line) };
}

function outputs(isTerminal: boolean): { output: Output; stderr: MemorySink } {
  const stderr = new MemorySink(isTerminal);
  return { output: new Output({ stdout: new MemorySink(false), stderr, quiet: true }), stderr };
}

Deno.test("approvalSurface() asks on a terminal, with everything harmless, and takes only yes for yes", async () => {
  const { output, stderr } = outputs(true);
  const answers: [line: string | undefined, answer: string][] = [
    ["y\n", "once"],
    ["YES\r\n", "once"],
    ["\n", "deny"],
    ["n\n", "deny"],
    ["yess\n", "deny"],
    ["always\n", "always"],
    ["always y\n", "deny"],
    [undefined, "deny"],
  ];
  for (const [line, answer] of answers) {
    const surface = approvalSurface(output, { yes: false, prompt: prompt(line) })!;
    assert.equal(await surface(REQUEST), answer, JSON.stringify(line));
  }
  assert.ok(stderr.text.startsWith(
    'terminal {"command":"rm -r x \\u001b[2J"}\n  It deletes\n  It may touch: --allow-run=sh\n' +
      '  "always" holds for the same arguments, in this workspace\n' +
      "Run it? [y/N/always] ",
  ));
});

Deno.test("approvalSurface() is none where nobody can be asked; --yes approves once", async () => {
  assert.equal(
    approvalSurface(outputs(true).output, { yes: false, prompt: prompt("y\n", false) }),
    undefined,
  );
  assert.equal(
    approvalSurface(outputs(false).output, { yes: false, prompt: prompt("y\n") }),
    undefined,
  );
  const yes = approvalSurface(outputs(false).output, {
    yes: true,
    prompt: prompt(undefined, false),
  })!;
  assert.equal(await yes(REQUEST), "once");
});

Deno.test("call without a terminal does not run what needs approval, but for --yes, and never an accident", async () => {
  await using home = await makeHome();
  const call = (command: string, ...more: string[]) =>
    home.run("call", "terminal", JSON.stringify({ command }), "--workspace", home.dir, ...more);
  // In a container too, the network is asked about.
  const network = (command: string, ...more: string[]) =>
    home.run(
      ...["call", "terminal", JSON.stringify({ command, network: true })],
      ...["--workspace", home.dir, ...more],
    );
  const refused = await network("echo ran");
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^error: approval_required: .*\n'--yes' approves this one call\.$/m);
  const approved = await network("echo ran", "--yes");
  assert.equal(approved.code, 0, approved.stderr);
  assert.match(approved.stdout, /ran/);
  const never = await call("rm -rf /usr/", "--yes", "--json");
  assert.equal(never.code, 1);
  assert.equal(JSON.parse(never.stdout).error.code, "approval_denied");
});
