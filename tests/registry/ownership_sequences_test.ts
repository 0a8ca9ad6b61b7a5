import assert from "node:assert/strict";
import type { Owner } from "../../core/entry.ts";
import { PermissionError } from "../../core/errors.ts";
import type { ToolRegistry } from "../../registry/tool_registry.ts";
import { entry, loggedTable, tool } from "./table_support.ts";

const ACME: Owner = "plugin:acme";

function claim(table: ToolRegistry, owner: Owner, override = false, mark = "first"): string {
  return table.register(tool("x", { description: mark }), { owner, override }).status;
}

function grant(table: ToolRegistry, plugin: string, allowToolOverride: boolean): void {
  table.registerPluginOverridePolicy(plugin, { allowToolOverride });
}

function holder(table: ToolRegistry): string | undefined {
  return table.getEntry("x")?.owner;
}

Deno.test("ownership: a plugin registers, later the built-in", () => {
  const { table, events } = loggedTable();
  assert.equal(claim(table, ACME), "registered");
  assert.equal(claim(table, "builtin"), "replaced");
  assert.equal(holder(table), "builtin");
  assert.equal(table.generation, 2);
  assert.deepEqual(table.explainClaims("x").claims.map((c) => c.entry.owner), ["builtin", ACME]);
  assert.equal(events.length, 1);
  assert.match(events[0]!.message, /"x" of builtin takes the place of the one of plugin:acme/);
});

Deno.test("ownership: a plugin's override of a free name, later the built-in, without a grant", () => {
  const { table, events } = loggedTable();
  assert.equal(claim(table, ACME, true), "registered");
  assert.equal(claim(table, "builtin"), "replaced");
  assert.equal(holder(table), "builtin");
  assert.equal(events[0]!.level, "warning");
  assert.match(events[0]!.message, /"allowToolOverride": true for the plugin "acme"/);
});

Deno.test("ownership: a plugin's override of a free name, later the built-in, with a grant", () => {
  const { table } = loggedTable();
  grant(table, ACME, true);
  assert.equal(claim(table, ACME, true), "registered");
  const { generation } = table;
  assert.equal(claim(table, "builtin"), "rejected");
  assert.equal(holder(table), ACME);
  assert.equal(table.generation, generation);
});

Deno.test("ownership [case 38]: the built-in, a plugin's override throws, grant, revoke", () => {
  const { table, events } = loggedTable();
  claim(table, "builtin");
  assert.throws(
    () => claim(table, ACME, true),
    (error) => error instanceof PermissionError && /allowToolOverride.*"acme"/.test(error.message),
  );
  assert.equal(holder(table), "builtin");
  assert.equal(table.generation, 1);
  assert.match(events[0]!.message, /^Tool registration REJECTED: "x" of plugin:acme/);
  grant(table, ACME, true);
  assert.equal(holder(table), ACME);
  assert.equal(table.generation, 2);
  grant(table, ACME, true);
  assert.equal(table.generation, 2);
  grant(table, ACME, false);
  assert.equal(holder(table), "builtin");
  assert.equal(table.generation, 3);
});

Deno.test("ownership [case 39]: a granted plugin overrides the built-in", () => {
  const { table } = loggedTable();
  claim(table, "builtin");
  grant(table, "acme", true);
  assert.equal(claim(table, ACME, true), "replaced");
});

Deno.test("ownership: mcp, a granted plugin's override, mcp refresh, the plugin is unloaded", () => {
  const { table } = loggedTable();
  grant(table, ACME, true);
  assert.equal(claim(table, "mcp:srv", false, "old"), "registered");
  assert.equal(claim(table, ACME, true), "replaced");
  const { generation } = table;
  assert.equal(claim(table, "mcp:srv", false, "refreshed"), "rejected");
  assert.equal(table.generation, generation);
  assert.equal(holder(table), ACME);
  table.replaceOwnerClaims(ACME, []);
  assert.equal(table.generation, generation + 1);
  assert.equal(table.getEntry("x")!.description, "refreshed");
});

Deno.test("ownership [case 42]: a plugin deregisters a built-in it never claimed, then registers", () => {
  const { table } = loggedTable();
  claim(table, "builtin");
  assert.throws(() => table.deregister("x", { owner: ACME }), PermissionError);
  assert.equal(holder(table), "builtin");
  assert.equal(claim(table, ACME), "rejected");
  assert.equal(table.deregister("x", { owner: ACME }), true);
  assert.equal(holder(table), "builtin");
});

Deno.test("ownership: two plugins override; both, one or none of them granted", () => {
  const { table } = loggedTable();
  table.setPluginOrder(["plugin:zeta", ACME]);
  claim(table, "builtin");
  for (const plugin of [ACME, "plugin:zeta"] as const) {
    assert.throws(() => claim(table, plugin, true), PermissionError);
  }
  assert.equal(holder(table), "builtin");
  grant(table, ACME, true);
  assert.equal(holder(table), ACME);
  grant(table, "plugin:zeta", true);
  assert.equal(holder(table), "plugin:zeta");
  table.setPluginOrder([ACME, "plugin:zeta"]);
  assert.equal(holder(table), ACME);
});

