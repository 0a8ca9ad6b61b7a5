import assert from "node:assert/strict";
import { leaveOutNulls } from "../../../runtime/arguments/leave_out_nulls.ts";
import { tool } from "../../registry/table_support.ts";
import { startRuntime } from "../_runtime.ts";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer" },
    note: { type: ["string", "null"] },
    how: { enum: ["a", "b"] },
    mark: { enum: ["a", null] },
    any: {},
    where: { $ref: "#/$defs/place" },
    list: { type: "array", items: { anyOf: [{ $ref: "#/$defs/place" }, { type: "string" }] } },
  },
  required: ["path"],
  $defs: { place: { type: "object", properties: { line: { type: "integer" } } } },
};

Deno.test("leaveOutNulls() leaves out optional properties that take no null, at every depth", () => {
  const args = { path: "p", limit: null, how: null, where: { line: null }, list: [{ line: null }] };
  const kept = { path: "p", where: {}, list: [{}] };
  assert.deepEqual(leaveOutNulls(SCHEMA, args), kept);
  assert.deepEqual(leaveOutNulls(SCHEMA, JSON.stringify(args)), kept);
  assert.equal(args.limit, null);
});

Deno.test("leaveOutNulls() keeps a null that means something, or that nobody knows", () => {
  const args = { path: null, note: null, mark: null, any: null, unknown: null, list: ["x"] };
  assert.deepEqual(leaveOutNulls(SCHEMA, args), args);
  for (const text of ["", "{", "[null]", "null"]) assert.equal(leaveOutNulls(SCHEMA, text), text);
});

Deno.test("Runtime.dispatch() takes what a model in strict mode sends, when it is told so", async () => {
  await using test = await startRuntime();
  const { runtime } = test;
  const schema = {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "integer" } },
    required: ["a"],
  };
  runtime.registry.register(tool("says", { schema, handler: (args) => JSON.stringify(args) }));
  const { tools } = await runtime.getDefinitions({}, { dialect: "openai-strict" });
  assert.deepEqual(tools[0]!.function.parameters.required, ["a", "b"]);
  const sent = { a: "x", b: null };
  const options = { dialect: "openai-strict" } as const;
  assert.equal((await runtime.dispatch("says", sent, options)).content, '{"a":"x"}');
  assert.equal(
    (await runtime.dispatch("says", JSON.stringify(sent), options)).content,
    '{"a":"x"}',
  );
  assert.equal((await runtime.dispatch("says", sent)).error?.code, "invalid_arguments");
  using session = runtime.session({ toolsets: ["text"] });
  assert.equal((await session.dispatch("says", sent, options)).content, '{"a":"x"}');
});
