import assert from "node:assert/strict";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import type { ApprovalAnswer } from "../../../runtime/approval/approval_types.ts";
import { startHttpServer } from "../../../edge/http_server.ts";
import { probeContainment } from "../../../workers/containment.ts";
import { startRuntime, type TestRuntime, type TestRuntimeOptions } from "../_runtime.ts";

/** A tool that hands its command to a shell, and one that has a command but no shell. Neither runs anything. */
async function startShells(
  approval: JsonObject = {},
  options: TestRuntimeOptions = {},
): Promise<TestRuntime & { readonly ran: unknown[] }> {
  const registry = new ToolRegistry();
  const ran: unknown[] = [];
  const add = (name: string, run: readonly string[], type: string) =>
    registry.register({
      name,
      toolset: "shells",
      description: "A tool of a test.",
      schema: { type: "object", properties: { command: { type } }, required: ["command"] },
      permissions: { run: [...run] },
      handler: (args) => {
        ran.push((args as { readonly command: unknown }).command);
        return "done";
      },
    });
  add("shell", ["/usr/bin/bash"], "string");
  add("words", ["sh"], "array");
  add("git_only", ["git"], "string");
  add("fish", ["fish", "sh"], "string");
  const test = await startRuntime({ registry, config: { approval }, ...options });
  return Object.assign(test, { ran });
}

function code({ error }: ToolResult): string | undefined {
  return error?.code;
}

Deno.test("dispatch() never runs an accident, whatever is configured and whoever approves", async () => {
  const settings: JsonObject[] = [
    {},
    { default: "allow", dangerousCommands: "allow" },
    { tools: { shell: "allow" }, dangerousCommands: "allow" },
    { tools: { shell: "ask" } },
  ];
  for (const approval of settings) {
    await using test = await startShells(approval, { onApproval: () => "always" });
    for (const command of ["rm -rf /", "sudo reboot", "ls; mkfs.ext4 /dev/sda"]) {
      const result = await test.call("shell", { command });
      assert.deepEqual([code(result), result.end], ["approval_denied", "never_started"]);
      assert.match(result.error!.message, /No setting and no approval allows this$/);
    }
    assert.deepEqual(test.ran, []);
  }
});

Deno.test("dispatch() runs a harmless command as it was read, and asks before any other, with the reason", async () => {
  const reasons: string[] = [];
  await using test = await startShells({}, {
    onApproval: (request) => {
      reasons.push(...request.reasons);
      return "once";
    },
  });
  assert.equal(code(await test.call("shell", { command: "echo  a\\ b" })), undefined);
  assert.deepEqual(reasons, []);
  assert.equal(code(await test.call("shell", { command: "rm -rf build" })), undefined);
  assert.deepEqual(reasons, [
    'The command may do whatever you may: "rm" is not on the list of harmless programs',
  ]);
  assert.deepEqual(test.ran, [
    "PATH=/usr/bin:/bin; export PATH; '/usr/bin/echo' 'a b'",
    "rm -rf build",
  ]);
});

Deno.test("dispatch() says what can be done where nobody can be asked about a command", async () => {
  await using test = await startShells();
  const { error } = await test.call("shell", { command: "make" });
  assert.equal(error?.code, "approval_required");
  assert.match(
    error.message,
    /"make" is not on the list of harmless programs\. To allow it, approve/,
  );
});

Deno.test("dispatch() remembers approved commands by their words, for the session or always", async () => {
  let answer: ApprovalAnswer = "session";
  const asked: unknown[] = [];
  await using test = await startShells({}, {
    onApproval: ({ commands }) => {
      asked.push(commands);
      return answer;
    },
  });
  using one = test.runtime.session({ id: "one" });
  using two = test.runtime.session({ id: "two" });
  const isAsked = async (session: typeof one, command: string) => {
    const before = asked.length;
    assert.equal(code(await session.dispatch("shell", { command })), undefined, command);
    return asked.length > before;
  };
  assert.equal(await isAsked(one, "npm test"), true);
  assert.deepEqual(asked, [[["npm", "test"]]]);
  assert.equal(await isAsked(one, "npm  'test'"), false);
  assert.equal(await isAsked(one, "ls && npm test | tail -n 3 > log"), false);
  assert.equal(await isAsked(two, "npm test"), true);
  answer = "once";
  for (
    const command of [
      "npm test --evil",
      "npm test > ../x",
      "npm test; npm ci",
      "X=1 npm test",
      "npm test &",
    ]
  ) {
    assert.equal(await isAsked(one, command), true, command);
    assert.equal(await isAsked(one, command), true, command);
  }
  answer = "always";
  assert.equal(await isAsked(one, "npm ci && make"), true);
  assert.equal(await isAsked(two, "make"), false);
  // What runs is what the words say, whatever else the text could be taken for.
  assert.equal(test.ran.at(-1), "'make'");
});

Deno.test("dispatch() of a dangerous command goes by approval.dangerousCommands", async () => {
  const call = async (approval: JsonObject) => {
    await using test = await startShells(approval);
    return code(await test.call("shell", { command: "rm -rf build" }));
  };
  assert.equal(await call({}), "approval_required");
  assert.equal(await call({ dangerousCommands: "ask" }), "approval_required");
  assert.equal(await call({ dangerousCommands: "deny" }), "approval_denied");
  assert.equal(await call({ dangerousCommands: "allow" }), undefined);
  assert.equal(await call({ tools: { shell: "allow" } }), "approval_required");
});

