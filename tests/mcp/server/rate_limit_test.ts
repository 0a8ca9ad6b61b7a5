import assert from "node:assert/strict";
import { RateLimiter } from "../../../mcp/server/rate_limit.ts";

Deno.test("RateLimiter.take() lets a burst through, then says how long to wait, for each principal", () => {
  let now = 0;
  const limiter = new RateLimiter({ perSecond: 10, burst: 3 }, () => now);
  assert.deepEqual([1, 2, 3].map(() => limiter.take("a")), [0, 0, 0]);
  assert.equal(limiter.take("a"), 100);
  assert.equal(limiter.take("b"), 0, "another has a bucket of its own");
  now = 99;
  assert.ok(limiter.take("a") > 0);
  now = 100;
  assert.equal(limiter.take("a"), 0);
  assert.equal(limiter.take("a"), 100);
  now = 10_000;
  assert.deepEqual([1, 2, 3, 4].map(() => limiter.take("a") > 0), [false, false, false, true]);
});

Deno.test("RateLimiter.take() counts a batch as many, up to a full bucket", () => {
  let now = 0;
  const limiter = new RateLimiter({ perSecond: 10, burst: 3 }, () => now);
  assert.equal(limiter.take("a", 100), 0);
  assert.equal(limiter.take("a", 2), 200);
  now = 200;
  assert.equal(limiter.take("a", 2), 0);
});

Deno.test("RateLimiter.take() remembers a bounded number of principals", () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, () => 0);
  assert.equal(limiter.take("first"), 0);
  assert.ok(limiter.take("first") > 0);
  for (let index = 0; index < 1_024; index++) limiter.take(`p${index}`);
  assert.equal(limiter.take("first"), 0, "forgotten, so its bucket is full again");
});
