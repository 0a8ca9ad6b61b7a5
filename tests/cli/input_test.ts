import assert from "node:assert/strict";
import type { Prompt } from "../../cli/approval.ts";
import { inputSurface, readField } from "../../cli/input.ts";
import { Output } from "../../cli/output.ts";
import type { ElicitRequest } from "../../core/context.ts";
import { MemorySink } from "./capture.ts";

const ORIGIN = { key: "k", callId: "c", tool: "ask", signal: new AbortController().signal };

function terminal(lines: readonly string[]): { output: Output; prompt: Prompt; sink: MemorySink } {
  const waiting = [...lines];
  const sink = new MemorySink(true);
  const output = new Output({ stdout: new MemorySink(false), stderr: sink });
  return {
    output,
    sink,
    prompt: { isTerminal: true, readLine: () => Promise.resolve(waiting.shift()) },
  };
}

const REQUEST: ElicitRequest = {
  message: "Who are \x1b[31myou?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name" },
      age: { type: "integer", description: "In years" },
      colour: { type: "string", enum: ["red", "green"], default: "green" },
    },
    required: ["name"],
  },
};

Deno.test("inputSurface() asks field by field, with everything harmless", async () => {
  const { output, prompt, sink } = terminal(["\n", "Ada\n", "old\n", "36\n", "\n"]);
  const answer = await inputSurface(output, prompt)!.elicit!(REQUEST, ORIGIN);
  assert.deepEqual(answer, {
    action: "accept",
    content: { name: "Ada", age: 36, colour: "green" },
  });
  assert.equal(
    sink.text,
    "ask asks: Who are \\u{1b}[31myou?\nAnswer? [Y/n] Your name (string): " +
      "age (integer; Enter to leave it out)\n  In years:   Expected a whole number\n" +
      "age (integer; Enter to leave it out)\n  In years: " +
      'colour (one of red, green; Enter for "green"): ',
  );
});

Deno.test("inputSurface() declines with no, and cancels at the end of the input and after three faults", async () => {
  const answers: [lines: string[], action: string][] = [
    [["n\n"], "decline"],
    [[], "cancel"],
    [["y\n"], "cancel"],
    [["y\n", "\n", "\n", "\n"], "cancel"],
  ];
  for (const [lines, action] of answers) {
    const { output, prompt } = terminal(lines);
    assert.deepEqual(await inputSurface(output, prompt)!.elicit!(REQUEST, ORIGIN), { action });
  }
});

Deno.test("inputSurface() asks one question at a time", async () => {
  const { output, prompt, sink } = terminal(["\n", "first\n", "n\n"]);
  const surface = inputSurface(output, prompt)!;
  const one = {
    message: "One",
    requestedSchema: { type: "object", properties: { a: { type: "string" } } },
  };
  const [first, second] = await Promise.all([
    surface.elicit!(one, ORIGIN),
    surface.elicit!({ ...one, message: "Two" }, ORIGIN),
  ]);
  assert.deepEqual([first, second], [{ action: "accept", content: { a: "first" } }, {
    action: "decline",
  }]);
  assert.ok(sink.text.indexOf("Two") > sink.text.indexOf("a (string"));
});

Deno.test("inputSurface() is none where nobody sits at a terminal", () => {
  const { output, prompt } = terminal([]);
  assert.equal(inputSurface(output, { ...prompt, isTerminal: false }), undefined);
});

Deno.test("readField() reads each kind of field", () => {
  const read = (line: string, schema: Record<string, unknown>) =>
    readField(line, schema as never, true);
  assert.deepEqual(read(" yes ", { type: "boolean" }), { value: true });
  assert.deepEqual(read("No", { type: "boolean" }), { value: false });
  assert.deepEqual(read("maybe", { type: "boolean" }), { fault: "Expected yes or no" });
  assert.deepEqual(read("2.5", { type: "number" }), { value: 2.5 });
  assert.deepEqual(read("2.5", { type: "integer" }), { fault: "Expected a whole number" });
  assert.deepEqual(read(" as it is ", { type: "string" }), { value: " as it is " });
  const several = { type: "array", items: { anyOf: [{ const: "a", title: "A" }, { const: "b" }] } };
  assert.deepEqual(read("a, b", several), { value: ["a", "b"] });
  assert.deepEqual(read("a, c", several), { fault: '"c" is not one of them' });
  assert.deepEqual(read("x", { type: "string", oneOf: [{ const: "y" }] }), {
    fault: '"x" is not one of them',
  });
});
