import assert from "node:assert/strict";
import { ListChanges } from "../../../mcp/server/list_changes.ts";
import { ToolCatalogue } from "../../../mcp/server/tool_catalogue.ts";
import { textOfList } from "../../../mcp/server/json_text.ts";
import {
  callTool,
  connect,
  ERAS,
  post,
  type ServedRuntime,
  serveHttp,
  startTools,
  within,
} from "./_server.ts";

function addTool(test: ServedRuntime, name: string): void {
  test.registry.register({
    name,
    toolset: "tests",
    description: "One more.",
    schema: { type: "object" },
    handler: () => name,
  });
}

Deno.test("ToolCatalogue.page() walks all tools in the order of their names, each once", async () => {
  await using test = await startTools();
  const all = (await new ToolCatalogue(test.runtime, 1_000).page()).tools.map(({ name }) => name);
  assert.deepEqual(all, all.toSorted());
  const paged = new ToolCatalogue(test.runtime, 4);
  const names: string[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await paged.page(cursor);
    assert.ok(page.tools.length <= 4);
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined);
  assert.deepEqual(names, all);
  assert.equal(pages, Math.ceil(all.length / 4));
});

Deno.test("ToolCatalogue.page() goes on behind the same name when the table changed in between", async () => {
  await using test = await startTools();
  const catalogue = new ToolCatalogue(test.runtime, 3);
  const first = await catalogue.page();
  const before = await catalogue.page(first.nextCursor);
  addTool(test, "aaa");
  addTool(test, `${first.tools.at(-1)!.name}_next`);
  const after = await catalogue.page(first.nextCursor);
  assert.equal(after.tools[0]?.name, `${first.tools.at(-1)!.name}_next`);
  assert.equal(after.tools[1]?.name, before.tools[0]?.name);
});

Deno.test("ToolCatalogue.page() refuses cursors that it never gave [A23]", async () => {
  await using test = await startTools();
  const catalogue = new ToolCatalogue(test.runtime, 3);
  const future = btoa("1:99999:echo").replaceAll("=", "");
  for (const cursor of ["", "x", "!", btoa("1:0:"), btoa("2:0:echo"), future, "A".repeat(10_000)]) {
    await assert.rejects(catalogue.page(cursor), { code: -32602 }, cursor);
  }
});

Deno.test("ToolCatalogue keeps the list and its text while nothing changes, and makes both anew when something does", async () => {
  await using test = await startTools();
  const catalogue = new ToolCatalogue(test.runtime, 1_000);
  const first = await catalogue.page();
  const second = await catalogue.page();
  assert.equal(first.tools, second.tools);
  assert.ok(Object.isFrozen(first.tools));
  addTool(test, "newcomer");
  const third = await catalogue.page();
  assert.notEqual(third.tools, first.tools);
  assert.ok(third.tools.some(({ name }) => name === "newcomer"));
  assert.equal(await catalogue.text(), textOfList(third.tools));
});

for (const era of ERAS) {
  Deno.test(`tools/list gives a client of ${era} every page, and refuses a wrong cursor`, async () => {
    await using test = await startTools();
    await using served = serveHttp(test, { pageSize: 3 });
    await using client = await connect(served.url, era);
    const { tools } = await client.listTools();
    const whole = await new ToolCatalogue(test.runtime, 1_000).page();
    assert.deepEqual(tools.map(({ name }) => name), whole.tools.map(({ name }) => name));
    await assert.rejects(client.listTools({ cursor: "nonsense" }), { code: -32602 });
  });
}

