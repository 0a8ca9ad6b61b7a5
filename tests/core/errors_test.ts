import assert from "node:assert/strict";
import { ERROR_CODES, PermissionError, ToolError } from "../../core/errors.ts";

Deno.test("ERROR_CODES is the closed list of the contract", () => {
  assert.deepEqual(ERROR_CODES, [
    "unknown_tool",
    "not_enabled",
    "unavailable",
    "invalid_arguments",
    "approval_required",
    "approval_denied",
    "permission_denied",
    "timeout",
    "cancelled",
    "overloaded",
    "tool_error",
    "tool_crashed",
    "tool_out_of_memory",
    "tool_exited",
    "invalid_result",
    "integrity_changed",
    "outcome_unknown",
    "internal",
  ]);
  assert.ok(Object.isFrozen(ERROR_CODES));
});

Deno.test("ToolError keeps whether a retry makes sense, details and the cause", () => {
  const cause = new Error("behind");
  const error = new ToolError("failed", { retryable: true, details: { waiting: 0 }, cause });
  assert.ok(error instanceof Error);
  assert.equal(error.name, "ToolError");
  assert.equal(error.message, "failed");
  assert.equal(error.retryable, true);
  assert.deepEqual(error.details, { waiting: 0 });
  assert.equal(error.cause, cause);
});

Deno.test("ToolError makes no retry of what does not say so", () => {
  const error = new ToolError("failed");
  assert.equal(error.retryable, false);
  assert.equal(error.details, undefined);
});

Deno.test("PermissionError is told apart by its class and name", () => {
  const error = new PermissionError("no");
  assert.ok(error instanceof PermissionError && error instanceof Error);
  assert.ok(!(error instanceof ToolError));
  assert.equal(error.name, "PermissionError");
});
