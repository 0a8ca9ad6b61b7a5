import assert from "node:assert/strict";
import { styleText } from "node:util";
import { neutralise, neutraliseJson, neutraliseLine } from "../../core/neutralise.ts";
import { Output } from "../../cli/output.ts";
import { captured, MemorySink } from "./capture.ts";

Deno.test("neutralise() shows what steers a terminal, turns text or cannot be seen", () => {
  assert.equal(neutralise("a\x1b[31mred\x07"), "a\\u{1b}[31mred\\u{7}");
  assert.equal(neutralise("\x9b2J\x7f"), "\\u{9b}2J\\u{7f}");
  assert.equal(neutralise("over\rwritten"), "over\\u{d}written");
  assert.equal(neutralise("a\u202eb\u2066c\u200fd"), "a\\u{202e}b\\u{2066}c\\u{200f}d");
  assert.equal(neutralise("zero\u200bwidth\ufeff\u00ad"), "zero\\u{200b}width\\u{feff}\\u{ad}");
  assert.equal(neutralise("tag\u{e0041}"), "tag\\u{e0041}");
  assert.equal(neutralise("lone\ud800"), "lone\\u{d800}");
});

Deno.test("neutralise() leaves ordinary text alone", () => {
  const text = "Grüße, 日本語, שלום\n\t🔢 👩\u200d💻 ❤\ufe0f";
  assert.equal(neutralise(text), text);
  assert.equal(neutralise("a\u200db"), "a\\u{200d}b");
  assert.equal(neutraliseLine("a\nb\tc"), "a\\nb\\tc");
});

Deno.test("neutraliseJson() keeps the value", () => {
  const value = { "k\u200b": "a\x7f\u202e\u{e0041}\ud800 é" };
  const text = neutraliseJson(JSON.stringify(value, undefined, 2));
  assert.deepEqual(JSON.parse(text), value);
  assert.match(text, /^[\n\x20-\x7eé]*$/);
});

Deno.test("Output prints results to stdout and the rest to stderr, whole", () => {
  const { output, stdout, stderr } = captured();
  output.line("result ü");
  output.value({ a: 1 }, 0);
  output.error("bad \x1b[2J");
  output.warn("careful");
  output.info("by the way");
  assert.equal(stdout.text, 'result ü\n{"a":1}\n');
  assert.equal(stderr.text, "error: bad \\u{1b}[2J\nwarning: careful\nby the way\n");
});

Deno.test("Output.quiet keeps results and errors", () => {
  const { output, stdout, stderr } = captured({ quiet: true });
  output.line("result");
  output.warn("careful");
  output.info("by the way");
  output.error("bad");
  assert.deepEqual([stdout.text, stderr.text], ["result\n", "error: bad\n"]);
});

Deno.test("Output.style() colours on a terminal only, and never with noColor", () => {
  assert.equal(captured().output.style("red", "x"), "x");
  assert.equal(captured({ terminal: true }).output.style("red", "x"), "\x1b[31mx\x1b[39m");
  assert.equal(captured({ terminal: true, noColor: true }).output.style("red", "x"), "x");
});

Deno.test("Output.style() writes what styleText of node:util does", () => {
  for (const style of ["bold", "dim", "red", "green", "yellow", "cyan"] as const) {
    assert.equal(
      captured({ terminal: true }).output.style(style, "x"),
      styleText(style, "x", { validateStream: false }),
    );
  }
});

Deno.test("Output.foreign() is exact in a pipe and harmless on a terminal", () => {
  const pipe = captured();
  pipe.output.foreign("a\x1b[2Jb\n");
  assert.equal(pipe.stdout.text, "a\x1b[2Jb\n");
  const terminal = captured({ terminal: true });
  terminal.output.foreign("a\x1b[2Jb");
  assert.equal(terminal.stdout.text, "a\\u{1b}[2Jb\n");
});

Deno.test("Output ends quietly when the reader goes away", () => {
  const stdout = new MemorySink();
  let writes = 0;
  stdout.writeSync = () => {
    writes++;
    throw new Deno.errors.BrokenPipe();
  };
  const output = new Output({ stdout, stderr: new MemorySink() });
  output.line("a");
  output.line("b");
  assert.equal(writes, 1);
  assert.ok(output.closed.aborted);
});
