import assert from "node:assert/strict";
import { type CallPool, LazyPool } from "../../runtime/lazy_pool.ts";

type Request = Parameters<CallPool["run"]>[0];

const REQUEST = {} as Request;

/** A pool that notes what it is asked. */
function noting() {
  const asked: string[] = [];
  const answer = (what: string) => (): Promise<never> => {
    asked.push(what);
    return Promise.resolve(what as never);
  };
  const pool: CallPool = {
    run: answer("run"),
    describe: answer("describe"),
    load: answer("load"),
    check: answer("check"),
    override: answer("override"),
    apartBecause: () => undefined,
    close: answer("close"),
  };
  const lazy = new LazyPool(() => {
    asked.push("open");
    return Promise.resolve(pool);
  });
  return { asked, lazy };
}

Deno.test("LazyPool makes its pool with the first call, and once", async () => {
  const { asked, lazy } = noting();
  assert.deepEqual(asked, []);
  const both = await Promise.all([lazy.run(REQUEST), lazy.run(REQUEST)]);
  assert.deepEqual(both as unknown[], ["run", "run"]);
  await lazy.run(REQUEST);
  assert.deepEqual(asked, ["open", "run", "run", "run"]);
});

Deno.test("LazyPool makes its pool for a check, a description and a load too", async () => {
  const first = noting();
  const order = { module: { url: "file:///tool.ts" } };
  await first.lazy.check(...[order] as unknown as Parameters<CallPool["check"]>);
  assert.deepEqual(first.asked, ["open", "check"]);
  const second = noting();
  await second.lazy.describe(...[] as unknown as Parameters<CallPool["describe"]>);
  assert.deepEqual(second.asked, ["open", "describe"]);
  const third = noting();
  await third.lazy.load(...[] as unknown as Parameters<CallPool["load"]>);
  assert.deepEqual(third.asked, ["open", "load"]);
});

Deno.test("LazyPool.close() makes no pool, and one that is made later is closed", async () => {
  const { asked, lazy } = noting();
  await lazy.close();
  assert.deepEqual(asked, []);
  await lazy.run(REQUEST);
  assert.deepEqual(asked, ["open", "close", "run"]);
});

Deno.test("LazyPool.close() closes a pool that is being made", async () => {
  const { asked, lazy } = noting();
  const running = lazy.run(REQUEST);
  await lazy.close();
  await running;
  assert.ok(asked.includes("close"));
});
