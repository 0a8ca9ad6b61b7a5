import assert from "node:assert/strict";
import type { Owner, ToolEntry } from "../../core/entry.ts";
import { NO_POLICY, type PluginPolicy, whyBefore, winner } from "../../registry/policy.ts";
import { entry } from "./table_support.ts";

const BY_PRECEDENCE: readonly Owner[] = ["builtin", "program", "user", "plugin:acme", "mcp:srv"];

function policy(grants: Record<string, boolean>, order: readonly string[] = []): PluginPolicy {
  return { overrides: new Map(Object.entries(grants)), order };
}

function ownerOf(claims: readonly ToolEntry[], given: PluginPolicy = NO_POLICY): string {
  return winner(claims, given)?.owner ?? "nobody";
}

Deno.test("winner() is nobody where there is no claim", () => {
  assert.equal(winner([], NO_POLICY), undefined);
});

Deno.test("winner() follows the order of owners, whichever claim came first [rule 4]", () => {
  for (let first = 0; first < BY_PRECEDENCE.length; first++) {
    const claims = BY_PRECEDENCE.slice(first).map((owner) => entry("a", owner));
    assert.equal(ownerOf(claims), BY_PRECEDENCE[first]);
    assert.equal(ownerOf(claims.toReversed()), BY_PRECEDENCE[first]);
  }
});

Deno.test("winner() lets program, user and granted plugins override, in this order [rules 3 and 4]", () => {
  const granted = policy({ "plugin:acme": true });
  const builtin = entry("a", "builtin");
  const overrides = (["program", "user", "plugin:acme"] as const).map((o) => entry("a", o, true));
  assert.equal(ownerOf([builtin, ...overrides], granted), "program");
  assert.equal(ownerOf([builtin, ...overrides.slice(1)], granted), "user");
  assert.equal(ownerOf([builtin, ...overrides.slice(2)], granted), "plugin:acme");
  assert.equal(ownerOf([builtin, ...overrides.slice(2)]), "builtin");
});

Deno.test("winner() never lets an MCP server or a built-in override [rule 3]", () => {
  const all = policy({ "plugin:acme": true });
  assert.equal(
    ownerOf([entry("a", "mcp:srv", true), entry("a", "plugin:acme")], all),
    "plugin:acme",
  );
  assert.equal(ownerOf([entry("a", "builtin", true), entry("a", "user", true)], all), "user");
});

Deno.test("winner() orders plugins by the configuration, then by id [rule 4]", () => {
  const claims = [entry("a", "plugin:beta"), entry("a", "plugin:acme")];
  assert.equal(ownerOf(claims), "plugin:acme");
  assert.equal(ownerOf(claims, policy({}, ["plugin:beta", "plugin:acme"])), "plugin:beta");
  assert.equal(ownerOf(claims, policy({}, ["plugin:beta"])), "plugin:beta");
  assert.equal(
    ownerOf([entry("a", "plugin:acme/x"), entry("a", "plugin:beta")], policy({}, ["plugin:beta"])),
    "plugin:beta",
  );
});

Deno.test("winner() takes the latest of two MCP servers [rule 4]", () => {
  const [a, b] = [entry("a", "mcp:a"), entry("a", "mcp:b")];
  assert.equal(ownerOf([a, b]), "mcp:b");
  assert.equal(ownerOf([b, a]), "mcp:a");
});

Deno.test("winner() ends a grant's prefix at a slash, and the longest one counts [rule 6]", () => {
  const builtin = entry("a", "builtin");
  const claims = (owner: Owner) => [builtin, entry("a", owner, true)];
  const acme = policy({ "plugin:acme": true });
  assert.equal(ownerOf(claims("plugin:acme"), acme), "plugin:acme");
  assert.equal(ownerOf(claims("plugin:acme/sub"), acme), "plugin:acme/sub");
  assert.equal(ownerOf(claims("plugin:acme-evil"), acme), "builtin");
  const partly = policy({ "plugin:acme": true, "plugin:acme/sub": false });
  assert.equal(ownerOf(claims("plugin:acme/sub/deep"), partly), "builtin");
  assert.equal(ownerOf(claims("plugin:acme/other"), partly), "plugin:acme/other");
});

Deno.test("winner() never shows a second spelling, not even of an override [rule 8]", () => {
  const granted = policy({ "plugin:acme": true });
  const builtin = entry("read_file", "builtin");
  for (const owner of ["program", "user", "plugin:acme"] as const) {
    assert.equal(winner([entry("Read-File", owner, true), builtin], granted), builtin);
  }
});

Deno.test("whyBefore() names both owners and the rule", () => {
  const granted = policy({ "plugin:acme": true });
  const builtin = entry("a", "builtin");
  assert.match(whyBefore(builtin, entry("a", "user"), NO_POLICY), /builtin goes before user/);
  assert.match(
    whyBefore(entry("a", "plugin:acme", true), builtin, granted),
    /plugin:acme overrides, and the operator allows it/,
  );
  assert.match(
    whyBefore(builtin, entry("A", "user", true), NO_POLICY),
    /"A" \(user\) differs only in spelling from "a" \(builtin\)/,
  );
});
