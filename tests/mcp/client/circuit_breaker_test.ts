import assert from "node:assert/strict";
import { CircuitBreaker } from "../../../mcp/client/circuit_breaker.ts";
import { FakeClock } from "../../registry/availability/_fake_clock.ts";

function opened(): { readonly breaker: CircuitBreaker; readonly clock: FakeClock } {
  const clock = new FakeClock();
  const breaker = new CircuitBreaker("x", clock);
  for (let call = 0; call < 3; call++) {
    breaker.enter();
    breaker.fail("unreachable");
  }
  return { breaker, clock };
}

Deno.test("CircuitBreaker [case 108] opens after 3 failures and lets one call try after 60 s", async () => {
  const { breaker, clock } = opened();
  assert.throws(() => breaker.enter(), {
    code: "unavailable",
    retryable: true,
    details: { retryAfterMs: 60_000 },
    message:
      'Server "x" could not be reached 3 times in a row, so nothing is sent to it for now. ' +
      "Try again in 60 s",
  });
  await clock.advance(59_999);
  assert.throws(() => breaker.enter(), { details: { retryAfterMs: 1 } });
  await clock.advance(1);
  breaker.enter();
  assert.throws(() => breaker.enter(), { message: /One call is trying it now$/ });
});

Deno.test("CircuitBreaker [case 108] closes when the one call succeeds", async () => {
  const { breaker, clock } = opened();
  await clock.advance(60_000);
  breaker.enter();
  breaker.succeed();
  breaker.enter();
  breaker.fail("rejected");
  breaker.enter();
});

Deno.test("CircuitBreaker opens for another 60 s when the one call fails", async () => {
  const { breaker, clock } = opened();
  await clock.advance(60_000);
  breaker.enter();
  breaker.fail("silent");
  await clock.advance(59_999);
  assert.throws(() => breaker.enter(), { message: /did not answer in time 4 times/ });
  await clock.advance(1);
  breaker.enter();
});

Deno.test("CircuitBreaker lets the next call try when the one call was called off", async () => {
  const { breaker, clock } = opened();
  await clock.advance(60_000);
  breaker.enter();
  breaker.abstain();
  breaker.enter();
});

Deno.test("CircuitBreaker counts only failures in a row, and says when calls were rejected", () => {
  const breaker = new CircuitBreaker("x", new FakeClock());
  breaker.fail("rejected");
  breaker.fail("rejected");
  breaker.succeed();
  breaker.fail("rejected");
  breaker.fail("rejected");
  breaker.enter();
  breaker.fail("rejected");
  assert.throws(() => breaker.enter(), { message: /rejected what it was asked 3 times in a row/ });
});
