import assert from "node:assert/strict";
import type { Owner } from "../../../core/entry.ts";
import type { ToolAnnotations } from "../../../core/registration.ts";
import { approvalRule } from "../../../runtime/approval/approval_rules.ts";
import { bindCall } from "../../../runtime/approval/binding.ts";
import type { ApprovalConfig } from "../../../runtime/approval/approval_types.ts";
import { ApprovalLedger } from "../../../runtime/approval/approval_ledger.ts";

function modeOf(
  config: ApprovalConfig,
  annotations: ToolAnnotations = {},
  owner: Owner = "user",
): string {
  const { mode, key } = approvalRule(config, { name: "t", toolset: "s", annotations, owner });
  return `${mode} ${key}`;
}

Deno.test("approvalRule() takes the hints as the Model Context Protocol means them", () => {
  const config: ApprovalConfig = {
    annotations: { destructiveHint: "ask", openWorldHint: "deny", readOnlyHint: "allow" },
  };
  const closed = { openWorldHint: false };
  assert.equal(modeOf(config), "deny approval.annotations.openWorldHint");
  assert.equal(modeOf(config, closed), "ask approval.annotations.destructiveHint");
  assert.equal(modeOf(config, { ...closed, destructiveHint: false }), "allow approval.default");
  assert.equal(
    modeOf(config, { ...closed, readOnlyHint: true }),
    "allow approval.annotations.readOnlyHint",
  );
  assert.equal(
    modeOf(config, { readOnlyHint: true }),
    "deny approval.annotations.openWorldHint",
  );
});

Deno.test("approvalRule() believes only own tools that they change nothing", () => {
  const readOnly = { readOnlyHint: true };
  const owners: [owner: Owner, mode: string][] = [
    ["builtin", "allow"],
    ["program", "allow"],
    ["user", "allow"],
    ["plugin:acme", "ask"],
    ["mcp:files", "ask"],
  ];
  for (const [owner, mode] of owners) {
    assert.equal(modeOf({ default: "ask" }, readOnly, owner), `${mode} approval.default`, owner);
    assert.equal(modeOf({ default: "deny" }, readOnly, owner), "deny approval.default", owner);
  }
});

Deno.test("approvalRule() finds no rule under a name that every object has", () => {
  const entry = { toolset: "toString", annotations: {}, owner: "user" as const };
  const rule = approvalRule({ tools: {}, toolsets: {} }, { ...entry, name: "constructor" });
  assert.deepEqual(rule, { mode: "allow", key: "approval.default" });
});

Deno.test("bindCall() tells any two calls apart, and not the order of members", () => {
  const call = { name: "t", args: { a: 1, b: [1, 2] }, grants: { read: ["/x"] }, declaration: 3 };
  const same = bindCall({ ...call, args: { b: [1, 2], a: 1 } });
  assert.equal(bindCall(call), same);
  const others = [
    { ...call, name: "u" },
    { ...call, declaration: 4 },
    { ...call, grants: { read: ["/x", "/y"] } },
    { ...call, args: { a: 1, b: [2, 1] } },
    { ...call, args: { a: "1", b: [1, 2] } },
    { ...call, args: { a: 1, b: ["1,2"] } },
    { ...call, args: { a: 1, b: [1, 2], c: null } },
    { ...call, args: JSON.parse('{"a":1,"b":[1,2],"__proto__":{}}') },
  ];
  const hashes = new Set([same, ...others.map(bindCall)]);
  assert.equal(hashes.size, others.length + 1);
});

Deno.test("ApprovalLedger lets a question be answered once, and for ten minutes", () => {
  let now = 0;
  const ledger = new ApprovalLedger(() => now);
  const id = ledger.open("hash");
  now = 599_999;
  assert.ok(ledger.redeem(id, "hash"));
  assert.ok(!ledger.redeem(id, "hash"));
  const late = ledger.open("hash");
  now += 600_000;
  assert.ok(!ledger.redeem(late, "hash"));
});

Deno.test("ApprovalLedger remembers for a session until it ends, and a thousand in all", () => {
  const ledger = new ApprovalLedger();
  ledger.remember("a", "one");
  ledger.remember("b", undefined);
  assert.deepEqual(
    [ledger.isGiven("a", "one"), ledger.isGiven("a", "two"), ledger.isGiven("a", undefined)],
    [true, false, false],
  );
  assert.ok(ledger.isGiven("b", "two") && ledger.isGiven("b", undefined));
  ledger.endSession("one");
  assert.ok(!ledger.isGiven("a", "one") && ledger.isGiven("b", "one"));
  for (let index = 0; index < 1_000; index++) ledger.remember(`x${index}`, undefined);
  assert.ok(!ledger.isGiven("b", undefined) && ledger.isGiven("x0", undefined));
});
