import assert from "node:assert/strict";
import { CallFailure } from "../../core/call_failure.ts";
import { createInlineEntry } from "../../registry/entry.ts";
import { startRuntime } from "../runtime/_runtime.ts";

Deno.test("CallFailure ends a call of an inline handler with its code, end and details", async () => {
  await using test = await startRuntime();
  test.runtime.registry.register({
    name: "lost",
    toolset: "own",
    description: "Loses its answer.",
    schema: { type: "object" },
    handler: () => {
      throw new CallFailure("outcome_unknown", "The server ended in mid-call", {
        end: "unsettled",
        details: { server: "files" },
      });
    },
  });
  const result = await test.call("lost", {});
  assert.deepEqual(result.error, {
    code: "outcome_unknown",
    message: "The server ended in mid-call",
    retryable: false,
    details: { server: "files" },
  });
  assert.equal(result.end, "unsettled");
});

Deno.test("ToolEntry.approvalReason asks a person before every call, and blocks where nobody can be", async () => {
  const reasons: string[] = [];
  await using test = await startRuntime({
    onApproval: (request) => {
      reasons.push(...request.reasons);
      return request.args.pass === true ? "once" : "deny";
    },
  });
  const registration = {
    name: "mcp__far__write",
    toolset: "mcp-far",
    description: "Writes.",
    schema: { type: "object" } as const,
    handler: () => "done",
  };
  const options = { approvalReason: "The server is not trusted" };
  test.runtime.registry.update((draft) =>
    draft.registerEntry(createInlineEntry(registration, "mcp:far", options))
  );
  assert.equal((await test.call("mcp__far__write", { pass: true })).ok, true);
  assert.equal((await test.call("mcp__far__write", {})).error?.code, "approval_denied");
  assert.deepEqual(reasons, ["The server is not trusted", "The server is not trusted"]);

  await using alone = await startRuntime();
  alone.runtime.registry.update((draft) =>
    draft.registerEntry(createInlineEntry(registration, "mcp:far", options))
  );
  assert.equal((await alone.call("mcp__far__write", {})).error?.code, "approval_required");
});
