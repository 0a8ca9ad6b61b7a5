import assert from "node:assert/strict";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import { startHttpServer } from "../../../edge/http_server.ts";
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
  const test = await startRuntime({ registry, config: { approval }, ...options });
  return Object.assign(test, { ran });
}

function code({ error }: ToolResult): string | undefined {
  return error?.code;
}

Deno.test("dispatch() never runs what is hardline, whatever is configured and whoever approves", async () => {
  const settings: JsonObject[] = [
    {},
    { default: "allow", dangerousCommands: "allow" },
    { tools: { shell: "allow" }, dangerousCommands: "allow" },
    { tools: { shell: "ask" } },
  ];
  for (const approval of settings) {
    await using test = await startShells(approval, { onApproval: () => "always" });
    for (const command of ["rm -rf /", "sudo reboot", "sh -c 'mkfs.ext4 /dev/sda'"]) {
      const result = await test.call("shell", { command });
      assert.deepEqual([code(result), result.end], ["approval_denied", "never_started"]);
      assert.match(result.error!.message, /No setting and no approval allows this$/);
    }
    assert.deepEqual(test.ran, []);
  }
});

Deno.test("dispatch() asks before a dangerous command runs, and says why", async () => {
  const reasons: string[] = [];
  await using test = await startShells({}, {
    onApproval: (request) => {
      reasons.push(...request.reasons);
      return "once";
    },
  });
  assert.equal(code(await test.call("shell", { command: "ls -la" })), undefined);
  assert.deepEqual(reasons, []);
  assert.equal(code(await test.call("shell", { command: "rm -rf build" })), undefined);
  assert.deepEqual(reasons, [
    "The command may do damage: deletes folders with everything in them",
  ]);
  assert.deepEqual(test.ran, ["ls -la", "rm -rf build"]);
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

Deno.test("dispatch() puts the floor under the built-in terminal, and lets the rest run", async () => {
  const root = new URL("../../../tools", import.meta.url).pathname;
  await using test = await startRuntime({ roots: [root], config: {} });
  const never = await test.call("terminal", { command: "rm -rf /no-such-folder/.." });
  assert.deepEqual([code(never), never.end], ["approval_denied", "never_started"]);
  await Deno.writeTextFile(`${test.workspace}/kept.txt`, "kept");
  const asked = await test.call("terminal", { command: "rm -r *" });
  assert.deepEqual([code(asked), asked.end], ["approval_required", "never_started"]);
  assert.equal(await Deno.readTextFile(`${test.workspace}/kept.txt`), "kept");
  const said = await test.call("terminal", { command: "echo 'rm -rf /'" });
  assert.ok(said.ok && said.content.includes("rm -rf /"), said.content);
  const { approval } = asked.error!.details as { readonly approval: string };
  const approved = await test.call("terminal", { command: "rm -r *" }, { approval });
  assert.ok(approved.ok, approved.content);
  assert.deepEqual([...Deno.readDirSync(test.workspace)], []);
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
