import assert from "node:assert/strict";
import { registeredToolName, serverToolset } from "../../../mcp/catalogue/tool_name.ts";

Deno.test("registeredToolName() [case 96] joins server and tool by two underscores", async () => {
  assert.equal(await registeredToolName("my_srv", "my_tool"), "mcp__my_srv__my_tool");
  assert.equal(serverToolset("my_srv"), "mcp-my_srv");
});

Deno.test("registeredToolName() writes _ for every other character, without merging or trimming", async () => {
  assert.equal(await registeredToolName("a.b", "-x--y/ é-"), "mcp__a_b___x__y____");
  // One character outside the first plane is one character.
  assert.equal(await registeredToolName("s", "a😀b"), "mcp__s__a_b");
});

Deno.test("registeredToolName() cuts over 64 characters and adds eight digits of the whole name's SHA-256", async () => {
  const fits = await registeredToolName("srv", "t".repeat(54));
  assert.equal(fits.length, 64);
  assert.ok(fits.endsWith("ttt"));
  // printf "mcp__srv__$(printf "t%.0s" {1..55})" | sha256sum
  const cut = await registeredToolName("srv", "t".repeat(55));
  assert.equal(cut.length, 64);
  assert.equal(cut, `mcp__srv__${"t".repeat(45)}_3d3b2ae2`);
  assert.notEqual(cut, await registeredToolName("srv", "t".repeat(56)));
});
