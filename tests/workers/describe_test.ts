import assert from "node:assert/strict";
import type { ToolRegistration } from "../../core/registration.ts";
import { describeRegistration } from "../../workers/describe.ts";

function registration(more: object = {}): ToolRegistration {
  return {
    name: "alpha",
    toolset: "text",
    description: "The first.",
    schema: { type: "object" },
    handler: () => "",
    ...more,
  } as ToolRegistration;
}

const PLAIN = {
  name: "alpha",
  toolset: "text",
  description: "The first.",
  schema: { type: "object" },
};

Deno.test("describeRegistration() gives the fields as plain data, without the handler", () => {
  const more = {
    emoji: "🅰",
    permissions: { read: ["$WORKSPACE"] },
    requiresEnv: ["A", ["B", "C"]],
    timeoutMs: 5000,
    annotations: { readOnlyHint: true },
  };
  assert.deepEqual(describeRegistration(registration(more), {}), { ...PLAIN, ...more });
});

Deno.test("describeRegistration() says of functions only that they are there", () => {
  const functions = { checkFn: () => true, dynamicSchemaOverrides: () => ({}) };
  assert.deepEqual(describeRegistration(registration(functions), {}), {
    ...PLAIN,
    hasCheckFn: true,
    hasDynamicSchema: true,
  });
});

Deno.test("describeRegistration() [case 8] tells which tools have the very same check", () => {
  const checkFn = () => true;
  const described = ["alpha", "beta", "alpha"].map((name) =>
    describeRegistration(registration({ name, checkFn }), {})
  );
  const checked = { ...PLAIN, hasCheckFn: true };
  assert.deepEqual(described, [
    checked,
    { ...checked, name: "beta", sharesCheckOf: "alpha" },
    checked,
  ]);
});

Deno.test("describeRegistration() writes no limit as a word that JSON can carry", () => {
  assert.deepEqual(describeRegistration(registration({ maxResultSizeChars: Infinity }), {}), {
    ...PLAIN,
    maxResultSizeChars: "unlimited",
  });
});

Deno.test("describeRegistration() keeps the name of a field that holds a stray function", () => {
  assert.deepEqual(describeRegistration(registration({ execute: () => "" }), {}), {
    ...PLAIN,
    execute: null,
  });
});

Deno.test("describeRegistration() carries the wish to override", () => {
  const described = describeRegistration(registration(), { override: true });
  assert.deepEqual(described, { ...PLAIN, override: true });
  assert.deepEqual(describeRegistration(registration(), { override: false }), PLAIN);
});

Deno.test("describeRegistration() asks a Standard Schema for its JSON Schema, each side for its own", () => {
  const schema = {
    "~standard": {
      version: 1,
      vendor: "fixture",
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => ({ type: "object", title: "in" }),
        output: () => ({ type: "object", title: "out" }),
      },
    },
  };
  assert.deepEqual(describeRegistration(registration({ schema, outputSchema: schema }), {}), {
    hasOwnCheck: true,
    ...PLAIN,
    schema: { type: "object", title: "in" },
    outputSchema: { type: "object", title: "out" },
  });
});

Deno.test("describeRegistration() throws when there is no handler, or a schema that cannot be described", () => {
  assert.throws(() => describeRegistration(registration({ handler: "alpha()" }), {}), {
    name: "TypeError",
    message: 'Cannot register "alpha": "handler" must be a function',
  });
  const silent = { "~standard": { version: 1, vendor: "mute", validate: () => ({ value: 1 }) } };
  assert.throws(
    () => describeRegistration(registration({ schema: silent }), {}),
    /Cannot describe the mute schema as JSON Schema/,
  );
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  assert.throws(() => describeRegistration(registration({ annotations: circle }), {}), TypeError);
});
