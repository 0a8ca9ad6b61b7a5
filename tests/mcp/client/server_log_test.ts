import assert from "node:assert/strict";
import { ServerLog } from "../../../mcp/client/server_log.ts";
import { FakeClock } from "../../registry/availability/_fake_clock.ts";

function open(): { readonly log: ServerLog; readonly clock: FakeClock; readonly lines: string[] } {
  const clock = new FakeClock();
  const lines: string[] = [];
  const listener = {
    onToolsChanged: () => {},
    onState: () => {},
    onLog: (level: string, message: string) => void lines.push(`${level}: ${message}`),
  };
  return { log: new ServerLog(listener, clock), clock, lines };
}

Deno.test("ServerLog.relay() [A12] writes plain, short lines without secrets", () => {
  const { log, lines } = open();
  log.relay("info", "\u001b]0;x\u0007a\u202eb\u{e0041} token=abcdef123456\nnext");
  log.relay("info", "x".repeat(5_000));
  log.relay("info", "\u200b\n");
  assert.deepEqual(lines, [
    "info: ab token=[redacted] next",
    `info: ${"x".repeat(1_999)}…`,
  ]);
});

Deno.test("ServerLog.relay() lets 200 lines in 10 s through, and counts the others", async () => {
  const { log, clock, lines } = open();
  for (let line = 0; line < 1_000; line++) log.relay("info", `line ${line}`);
  assert.equal(lines.length, 200);
  await clock.advance(10_000);
  log.relay("info", "later");
  assert.deepEqual(lines.slice(200), [
    "warning: 800 lines of the server were left out",
    "info: later",
  ]);
});

Deno.test("ServerLog.write() survives a listener that throws", () => {
  const listener = {
    onToolsChanged: () => {},
    onState: () => {},
    onLog: () => {
      throw new Error("broken");
    },
  };
  new ServerLog(listener, new FakeClock()).write("info", "x");
});