Deno.test("dispatch() looks at commands that are lists of words, and at shells only", async () => {
  await using test = await startShells();
  const words = await test.call("words", { command: ["rm", "-rf", "/"] });
  assert.equal(code(words), "approval_denied");
  const quoted = await test.call("words", { command: ["echo", "rm -rf /; it's"] });
  assert.equal(code(quoted), undefined);
  assert.equal(code(await test.call("git_only", { command: "reboot" })), undefined);
});

Deno.test("attack [A32] a shell that reads quotes in another way gets no command unasked", async () => {
  await using test = await startShells({}, { onApproval: () => "always" });
  // In fish a backslash in single quotes takes the quote's meaning.
  const command = "echo 'x\\\\' '; touch x #'";
  assert.equal(code(await test.call("shell", { command })), undefined);
  assert.match(String(test.ran[0]), /^PATH=/);
  assert.equal(code(await test.call("fish", { command })), undefined);
  assert.equal(test.ran[1], command);
  await using silent = await startShells();
  assert.equal(code(await silent.call("fish", { command: "ls" })), "approval_required");
  assert.equal(code(await silent.call("fish", { command: "rm -rf /" })), "approval_denied");
});

/** The built-in terminal, outside of a container. */
function startTerminal(options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  const config = { approval: { containCommands: false } };
  return startRuntime({ roots: [], builtins: true, config, ...options });
}

Deno.test("dispatch() of the built-in terminal asks where no container holds, and lets plain reading run", async () => {
  await using test = await startTerminal();
  const never = await test.call("terminal", { command: "rm -rf /usr/" });
  assert.deepEqual([code(never), never.end], ["approval_denied", "never_started"]);
  await Deno.writeTextFile(`${test.workspace}/kept.txt`, "kept");
  const asked = await test.call("terminal", { command: "rm -r *" });
  assert.deepEqual([code(asked), asked.end], ["approval_required", "never_started"]);
  assert.equal(await Deno.readTextFile(`${test.workspace}/kept.txt`), "kept");
  const said = await test.call("terminal", {
    command: "echo 'rm -rf /' | cat - *.txt > out; cat out",
  });
  assert.ok(said.ok && said.content.endsWith("rm -rf /\nkept"), said.content);
  const { approval } = asked.error!.details as { readonly approval: string };
  const approved = await test.call("terminal", { command: "rm -r *" }, { approval });
  assert.ok(approved.ok, approved.content);
  assert.deepEqual([...Deno.readDirSync(test.workspace)], []);
});

Deno.test("attack [A30] a folder above the command's own is where its output goes, and it asks", async () => {
  await using test = await startTerminal({ roots: [] });
  await Deno.mkdir(`${test.workspace}/sub`);
  for (const [command, workdir] of [["ls > ../cloister.json", "sub"], ["ls", "../.."]]) {
    const result = await test.call("terminal", { command: command!, workdir: workdir! });
    assert.equal(code(result), "approval_required", command);
  }
  const twin = await test.call("terminal", { command: "ls > ../listing", workdir: "sub" });
  assert.ok(twin.ok, twin.content);
  assert.equal(await Deno.readTextFile(`${test.workspace}/listing`), "");
});

Deno.test("attack [A26] an approved command does not get the channel of the cell that it is started from", async () => {
  await using test = await startTerminal({ onApproval: () => "once" });
  const { content } = await test.call("terminal", { command: "ls -l /proc/self/fd/; echo end" });
  assert.match(content, /end\n$/);
  assert.doesNotMatch(content, /socket/);
});

// A process group can be left; what holds is said by `doctor`.
const isGroup = await probeContainment(Deno.env.get("PATH") ?? "") !== "namespace";
const ENDS = "attack [A10] what a command leaves behind outside of a container ends with its call";

Deno.test({ name: ENDS, ignore: isGroup }, async () => {
  await using test = await startTerminal({ onApproval: () => "once" });
  const leave = (way: string) =>
    `(${way} sh -c 'while :; do echo x >> beat; sleep 0.05; done' &) >/dev/null 2>&1`;
  const command = ["setsid", "nohup", ""].map(leave).join("; ") +
    "; until [ -s beat ]; do sleep 0.01; done; echo started";
  const result = await test.call("terminal", { command });
  assert.ok(result.ok && result.content.includes("started"), result.content);
  const { size } = await Deno.stat(`${test.workspace}/beat`);
  assert.ok((await test.call("terminal", { command: "sleep 0.3" })).ok);
  assert.equal((await Deno.stat(`${test.workspace}/beat`)).size, size);
});

Deno.test("startHttpServer() answers with 403 what needs approval, and what never runs", async () => {
  await using test = await startShells();
  await using server = startHttpServer(test.runtime, { port: 0 });
  const post = async (command: string) => {
    const response = await fetch(`${server.url}/tools/shell/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ command }),
    });
    return [response.status, (await response.json()).error?.code];
  };
  assert.deepEqual(await post("rm -rf build"), [403, "approval_required"]);
  assert.deepEqual(await post("rm -rf /"), [403, "approval_denied"]);
  assert.deepEqual(await post("ls"), [200, undefined]);
});
