import assert from "node:assert/strict";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../../runtime/approval/approval_types.ts";
import { startRuntime, type TestRuntime, type TestRuntimeOptions } from "../_runtime.ts";

interface Asked extends TestRuntime {
  readonly ran: string[];
  readonly requests: ApprovalRequest[];
}

type Answer = (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** A runtime with three tools of the program's own, which note what they were given. */
async function startAsked(
  approval: JsonObject,
  answer?: Answer,
  more: TestRuntimeOptions = {},
): Promise<Asked> {
  const registry = new ToolRegistry();
  const ran: string[] = [];
  const requests: ApprovalRequest[] = [];
  const add = (name: string, toolset: string, readOnlyHint: boolean) =>
    registry.register({
      name,
      toolset,
      description: "A tool of a test.",
      schema: { type: "object" },
      annotations: { readOnlyHint },
      handler: (args) => {
        ran.push(`${name} ${JSON.stringify(args)}`);
        return "done";
      },
    });
  add("look", "reading", true);
  add("send", "mail", false);
  add("drop", "mail", false);
  const test = await startRuntime({
    registry,
    config: { approval },
    ...(answer && {
      onApproval: (request) => {
        requests.push(request);
        return answer(request);
      },
    }),
    ...more,
  });
  return Object.assign(test, { ran, requests });
}

function outcome({ ok, error, end }: ToolResult): string {
  return ok ? "ok" : `${error.code} ${end}`;
}

const DENIED = "approval_denied never_started";
const REQUIRED = "approval_required never_started";

Deno.test("dispatch() asks nobody when the configuration says nothing", async () => {
  await using test = await startAsked({}, () => assert.fail());
  for (const name of ["look", "send", "drop"]) {
    assert.equal(outcome(await test.call(name, {})), "ok");
  }
});

Deno.test("dispatch() goes by the tool, then its toolset, then its annotations, then the default", async () => {
  await using test = await startAsked({
    default: "deny",
    tools: { send: "allow" },
    toolsets: { mail: "deny" },
    annotations: { readOnlyHint: "allow" },
  });
  assert.equal(outcome(await test.call("send", {})), "ok");
  const refused = await test.call("drop", {});
  assert.equal(outcome(refused), DENIED);
  assert.match(refused.error!.message, /the configuration denies it \(approval\.toolsets\.mail\)/);
  assert.equal(outcome(await test.call("look", {})), "ok");
});

Deno.test("dispatch() that asks by default lets own tools through that change nothing", async () => {
  await using test = await startAsked({ default: "ask" });
  assert.equal(outcome(await test.call("look", {})), "ok");
  const refused = await test.call("send", { to: "x" });
  assert.equal(outcome(refused), REQUIRED);
  assert.match(refused.error!.message, /nobody can be asked here: .*\(approval\.default\)/);
  assert.deepEqual(test.ran, ["look {}"]);
});

Deno.test("dispatch() shows a person the call, its grants and the reason, frozen", async () => {
  await using test = await startAsked({ tools: { send: "ask" } }, () => "once");
  const result = await test.call("send", { to: "x" }, { callId: "c1", taskId: "t1" });
  assert.equal(outcome(result), "ok");
  const { binding, signal, ...shown } = test.requests[0]!;
  assert.match(binding, /^[0-9a-f]{64}$/);
  assert.ok(signal.aborted);
  assert.deepEqual(shown, {
    callId: "c1",
    taskId: "t1",
    name: "send",
    toolset: "mail",
    args: { to: "x" },
    grants: [],
    generation: result.generation,
    reasons: ["The configuration asks for it (approval.tools.send)"],
  });
  assert.ok(Object.isFrozen(test.requests[0]) && Object.isFrozen(shown.args));
});

Deno.test("dispatch() asks each time, once for a session, or once for the runtime", async () => {
  let answer: ApprovalAnswer = "once";
  await using test = await startAsked({ tools: { send: "ask" } }, () => answer);
  using first = test.runtime.session({ id: "first" });
  using second = test.runtime.session({ id: "second" });
  const asked = async (session: typeof first, args: JsonObject) => {
    const before = test.requests.length;
    assert.equal(outcome(await session.dispatch("send", args)), "ok");
    return test.requests.length - before;
  };
  assert.deepEqual([await asked(first, {}), await asked(first, {})], [1, 1]);
  answer = "session";
  assert.deepEqual([await asked(first, {}), await asked(first, {})], [1, 0]);
  assert.equal(await asked(second, {}), 1);
  assert.equal(await asked(first, { other: 1 }), 1);
  answer = "always";
  assert.deepEqual([await asked(first, { a: 1, b: 2 }), await asked(second, { b: 2, a: 1 })], [
    1,
    0,
  ]);
});

Deno.test("dispatch() denies when the answer is no, none, no answer in time, or the surface fails", async () => {
  const answers: [name: string, answer: Answer][] = [
    ["no", () => "deny"],
    ["not an answer", () => "yes" as never],
    ["nothing", () => undefined as never],
    ["a boolean", () => true as never],
    ["a failure", () => Promise.reject(new Error("no screen"))],
    ["silence", () => new Promise(() => {})],
  ];
  for (const [name, answer] of answers) {
    await using test = await startAsked({ tools: { send: "ask" }, timeoutMs: 20 }, answer);
    assert.equal(outcome(await test.call("send", {})), DENIED, name);
    assert.deepEqual(test.ran, [], name);
    const warned = test.logs.some(({ level }) => level === "warning");
    assert.equal(warned, name !== "no" && name !== "silence", name);
  }
});

Deno.test("dispatch() that is cancelled while somebody is asked ends, and tells the surface", async () => {
  const controller = new AbortController();
  await using test = await startAsked({ tools: { send: "ask" } }, () => {
    controller.abort();
    return new Promise(() => {});
  });
  const result = await test.call("send", {}, { signal: controller.signal });
  assert.equal(outcome(result), "cancelled never_started");
  assert.ok(test.requests[0]!.signal.aborted);
});

Deno.test("attack [A22] the caller changes its arguments while somebody is asked: what was shown runs", async () => {
  const args: JsonObject = { to: "friend", list: [1] };
  await using test = await startAsked({ tools: { send: "ask" } }, () => {
    Object.assign(args, { to: "stranger" });
    (args.list as number[]).push(2);
    return "once";
  });
  assert.equal(outcome(await test.call("send", args)), "ok");
  assert.deepEqual(test.ran, ['send {"to":"friend","list":[1]}']);
  assert.deepEqual(test.requests[0]!.args, { to: "friend", list: [1] });
});

function questionOf(result: ToolResult): string {
  assert.equal(outcome(result), REQUIRED);
  return (result.error!.details as { readonly approval: string }).approval;
}

Deno.test("attack [A22] twin an approval given elsewhere holds for the very same call", async () => {
  await using test = await startAsked({ tools: { send: "ask" } });
  const approval = questionOf(await test.call("send", { to: "x", cc: "y" }));
  const again = await test.call("send", { cc: "y", to: "x" }, { approval });
  assert.equal(outcome(again), "ok");
});

Deno.test("attack [A22] an approval holds for no other arguments, no other tool and no second call", async () => {
  await using test = await startAsked({ tools: { send: "ask", drop: "ask" } });
  const uses: [name: string, args: JsonObject][] = [
    ["send", { to: "y" }],
    ["send", { to: "x", more: null }],
    ["send", {}],
    ["drop", { to: "x" }],
  ];
  for (const [name, args] of uses) {
    const approval = questionOf(await test.call("send", { to: "x" }));
    const other = await test.call(name, args, { approval });
    assert.equal(outcome(other), DENIED, `${name} ${JSON.stringify(args)}`);
    // Trying it uses it up.
    assert.equal(outcome(await test.call("send", { to: "x" }, { approval })), DENIED);
  }
  const approval = questionOf(await test.call("send", { to: "x" }));
  assert.equal(outcome(await test.call("send", { to: "x" }, { approval })), "ok");
  assert.equal(outcome(await test.call("send", { to: "x" }, { approval })), DENIED);
  assert.equal(outcome(await test.call("send", { to: "x" }, { approval: "made up" })), DENIED);
  assert.deepEqual(test.ran, ['send {"to":"x"}']);
});

Deno.test("attack [A22] an approval ends with the tool that it was given for, whatever takes its place", async () => {
  await using asking = await startAsked({ tools: { send: "ask" } }, () => "always");
  const { registry } = asking.runtime;
  const replace = (description: string, permissions = {}) =>
    registry.register({
      name: "send",
      toolset: "mail",
      description,
      schema: { type: "object" },
      annotations: { readOnlyHint: false },
      permissions,
      handler: () => "done",
    });
  const asked = async () => {
    const before = asking.requests.length;
    assert.equal(outcome(await asking.call("send", {})), "ok");
    return asking.requests.length - before;
  };
  assert.deepEqual([await asked(), await asked()], [1, 0]);
  replace("Another one.");
  assert.deepEqual([await asked(), await asked()], [1, 0]);
  replace("Another one.", { net: ["mail.example:443"] });
  assert.deepEqual([await asked(), await asked()], [1, 0]);
});

Deno.test("attack [A22] twin an approval outlasts what changes elsewhere in the table", async () => {
  await using test = await startAsked({ tools: { send: "ask" } });
  const approval = questionOf(await test.call("send", {}));
  test.runtime.registry.deregister("drop");
  assert.equal(outcome(await test.call("send", {}, { approval })), "ok");
});

Deno.test("attack [A22] a tool that is replaced while somebody is asked does not run", async () => {
  await using test = await startAsked({ tools: { send: "ask" } }, () => {
    test.runtime.registry.register({
      name: "send",
      toolset: "mail",
      description: "Another one.",
      schema: { type: "object" },
      handler: () => "replaced",
    });
    return "once";
  });
  assert.equal(outcome(await test.call("send", {})), "integrity_changed never_started");
  assert.deepEqual(test.ran, []);
});

Deno.test("attack [A22] a file that is linked elsewhere while somebody is asked is not what was approved", async () => {
  await using test = await startAsked(
    { tools: { reads: "ask" } },
    async (): Promise<ApprovalAnswer> => {
      await Deno.remove(`${test.workspace}/a.txt`);
      await Deno.symlink(`${test.workspace}/b.txt`, `${test.workspace}/a.txt`);
      return "once";
    },
    {
      files: {
        "reads.ts": `import { registry } from "@cloister/cloister/tool";
registry.register({
  name: "reads",
  toolset: "own",
  description: "Reads a file.",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  permissions: { read: ["$ARG.path"] },
  handler: ({ path }, context) => Deno.readTextFileSync(context.resolve(path)),
});
`,
      },
    },
  );
  await Deno.writeTextFile(`${test.workspace}/a.txt`, "harmless");
  await Deno.writeTextFile(`${test.workspace}/b.txt`, "secret");
  assert.equal(outcome(await test.call("reads", { path: "a.txt" })), DENIED);
});

Deno.test("dispatch() asks when a hook wants it, and never when a hook blocks or the configuration denies", async () => {
  await using test = await startAsked(
    { tools: { drop: "deny" } },
    () => "deny",
    {
      hooks: [
        { beforeCall: () => ({ action: "ask", message: "It is Sunday" }) },
        {
          beforeCall: ({ args }) =>
            "block" in args ? { action: "block", message: "Blocked" } : undefined,
        },
      ],
    },
  );
  assert.equal(outcome(await test.call("look", {})), DENIED);
  assert.deepEqual(test.requests[0]!.reasons, ["It is Sunday"]);
  assert.equal(outcome(await test.call("look", { block: 1 })), DENIED);
  assert.equal(outcome(await test.call("drop", {})), DENIED);
  assert.equal(test.requests.length, 1);
});
