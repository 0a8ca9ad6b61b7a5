import assert from "node:assert/strict";
import { PacedSender } from "../../../mcp/server/paced_sender.ts";
import { within } from "./_server.ts";

Deno.test("PacedSender.report() sends ten at once, then only the newest of what waits", async () => {
  const sent: number[] = [];
  const more = Promise.withResolvers<void>();
  const sender = new PacedSender<number>((report) => {
    if (sent.push(report) === 11) more.resolve();
    return Promise.resolve();
  });
  for (let index = 0; index < 100; index++) sender.report(index);
  assert.deepEqual(sent, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await within(more.promise, "the eleventh");
  assert.equal(sent[10], 99);
  sender.finish();
});

Deno.test("PacedSender.finish() sends what waits, and nothing after", () => {
  const sent: number[] = [];
  const sender = new PacedSender<number>((report) => {
    sent.push(report);
    return Promise.reject(new Error("The client is gone"));
  });
  for (let index = 0; index < 20; index++) sender.report(index);
  sender.finish();
  sender.finish();
  sender.report(21);
  assert.equal(sent.length, 11);
  assert.equal(sent.at(-1), 19);
});
