import assert from "node:assert/strict";
import { createToolFilter } from "../../../mcp/catalogue/filter.ts";
import { MemoryServer, startHub, tool } from "../_memory_server.ts";

const NAMES = ["add", "all.of/it", "Add", "beta", ".hidden"];

async function passed(options: Parameters<typeof createToolFilter>[0]): Promise<string[]> {
  return NAMES.filter(await createToolFilter(options));
}

Deno.test("createToolFilter() [case 104] lets nothing in for [], takes globs, and include beats exclude", async () => {
  assert.deepEqual(await passed({ include: [] }), []);
  assert.deepEqual(await passed({ include: ["a*"] }), ["add", "all.of/it"]);
  assert.deepEqual(await passed({ include: ["add"], exclude: ["add"] }), ["add"]);
  assert.deepEqual(await passed({ exclude: ["a*", "beta"] }), ["Add", ".hidden"]);
  assert.deepEqual(await passed({}), NAMES);
});

Deno.test("createToolFilter() tells capitals apart, and takes a name for itself before it is a glob", async () => {
  assert.deepEqual(await passed({ include: ["A*"] }), ["Add"]);
  assert.deepEqual(await passed({ include: ["*"] }), NAMES);
  const filter = await createToolFilter({ include: ["[x]"] });
  assert.equal(filter("[x]"), true);
  assert.equal(filter("x"), true);
  assert.equal(filter("y"), false);
});

Deno.test("McpServers [case 104] has no tool of a server whose include is [], not even for its resources", async () => {
  const server = new MemoryServer([tool("a")]);
  server.capabilities = { tools: {}, resources: {} };
  await using test = await startHub({ srv: server }, { specs: { srv: { include: [] } } });
  assert.deepEqual(test.registry.getAllToolNames(), []);
  assert.equal(test.hub.servers()[0]!.state, "connected");
});
