import assert from "node:assert/strict";
import { Refresher } from "../../../mcp/catalogue/refresh.ts";
import { MemoryServer, startHub, tool, within } from "../_memory_server.ts";

Deno.test("Refresher.request() [case 98] schedules one look for many notifications, and one more for those that come meanwhile", async () => {
  let looks = 0;
  let begun = Promise.withResolvers<void>();
  let gate = Promise.withResolvers<void>();
  await using refresher = new Refresher({
    debounceMs: 1,
    onError: (error) => assert.fail(String(error)),
    refresh: async () => {
      looks++;
      begun.resolve();
      await gate.promise;
    },
  });
  for (let count = 0; count < 1_000; count++) refresher.request();
  await within(begun.promise, "no first look");
  assert.equal(looks, 1);
  begun = Promise.withResolvers();
  for (let count = 0; count < 1_000; count++) refresher.request();
  const first = gate;
  gate = Promise.withResolvers();
  first.resolve();
  await within(begun.promise, "no second look");
  assert.equal(looks, 2);
  gate.resolve();
  await refresher.now();
  assert.equal(looks, 2);
});

Deno.test("Refresher.request() reports what a look throws, and looks again when asked again", async () => {
  const errors: unknown[] = [];
  let heard = Promise.withResolvers<void>();
  await using refresher = new Refresher({
    debounceMs: 1,
    onError: (error) => {
      errors.push(error);
      heard.resolve();
    },
    refresh: () => Promise.reject(new Error("no list")),
  });
  for (let round = 1; round <= 2; round++) {
    heard = Promise.withResolvers();
    refresher.request();
    await within(heard.promise, "no error");
    assert.equal(errors.length, round);
  }
  await assert.rejects(refresher.now(), /no list/);
});

Deno.test("Refresher looks no more once it was disposed of", async () => {
  let looks = 0;
  const refresher = new Refresher({
    debounceMs: 1,
    onError: () => {},
    refresh: () => {
      looks++;
      return Promise.resolve();
    },
  });
  refresher.request();
  await refresher[Symbol.asyncDispose]();
  refresher.request();
  await refresher.now();
  assert.equal(looks, 0);
});

Deno.test("McpServers [case 98] look again at one notification of changed tools, and at no other message", async () => {
  const server = new MemoryServer([tool("a")]);
  server.capabilities = { tools: { listChanged: true }, resources: {}, logging: {} };
  await using test = await startHub({ srv: server });
  assert.equal(server.lists, 1);
  await server.send("notifications/resources/list_changed");
  await server.send("notifications/message", { level: "info", data: "hello" });
  server.tools = [tool("a"), tool("b")];
  const changed = test.changed();
  await server.notify();
  await server.notify();
  await changed;
  assert.equal(server.lists, 2);
  assert.ok(test.registry.getEntry("mcp__srv__b"));
});
