import fc from "fast-check";
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import type { OptionTable } from "../../cli/command.ts";
import { type Token, tokenize } from "../../cli/tokens.ts";

const TABLE: OptionTable = {
  root: { type: "string", multiple: true, help: "" },
  file: { type: "string", short: "f", help: "" },
  quiet: { type: "boolean", short: "q", help: "" },
  json: { type: "boolean", help: "" },
};

const word = fc.oneof(
  fc.constantFrom("--root", "--root=a", "--root=", "--json", "--json=1", "-q", "-f", "-fx", "-qf"),
  fc.constantFrom("-qfx", "-xq", "-", "--", "", "a", "--odd", "--odd=1", "--=x", "--constructor"),
  fc.constantFrom("-q=1", "-f=1", "--root=a=b", "---", "-é", "--toString=2"),
);

/** What node:util makes of it, in our words. */
function byNode(words: readonly string[]): Token[] {
  const options = Object.fromEntries(
    Object.entries(TABLE).map((
      [name, { type, short }],
    ) => [name, { type, ...(short && { short }) }]),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.flatMap((token): Token[] => {
    if (token.kind === "option-terminator") return [];
    if (token.kind === "positional") return [{ kind: token.kind, value: token.value }];
    const { kind, name, rawName, value, inlineValue } = token;
    return [{ kind, name, rawName, value, inlineValue: inlineValue ?? false }];
  });
}

Deno.test("tokenize() takes a line apart as parseArgs of node:util does", () => {
  fc.assert(fc.property(fc.array(word, { maxLength: 6 }), (words) => {
    assert.deepEqual(tokenize(words, TABLE), byNode(words));
  }));
});

Deno.test("tokenize() gives letters one by one, the value to the one that takes it", () => {
  const option = { kind: "option", inlineValue: false, value: undefined };
  assert.deepEqual(tokenize(["-qfx", "y"], TABLE), [
    { ...option, name: "quiet", rawName: "-q" },
    { ...option, name: "file", rawName: "-f", value: "x", inlineValue: true },
    { kind: "positional", value: "y" },
  ]);
});
