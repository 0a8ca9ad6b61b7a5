import assert from "node:assert/strict";
import type { Owner } from "../../core/entry.ts";
import { createInlineEntry } from "../../registry/entry.ts";

function enter(name: string, owner: Owner): string {
  const handler = () => "ok";
  const schema = { type: "object" } as const;
  return createInlineEntry({ name, toolset: "t", description: "d", schema, handler }, owner).name;
}

const OTHERS: readonly Owner[] = ["user", "plugin:acme", "plugin:srv", "mcp:other"];

Deno.test("assertNotReserved() leaves names of a server's tools to that server, in every spelling", () => {
  for (const owner of OTHERS) {
    for (const name of ["mcp__srv__add", "MCP__srv__add", "mcp-_srv__add", "mcp__"]) {
      assert.throws(() => enter(name, owner), { name: "PermissionError", message: /MCP server/ });
    }
  }
  assert.equal(enter("mcp__srv__add", "mcp:srv"), "mcp__srv__add");
  assert.equal(enter("mcp__My_Srv__add", "mcp:My-Srv"), "mcp__My_Srv__add");
  assert.equal(enter("add", "mcp:srv"), "add");
  assert.equal(enter("mcp_srv_add", "user"), "mcp_srv_add");
  assert.equal(enter("mcp__srv__add", "program"), "mcp__srv__add");
});

Deno.test("assertNotReserved() knows a server whose name is so long that its tools' names are cut", () => {
  const server = "s".repeat(60);
  // 64 characters: 55 of the name, "_", eight of its hash.
  const name = `mcp__${"s".repeat(50)}_0123abcd`;
  assert.equal(name.length, 64);
  assert.equal(enter(name, `mcp:${server}`), name);
  assert.throws(() => enter(name, "mcp:s"), { name: "PermissionError" });
});

Deno.test("assertNotReserved() leaves read_result to the product, in every spelling", () => {
  for (const owner of OTHERS) {
    for (const name of ["read_result", "Read_Result", "read-result"]) {
      assert.throws(() => enter(name, owner), { name: "PermissionError", message: /reads long/ });
    }
  }
  assert.equal(enter("read_result", "builtin"), "read_result");
  assert.equal(enter("read_result", "program"), "read_result");
  assert.equal(enter("read_results", "user"), "read_results");
});