Deno.test("ListChanges.on() says that a change was undone when somebody listed in between", async () => {
  await using test = await startTools();
  const catalogue = new ToolCatalogue(test.runtime, 1_000);
  using changes = new ListChanges({
    runtime: test.runtime,
    catalogue,
    onFault: (message) => assert.fail(message),
  });
  changes.on(() => {});
  const next = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = changes.on(() => {
      stop();
      resolve();
    });
    return within(promise, "the notice");
  };
  const names = async () => (await catalogue.page()).tools.map(({ name }) => name);
  const announced = next();
  addTool(test, "stays");
  await announced;
  const undone = next();
  addTool(test, "goes");
  assert.ok((await names()).includes("goes"));
  test.registry.deregister("goes", { owner: "program" });
  await undone;
  assert.ok(!(await names()).includes("goes"));
});

Deno.test("ToolCatalogue.takeGiven() tells the lists that were given, each once", async () => {
  await using test = await startTools();
  const catalogue = new ToolCatalogue(test.runtime, 4);
  const first = await catalogue.text();
  assert.deepEqual(catalogue.takeGiven(), []);
  const { nextCursor } = await catalogue.page();
  await catalogue.page(nextCursor);
  addTool(test, "newcomer");
  await catalogue.page();
  const second = await catalogue.text();
  assert.notEqual(second, first);
  assert.deepEqual(catalogue.takeGiven(), [first, second]);
  assert.deepEqual(catalogue.takeGiven(), []);
});

Deno.test("tools/list says how long the list holds and for whom, alike on every page", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { pageSize: 5 });
  const first = await post({ url: served.url, method: "tools/list" });
  const { ttlMs, cacheScope, nextCursor } = first.body.result;
  assert.equal(ttlMs, 5_000);
  assert.equal(cacheScope, "private");
  const second = await post({
    url: served.url,
    method: "tools/list",
    params: { cursor: nextCursor },
  });
  assert.equal(second.body.result.ttlMs, ttlMs);
  assert.equal(second.body.result.cacheScope, cacheScope);
});

Deno.test("tools/list offers read_result from the start where no tool reads files, and nowhere else", async () => {
  await using without = await startTools();
  const names = async (test: ServedRuntime) =>
    (await new ToolCatalogue(test.runtime, 1_000).page()).tools.map(({ name }) => name);
  assert.ok((await names(without)).includes("read_result"));
  await using withFiles = await startTools({ builtins: true });
  const builtin = await names(withFiles);
  assert.ok(builtin.includes("read_file"));
  assert.ok(!builtin.includes("read_result"));
});

Deno.test("ToolCatalogue.find() knows tools by their listed names, and nothing that is none", async () => {
  await using test = await startTools();
  const catalogue = new ToolCatalogue(test.runtime, 1_000);
  assert.equal((await catalogue.find("fails"))?.definition?.name, "fails");
  assert.equal(await catalogue.find("__proto__"), undefined);
  assert.equal(await catalogue.find("no_such_tool"), undefined);
  addTool(test, "fresh");
  assert.equal((await catalogue.find("fresh"))?.name, "fresh");
});

Deno.test("tools/call does not know tools that the configuration leaves out", async () => {
  await using test = await startTools({ config: { disabledToolsets: ["tests"] } });
  await using served = serveHttp(test);
  const listed = await post({ url: served.url, method: "tools/list" });
  assert.deepEqual(listed.body.result.tools.map(({ name }: { name: string }) => name), [
    "read_result",
  ]);
  const { body } = await callTool(served.url, "echo", { text: "a" });
  assert.equal(body.error.code, -32602);
  assert.match(body.error.message, /Tool "echo" is not enabled/);
  assert.equal(test.probe.runs.size, 0);
});

Deno.test("tools/call says why a tool that is held back cannot be used", async () => {
  await using test = await startTools();
  test.registry.register({
    name: "needs_key",
    toolset: "tests",
    description: "Needs a key.",
    schema: { type: "object" },
    requiresEnv: ["CLOISTER_TEST_NO_SUCH_KEY"],
    handler: () => "ran",
  });
  await using served = serveHttp(test);
  const { body } = await callTool(served.url, "needs_key");
  assert.equal(body.result.isError, true);
  assert.match(body.result.content[0].text, /CLOISTER_TEST_NO_SUCH_KEY/);
});
