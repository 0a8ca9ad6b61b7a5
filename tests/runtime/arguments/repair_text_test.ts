import assert from "node:assert/strict";
import fc from "fast-check";
import { countKeys, countWrittenKeys } from "../../../runtime/arguments/count_keys.ts";
import { repairText } from "../../../runtime/arguments/repair_text.ts";
import { issueOf, one, prepared } from "./_prepare.ts";

async function repaired(text: string): Promise<unknown> {
  const result = await repairText(text);
  assert.ok(result.ok, `${text}: ${JSON.stringify(result)}`);
  return JSON.parse(result.text);
}

async function reasonOf(text: string): Promise<string> {
  const result = await repairText(text);
  assert.ok(!result.ok, `${text}: ${JSON.stringify(result)}`);
  return result.reason;
}

Deno.test("repairText() takes off fences and words around one object", async () => {
  const value = { a: "```", b: [1] };
  const text = JSON.stringify(value);
  for (
    const wrapped of [
      `\`\`\`json\n${text}\n\`\`\``,
      `\`\`\`\n${text}\n\`\`\`\n`,
      `Here is the call:\n\`\`\`json\n${text}\n\`\`\`\nDone.`,
      `arguments = ${text};`,
      `\uFEFF${text}`,
    ]
  ) {
    assert.deepEqual(await repaired(wrapped), value);
  }
});

Deno.test("repairText() puts right how a value is written", async () => {
  const cases: [text: string, value: unknown][] = [
    ['{"a":1,}', { a: 1 }],
    ['{"a":[1,2,],}', { a: [1, 2] }],
    ["{'a':'it is \"b\"'}", { a: 'it is "b"' }],
    ['{a: 1, "b-c": 2}', { a: 1, "b-c": 2 }],
    ['{"a":True,"b":None,"c":False}', { a: true, b: null, c: false }],
    ['{"a":"two\nlines\tand a tab"}', { a: "two\nlines\tand a tab" }],
    ['{"a":1 /* one */, // rest\n"b":2}', { a: 1, b: 2 }],
    ['{"a":1\n"b":2}', { a: 1, b: 2 }],
    ["{\u201Ca\u201D:\u201Cb\u201D}", { a: "b" }],
  ];
  for (const [text, value] of cases) assert.deepEqual(await repaired(text), value, text);
});

Deno.test("repairText() [case 120] refuses a text that was cut off", async () => {
  for (const text of ['{"a":', "{", '{"a":"b', '{"a":[1,2', '{"a":{"b":1}', '```json\n{"a":1,']) {
    assert.match(await reasonOf(text), /cut off; nothing was done/);
  }
});

Deno.test("repairText() refuses what would have to be guessed", async () => {
  const bad = [
    '{"a":"x"y"z"}',
    '{"a":hello}',
    '{"a":undefined}',
    '{"a":NaN}',
    '{"a":007}',
    '{"a":1.}',
    '{"a":-}',
    '{"a":[1 2]}',
    '{"a":[1,...]}',
    '{"a":[1,,2]}',
    '{"a":"b" + "c"}',
    '{"a":1}}',
    '{"a":1} {"b":2}',
    '[{"a":1}',
    '{"a":[1}',
    "{'a':'it's'}",
    '{"a":"C:\\dir"}',
    "hello",
    "",
  ];
  for (const text of bad) assert.ok((await reasonOf(text)).length > 0);
});

function letters(source: string): string {
  return (source.match(/[\p{L}\p{N}]+/gu) ?? []).join("");
}

function numbersAsWritten(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" ? source : value;
}

/** Every key and value, in the order of the text. */
function saidBy(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value).map(([key, item]) =>
    `${Array.isArray(value) ? "" : key} ${saidBy(item)}`
  ).join(" ");
}

Deno.test("repairText() never changes what a text says", async () => {
  const edit = fc.tuple(
    fc.nat(),
    fc.constantFrom("", ",", '"', "'", "}", "]", "\n", "\\", " ", ":"),
    fc.nat(2),
  );
  let read = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      edit,
      async (value, [at, put, cut]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        const result = await repairText(text.slice(0, place) + put + text.slice(place + cut));
        if (!result.ok) return;
        read++;
        // Escapes aside, every letter and digit comes through in its order.
        if (text.includes("\\") || put === "\\") return;
        const damaged = text.slice(0, place) + put + text.slice(place + cut);
        const source: unknown = JSON.parse(result.text, numbersAsWritten as never);
        // Twice the same key is for the reader of the arguments to refuse.
        if (countWrittenKeys(result.text) !== countKeys(source)) return;
        assert.equal(letters(saidBy(source)), letters(damaged));
      },
    ),
    { numRuns: 2_000 },
  );
  console.error(`repaired or read ${read} of 2000 damaged texts`);
});

Deno.test("prepareArguments() repairs, then fills, coerces and checks like any text", async () => {
  const schema = one({ type: "integer" }, { additionalProperties: false });
  assert.deepEqual(await prepared(schema, "```json\n{'value': '5',}\n```"), { value: 5 });
  assert.match(await issueOf(schema, "{'value': 12345678901234567890,}"), /cannot be held exactly/);
  assert.match(await issueOf(schema, "{'value': 1, 'value': 2}"), /written twice/);
  assert.match(await issueOf(schema, "{'other': 1}"), /not a known parameter/);
});

Deno.test("prepareArguments() [case 120] never runs a cut-off text as an empty object", async () => {
  const schema = { type: "object", properties: { path: { type: "string" } } };
  for (const text of ['{"path":', '{"path', "{", "", "   "]) {
    const issue = await issueOf(schema, text);
    assert.match(issue, /^: expected the text of a JSON object/);
  }
  assert.match(await issueOf(schema, '{"path":'), /It was not repaired: it ends before its object/);
  // A tool without parameters can be called without a text.
  assert.deepEqual(await prepared({ type: "object" }, ""), {});
});