Deno.test("ownership rule 1: an owner has one claim, its latest", () => {
  const { table } = loggedTable();
  claim(table, "user", false, "one");
  claim(table, "user", false, "two");
  assert.equal(table.getEntry("x")!.description, "two");
  assert.equal(table.explainClaims("x").claims.length, 1);
  table.deregister("x", { owner: "user" });
  assert.equal(table.getEntry("x"), undefined);
});

Deno.test("ownership rule 2: only a change of what is visible makes a generation", () => {
  const { table } = loggedTable();
  claim(table, "builtin");
  claim(table, "user");
  claim(table, "mcp:srv");
  table.deregister("x", { owner: "user" });
  grant(table, ACME, true);
  table.setPluginOrder([ACME]);
  table.registerToolsetAlias("words", "text");
  assert.equal(table.generation, 1);
});

Deno.test("ownership rule 5: a rejected claim is kept and shows when the winner goes", () => {
  const { table } = loggedTable();
  claim(table, "builtin");
  claim(table, "user");
  table.deregister("x", { owner: "builtin" });
  assert.equal(holder(table), "user");
});

Deno.test("ownership rule 5: a plugin's override of a server's tool needs no grant, plugins go first", () => {
  const { table } = loggedTable();
  claim(table, "mcp:srv");
  assert.equal(claim(table, ACME, true), "replaced");
});

Deno.test("ownership rule 6: a grant covers the ids below it and no other", () => {
  for (
    const [owner, expected] of [["plugin:acme/sub", "replaced"], ["plugin:acme-evil", "throws"]]
  ) {
    const { table } = loggedTable();
    claim(table, "builtin");
    grant(table, ACME, true);
    let got = "throws";
    try {
      got = claim(table, owner as Owner, true);
    } catch (error) {
      assert.ok(error instanceof PermissionError);
    }
    assert.equal(got, expected);
  }
});

Deno.test("ownership rule 6: only plugins can be granted anything", () => {
  const { table } = loggedTable();
  for (const namespace of ["mcp:srv", "", "plugin:", "Acme", "plugin:acme/"]) {
    assert.throws(() => grant(table, namespace, true), TypeError);
  }
});

Deno.test("ownership rule 7: the program may ask for what it does not own, and nothing happens", () => {
  const { table, events } = loggedTable();
  claim(table, "builtin");
  assert.equal(table.deregister("x"), false);
  assert.equal(holder(table), "builtin");
  assert.match(events[0]!.message, /pass \{ owner: "builtin" \}/);
  for (const owner of ["user", "mcp:srv", ACME] as const) {
    assert.throws(() => table.deregister("x", { owner }), PermissionError);
    assert.equal(table.deregister("free", { owner }), false);
  }
});

Deno.test("ownership rule 8: a second spelling is never visible, whoever comes first", () => {
  for (const owners of [["builtin", ACME], [ACME, "builtin"]] as const) {
    const { table } = loggedTable();
    grant(table, ACME, true);
    const names = { builtin: "read_file", [ACME]: "Read-File" };
    for (const owner of owners) {
      table.register(tool(names[owner]!), { owner, override: owner === ACME });
    }
    assert.deepEqual(table.getAllToolNames(), ["read_file"]);
    const shadowed = table.explainClaims("read_file").claims[1]!;
    assert.match(shadowed.reason, /"Read-File" \(plugin:acme\).*"read_file" \(builtin\)/);
  }
});

Deno.test("ownership rule 8: an owner's own second spelling is rejected, and names both", () => {
  const { table } = loggedTable();
  table.register(tool("read_file"));
  const outcome = table.register(tool("read-file"), { override: true });
  assert.equal(outcome.status, "rejected");
  assert.match(JSON.stringify(outcome), /read-file.*read_file/);
  assert.deepEqual(table.getAllToolNames(), ["read_file"]);
});

Deno.test("ownership rule 9: toolsets of servers are theirs alone", () => {
  const { table } = loggedTable();
  const inSet = tool("x", { toolset: "mcp-srv" });
  for (const owner of ["program", "user", ACME, "mcp:other"] as const) {
    assert.throws(() => table.register(inSet, { owner }), PermissionError);
  }
  assert.equal(table.register(inSet, { owner: "mcp:srv" }).status, "registered");
});

Deno.test("ownership rule 10 [case 35]: the later of two servers has the name, a second look does not count", () => {
  const { table } = loggedTable();
  const [a, b] = [entry("x", "mcp:a"), entry("x", "mcp:b")];
  table.replaceOwnerClaims("mcp:a", [a]);
  table.replaceOwnerClaims("mcp:b", [b]);
  assert.equal(holder(table), "mcp:b");
  const { generation } = table;
  table.replaceOwnerClaims("mcp:a", [entry("x", "mcp:a")].map((again) => sameCode(again, a)));
  assert.equal(table.generation, generation);
  claim(table, "mcp:a", false, "changed");
  assert.equal(holder(table), "mcp:a");
});

function sameCode<T extends ReturnType<typeof entry>>(again: T, first: T): T {
  return Object.freeze({ ...again, handler: first.handler });
}
