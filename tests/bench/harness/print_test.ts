import assert from "node:assert/strict";
import { showFigure, showRow } from "../../../bench/harness/print.ts";

Deno.test("showFigure() picks the size that reads best", () => {
  assert.equal(showFigure(0.0000123, "ms"), "12.3 ns");
  assert.equal(showFigure(0.0342, "ms"), "34.2 µs");
  assert.equal(showFigure(1234.5, "ms"), "1235 ms");
  assert.equal(showFigure(700, "bytes"), "700 B");
  assert.equal(showFigure(1536, "bytes"), "1.5 kB");
  assert.equal(showFigure(2 ** 20 * 3, "bytes"), "3 MB");
  assert.equal(showFigure(24_000, "calls/s"), "24000 calls/s");
});

Deno.test("showRow() prints verdict, ratio, target, median and p99 of both sides", () => {
  const part = {
    name: "a)",
    unit: "ms",
    ours: { p50: 3, p99: 4 },
    peer: { p50: 2, p99: 9 },
    runs: [1.5, 1.4],
    value: 1.5,
    target: { kind: "at most", limit: 1.2 },
    ok: false,
  } as const;
  assert.equal(
    showRow({ id: "P9", title: "a call", peer: "a peer", parts: [part] }),
    "P9  a call | a peer\n" +
      "  MISS  a): 1.5x  [1.5, 1.4], target <= 1.2x; ours 3 ms (p99 4 ms), peer 2 ms (p99 9 ms)",
  );
});

Deno.test("showRow() prints a part's detail beside a miss, and only there", () => {
  const part = {
    name: "calls",
    unit: "faults",
    ours: { p50: 1, p99: 1 },
    runs: [1],
    value: 1,
    target: { kind: "at most", limit: 0 },
    ok: false,
    detail: "call 76: tool_out_of_memory",
  } as const;
  const row = { id: "P21", title: "tables", peer: "-" };
  assert.match(showRow({ ...row, parts: [part] }), /MISS.*\n {10}call 76: tool_out_of_memory$/);
  assert.doesNotMatch(showRow({ ...row, parts: [{ ...part, ok: true }] }), /call 76/);
});

Deno.test("showRow() says why a row was skipped or could not be measured", () => {
  const row = { id: "P1", title: "a scan", peer: "python", parts: [] };
  assert.match(showRow({ ...row, skipped: "python3 is not there" }), /\n {2}skip {2}python3/);
  assert.match(showRow({ ...row, failed: "it broke" }), /\n {2}MISS {2}could not be measured: it/);
});
