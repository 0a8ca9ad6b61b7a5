import assert from "node:assert/strict";
import type { JsonSchema } from "../../../core/json.ts";
import type { Dialect } from "../../../registry/dialects/definition_types.ts";
import { projectSchema } from "../../../registry/dialects/project_schema.ts";

/** What became of a schema: the schema and the places of its losses. */
function project(schema: JsonSchema, dialect: Dialect): readonly [JsonSchema, readonly string[]] {
  const projection = projectSchema(schema, dialect);
  assert.ok(projection.ok, projection.ok ? "" : projection.reason);
  return [projection.schema, projection.losses.map(({ path }) => path)];
}

function reasonOf(schema: JsonSchema, dialect: Dialect): string {
  const projection = projectSchema(schema, dialect);
  return projection.ok ? "" : projection.reason;
}

function object(properties: JsonSchema["properties"], more: JsonSchema = {}): JsonSchema {
  return { type: "object", properties, ...more };
}

Deno.test("projectSchema() gives mcp the very schema that was registered", () => {
  const schema = { type: "object", anyOf: [{ $ref: "https://example.org/far.json" }] };
  const projection = projectSchema(schema, "mcp");
  assert.ok(projection.ok);
  assert.equal(projection.schema, schema);
  assert.deepEqual(projection.losses, []);
});

Deno.test("projectSchema() keeps for openai and anthropic whatever needs no change", () => {
  const schema = object({
    kind: { enum: ["a", 1, null], default: "a" },
    size: { type: ["integer", "null"], exclusiveMinimum: 0, multipleOf: 2 },
    when: { type: "string", format: "date", pattern: "^2", minLength: 1 },
    any: {},
    either: { oneOf: [{ type: "string" }, { not: { type: "string" } }] },
    map: { type: "object", patternProperties: { "^x": { type: "number" } } },
  }, { required: ["kind"], additionalProperties: false });
  assert.deepEqual(project(schema, "openai"), [schema, []]);
  assert.deepEqual(project(schema, "anthropic"), [schema, []]);
});

Deno.test("projectSchema() writes out references, with the words beside them", () => {
  const schema = object({
    from: { $ref: "#/$defs/place", description: "Where from." },
    to: { $ref: "#place" },
    near: { $ref: "#/$defs/a~1b/properties/x%20y" },
    size: { $ref: "#/$defs/size", maximum: 5 },
  }, {
    $defs: {
      place: { $anchor: "place", type: "string", description: "A place." },
      "a/b": { properties: { "x y": { type: "boolean" } } },
      size: { type: "integer", minimum: 1, maximum: 9 },
    },
  });
  assert.deepEqual(project(schema, "openai"), [
    object({
      from: { type: "string", description: "Where from." },
      to: { type: "string", description: "A place." },
      near: { type: "boolean" },
      size: { type: "integer", minimum: 1, maximum: 5 },
    }),
    [],
  ]);
});

Deno.test("projectSchema() keeps what is unevaluated beside a reference to what that evaluates", () => {
  const [b, c] = [{ properties: { b: {} } }, { properties: { c: {} } }];
  const closed = { unevaluatedProperties: false, allOf: [c] };
  const schema = object({ a: { $ref: "#/$defs/b", ...closed } }, { $defs: { b } });
  // { a: { b: 1, c: 1 } } is accepted, so no schema within may be closed by itself.
  for (const dialect of ["openai", "anthropic"] as const) {
    const a = { unevaluatedProperties: false, allOf: [c, b] };
    assert.deepEqual(project(schema, dialect), [object({ a }), []]);
  }
  const [{ properties }, losses] = project(schema, "gemini");
  const { properties: told } = properties!.a as JsonSchema;
  assert.deepEqual(Object.keys(told!).sort(), ["b", "c"]);
  assert.ok(losses.includes("/properties/a/unevaluatedProperties"), losses.join());
});

Deno.test("projectSchema() cuts what lies within itself, and says where", () => {
  const node = object({ next: { $ref: "#/$defs/node" }, value: { type: "number" } });
  const schema = object({ list: { $ref: "#/$defs/node" } }, { $defs: { node } });
  for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
    const [projected, losses] = project(schema, dialect);
    assert.ok(losses.includes("/$defs/node/properties/next/$ref"), dialect);
    assert.ok(!JSON.stringify(projected).includes("$ref"), dialect);
  }
  const [projected] = project(schema, "openai");
  const value = { type: "number" };
  const cut = { type: "object" };
  assert.deepEqual(
    projected,
    object({
      list: object({ next: object({ next: object({ next: cut, value }), value }), value }),
    }),
  );
});

Deno.test("projectSchema() bounds references that only lead to each other", () => {
  const schema = object({ a: { $ref: "#/$defs/b" } }, {
    $defs: { b: { $ref: "#/$defs/c" }, c: { $ref: "#/$defs/b" } },
  });
  assert.deepEqual(project(schema, "openai")[0], object({ a: {} }));
  assert.equal(project(schema, "openai")[1].length, 1);
});

Deno.test("projectSchema() never follows a reference out of the schema, and says which one", () => {
  const schema = object({ a: { $ref: "https://example.org/a.json" } });
  for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
    assert.equal(
      reasonOf(schema, dialect),
      `Its schema cannot be written for ${dialect}: it refers to "https://example.org/a.json", ` +
        "which is outside of it and is never fetched",
    );
  }
  assert.match(reasonOf(object({ a: { $ref: "#/$defs/no" } }), "openai"), /which is not in it$/);
  assert.match(reasonOf(object({ a: { $ref: "#/constructor" } }), "openai"), /which is not in it$/);
});

Deno.test("projectSchema() folds the alternatives of the root, and says that their bounds are lost", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { id: { type: "string" } },
    oneOf: [
      object({ url: { type: "string" }, how: { const: "get" } }, { required: ["url", "how"] }),
      object({ text: { type: "string" }, how: { const: "put" } }, { required: ["text", "how"] }),
    ],
    required: ["id"],
  };
  assert.deepEqual(project(schema, "anthropic"), [
    object({
      id: { type: "string" },
      url: { type: "string" },
      how: { anyOf: [{ const: "get" }, { const: "put" }] },
      text: { type: "string" },
    }, { required: ["id", "how"] }),
    ["/oneOf"],
  ]);
});

Deno.test("projectSchema() keeps what the root says of further properties beside alternatives, or reports it", () => {
  const schema = object({ a: { type: "string" } }, {
    additionalProperties: { type: "number" },
    anyOf: [{ required: ["a"] }, { properties: { b: { minimum: 1 } } }],
  });
  const folded = object({ a: { type: "string" }, b: { type: "number", minimum: 1 } });
  for (const dialect of ["openai", "anthropic"] as const) {
    assert.deepEqual(project(schema, dialect), [
      { ...folded, additionalProperties: { type: "number" } },
      ["/anyOf"],
    ]);
  }
  assert.deepEqual(project(schema, "gemini"), [folded, ["/additionalProperties", "/anyOf"]]);
  assert.equal(project(schema, "openai-strict")[0].additionalProperties, false);
});

Deno.test("projectSchema() tells of further properties what any alternative of the root allows", () => {
  const [text, number] = [{ type: "string" }, { type: "number" }];
  const further = (...each: readonly unknown[]): JsonSchema =>
    object({}, { oneOf: each.map((additionalProperties) => ({ additionalProperties })) as never });
  const told = (...each: readonly unknown[]): unknown =>
    project(further(...each), "openai")[0].additionalProperties;
  assert.deepEqual(told(text, number), { anyOf: [text, number] });
  assert.deepEqual(told(text, false), text);
  assert.deepEqual(told(text, true), undefined);
  assert.deepEqual(told(false, false), false);
  assert.deepEqual(project(further(text, number), "gemini")[1], [
    "/oneOf",
    "/oneOf/0/additionalProperties",
    "/oneOf/1/additionalProperties",
  ]);
});

Deno.test("projectSchema() reports each word that an alternative of the root says beyond its properties", () => {
  const schema: JsonSchema = {
    type: "object",
    anyOf: [
      { minProperties: 1, maxProperties: 2, propertyNames: { maxLength: 3 } },
      { patternProperties: { "^x": { type: "number" } }, dependentRequired: { a: ["b"] } },
      { properties: { a: { type: "string" } }, unevaluatedProperties: false },
    ],
  };
  for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
    const losses = project(schema, dialect)[1].filter((path) => path.startsWith("/anyOf"));
    assert.deepEqual(losses.filter((path) => !path.includes("/properties/")), [
      "/anyOf",
      "/anyOf/0/maxProperties",
      "/anyOf/0/minProperties",
      "/anyOf/0/propertyNames",
      "/anyOf/1/dependentRequired",
      "/anyOf/1/patternProperties",
      "/anyOf/2/unevaluatedProperties",
    ], dialect);
  }
});

Deno.test("projectSchema() reports what is said in several places in each of them", () => {
  const schema = object({
    n: { type: "integer", allOf: [{ multipleOf: 2 }, { multipleOf: 2 }] },
    e: { type: "integer", enum: [1, 5, 9], allOf: [{ enum: [5, 9, 12] }] },
    gone: { type: "string", allOf: [{ type: "number" }] },
    map: {
      type: "object",
      allOf: [{ additionalProperties: { type: "integer" } }, { additionalProperties: false }],
    },
  });
  assert.deepEqual(project(schema, "gemini")[1], [
    "/properties/e/allOf/0/enum",
    "/properties/e/enum",
    "/properties/gone",
    "/properties/map/allOf/0/additionalProperties",
    "/properties/map/allOf/1/additionalProperties",
    "/properties/n/allOf/0/multipleOf",
    "/properties/n/allOf/1/multipleOf",
  ]);
});

Deno.test("projectSchema() takes an alternative that names no type for one that allows any", () => {
  const schema = object({ a: { oneOf: [{ type: "string" }, { minimum: 3 }] } });
  // A text is in both.
  assert.ok(project(schema, "gemini")[1].includes("/properties/a/oneOf"));
  const apart = object({ a: { oneOf: [{ type: "string" }, { type: "number", minimum: 3 }] } });
  assert.deepEqual(project(apart, "gemini")[1], []);
});

Deno.test("projectSchema() reports oneOf where only what is lost keeps a value out of two alternatives", () => {
  const closed = { type: "object", additionalProperties: false };
  const never = { type: "object", properties: { b: false } };
  // With each goes a value that two alternatives hold and that is refused beside them by a word that is lost.
  const cases: readonly (readonly [part: JsonSchema, both: unknown, lost: string])[] = [
    [{ type: "number", enum: [0, 2], oneOf: [{ const: 1 }, true] }, 1, "/enum"],
    [{ enum: [true], oneOf: [{ const: false }, true] }, false, "/enum"],
    [{ enum: [0.5, 1.5], oneOf: [{ type: "integer" }, true] }, 1, "/enum"],
    [{ enum: [0, 2, "a"], oneOf: [{ enum: [1, "a"] }, { type: "number" }] }, 1, "/enum"],
    [{ enum: [0, 2], oneOf: [{ anyOf: [{ const: 1 }, { const: "a" }] }, true] }, 1, "/enum"],
    [{ type: "array", enum: [["a"]], oneOf: [{ const: [] }, true] }, [], "/enum"],
    [{ ...closed, oneOf: [{ required: ["b"] }, true] }, { b: 1 }, "/additionalProperties"],
    [{ ...never, oneOf: [{ required: ["b"] }, true] }, { b: 1 }, "/properties/b"],
  ];
  for (const [part, both, lost] of cases) {
    const losses = project(object({ a: part }), "gemini")[1];
    for (const word of ["/oneOf", lost]) {
      assert.ok(
        losses.includes(`/properties/a${word}`),
        `${JSON.stringify([part, both])} ${losses}`,
      );
    }
  }
  // What types keep apart is told, and so is what alternatives list themselves.
  const apart: readonly JsonSchema[] = [
    { type: "string", oneOf: [{ type: "number" }, { minLength: 1 }] },
    { enum: ["a", "b"], oneOf: [{ type: "string" }, { type: "null" }] },
    { oneOf: [{ anyOf: [{ const: "a" }, { const: "b" }] }, { const: "c" }] },
    { oneOf: [{ const: "a" }, { allOf: [{ enum: ["b"] }] }, false] },
  ];
  for (const part of apart) {
    assert.deepEqual(project(object({ a: part }), "gemini")[1], [], JSON.stringify(part));
  }
});

Deno.test("projectSchema() takes values that no type allows for a mistake, in a list of types too", () => {
  for (const dialect of ["openai-strict", "gemini"] as const) {
    const typed = (type: unknown): readonly [unknown, readonly string[]] => {
      const part = { type, enum: ["True"] } as JsonSchema;
      const [{ properties }, losses] = project(object({ a: part }, { required: ["a"] }), dialect);
      return [properties!.a, losses];
    };
    assert.deepEqual(typed("boolean"), [{ type: "boolean" }, ["/properties/a/enum"]]);
    assert.deepEqual(typed(["boolean"]), typed("boolean"));
    const nullable = dialect === "gemini"
      ? { type: "boolean", nullable: true }
      : { type: ["boolean", "null"] };
    const losses = Array(2).fill("/properties/a/enum");
    assert.deepEqual(typed(["boolean", "null"]), [nullable, losses]);
  }
  // Each alternative that such values stand beside says its type, so two hold a text.
  const one = { type: "string" };
  for (const type of [["string"], ["string", "number"]]) {
    const part: JsonSchema = { type, enum: [null], oneOf: [one, true] };
    const losses = project(object({ a: part }), "gemini")[1];
    assert.ok(losses.includes("/properties/a/oneOf"), losses.join());
  }
});

Deno.test("projectSchema() reports that dependencies are told as evaluating properties, where that counts", () => {
  // By the older word `b` stays unevaluated, so that { b: 1 } is refused; by the newer one it is evaluated.
  const dependencies = { b: { properties: { b: {} } } };
  const closed = object({ a: { dependencies, unevaluatedProperties: false } });
  assert.deepEqual(project(closed, "openai"), [
    object({ a: { unevaluatedProperties: false, dependentSchemas: dependencies } }),
    ["/properties/a/dependencies"],
  ]);
  const names = object({ a: { dependencies: { b: ["c"] }, unevaluatedProperties: false } });
  for (const schema of [names, object({ a: { dependencies } })]) {
    assert.deepEqual(project(schema, "openai")[1], []);
  }
});

Deno.test("projectSchema() ends a list where no value is allowed", () => {
  const schema = object({
    a: { type: "array", prefixItems: [{ type: "string" }, false], items: { type: "number" } },
    b: { type: "array", prefixItems: [false] },
    c: { type: "array", items: { type: "string" }, contains: false },
  });
  const [{ properties }, losses] = project(schema, "gemini");
  assert.deepEqual(properties, {
    a: { type: "array", items: { type: "string" }, maxItems: 1 },
    b: { type: "array", items: { type: "string" }, maxItems: 0 },
    c: { type: "array", items: { type: "string" } },
  });
  assert.deepEqual(losses, [
    "/properties/a/prefixItems",
    "/properties/b/prefixItems",
    "/properties/c/contains",
  ]);
});

Deno.test("projectSchema() reports words of older drafts where they stand", () => {
  const schema = object({
    low: { type: "number", minimum: 1, exclusiveMinimum: true },
    pair: { type: "array", ["items" as string]: [{ type: "string" }], additionalItems: false },
  }, {
    $schema: "http://json-schema.org/draft-04/schema#",
    dependencies: { low: ["pair"] },
  });
  assert.deepEqual(project(schema, "gemini")[1], [
    "/dependencies",
    "/properties/low/exclusiveMinimum",
    "/properties/low/minimum",
    "/properties/pair/items",
  ]);
});

Deno.test("projectSchema() folds an allOf of the root without any loss", () => {
  const schema: JsonSchema = {
    allOf: [
      object({ a: { type: "integer", minimum: 1 } }, { required: ["a"] }),
      { $ref: "#/$defs/more" },
      { properties: { a: { maximum: 5 } } },
    ],
    $defs: { more: object({ b: { type: "string" } }) },
  };
  assert.deepEqual(project(schema, "openai"), [
    object({ a: { type: "integer", minimum: 1, maximum: 5 }, b: { type: "string" } }, {
      required: ["a"],
    }),
    [],
  ]);
});

Deno.test("projectSchema() drops conditions of the root, and says so", () => {
  const condition = { properties: { a: { const: 1 } } };
  const schema = object({ a: { type: "number" } }, {
    if: condition,
    then: { required: ["b"] },
    not: { required: ["c"] },
    dependentSchemas: { a: { required: ["d"] } },
  });
  const [projected, losses] = project(schema, "openai");
  assert.deepEqual(projected, object({ a: { type: "number" } }));
  assert.deepEqual(losses, ["/dependentSchemas", "/if", "/not"]);
});

Deno.test("projectSchema() says when nothing can satisfy a schema", () => {
  const schema = object({ a: { type: "string" } }, { allOf: [false] });
  assert.match(reasonOf(schema, "openai"), /no arguments can satisfy it/);
  const required = object({ a: false }, { required: ["a"] });
  assert.match(reasonOf(required, "gemini"), /a required property has no form that can be told/);
  assert.match(
    reasonOf(object({ a: { type: "float" } }), "gemini"),
    /"float" at \/properties\/a is no type/,
  );
});

Deno.test("projectSchema() closes every object for openai-strict, requires all, and lets optional ones be null", () => {
  const schema = object({
    path: { type: "string", description: "A file." },
    limit: { type: "integer", minimum: 1, default: 10, description: "How many." },
    how: { enum: ["a", "b"] },
    where: object({ line: { type: "integer" } }, { required: ["line"] }),
    tags: { type: "array", items: { type: "string" } },
    note: { type: ["string", "null"] },
  }, { required: ["path"] });
  const closed = { additionalProperties: false };
  assert.deepEqual(project(schema, "openai-strict"), [
    object({
      path: { type: "string", description: "A file." },
      limit: {
        description: "How many.\nDefault: 10",
        type: ["integer", "null"],
        minimum: 1,
      },
      how: { type: ["string", "null"], enum: ["a", "b", null] },
      where: {
        type: ["object", "null"],
        properties: { line: { type: "integer" } },
        required: ["line"],
        ...closed,
      },
      tags: { type: ["array", "null"], items: { type: "string" } },
      note: { type: ["string", "null"] },
    }, { required: ["path", "limit", "how", "where", "tags", "note"], ...closed }),
    [
      "/properties/how",
      "/properties/limit",
      "/properties/limit/default",
      "/properties/tags",
      "/properties/where",
    ],
  ]);
});

Deno.test("projectSchema() lists for openai-strict each keyword that it does not know", () => {
  const schema = object({
    a: { type: "string", minLength: 1, format: "uri", pattern: "^h" },
    b: { type: "array", items: {}, uniqueItems: true, contains: { const: 1 }, minItems: 1 },
    c: { type: "object", additionalProperties: { type: "number" }, maxProperties: 3 },
    d: { not: { type: "string" } },
    e: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
  }, { required: ["a", "b", "c", "d", "e"] });
  const [projected, losses] = project(schema, "openai-strict");
  const anything = { type: ["string", "number", "boolean", "null"] };
  assert.deepEqual(projected.properties, {
    a: { type: "string", pattern: "^h" },
    b: { type: "array", items: anything, minItems: 1 },
    c: { type: "object", properties: {}, required: [], additionalProperties: false },
    d: anything,
    e: { type: "array", items: { type: ["string", "number"] }, maxItems: 2 },
  });
  assert.deepEqual(losses, [
    "/properties/a/format",
    "/properties/a/minLength",
    "/properties/b/contains",
    "/properties/b/items",
    "/properties/b/uniqueItems",
    "/properties/c/additionalProperties",
    "/properties/c/maxProperties",
    "/properties/d",
    "/properties/d/not",
    "/properties/e/prefixItems",
  ]);
});

Deno.test("projectSchema() gives each part one type for gemini, and nullable for null", () => {
  const schema = object({
    a: { type: ["string", "null"], minLength: 2, description: "A text." },
    b: { type: ["string", "integer"], description: "Either." },
    c: { type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 9 },
    d: { const: "only" },
    e: { enum: [1, 2, 3] },
    f: { oneOf: [{ const: "x" }, { const: "y" }] },
    g: { type: "string", format: "date-time" },
    h: { anyOf: [object({ k: { type: "number" } }), { type: "null" }] },
  }, { required: ["a"] });
  assert.deepEqual(project(schema, "gemini"), [
    object({
      a: { type: "string", minLength: 2, description: "A text.", nullable: true },
      b: {
        anyOf: [
          { description: "Either.", type: "string" },
          { description: "Either.", type: "integer" },
        ],
      },
      c: { type: "integer", minimum: 4, maximum: 8 },
      d: { type: "string", enum: ["only"] },
      e: { type: "number", minimum: 1, maximum: 3 },
      f: { type: "string", enum: ["x", "y"] },
      g: { type: "string", format: "date-time" },
      h: { ...object({ k: { type: "number" } }), nullable: true },
    }, { required: ["a"] }),
    ["/properties/e/enum"],
  ]);
});

Deno.test("projectSchema() lists for gemini what its subset lacks", () => {
  const schema = object({
    a: { type: "string", format: "uri" },
    b: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
    c: object({}, { additionalProperties: { type: "string" } }),
    d: { type: "boolean", enum: ["True", "False"] },
    e: { type: "integer", enum: [1, 5] },
  }, { additionalProperties: false });
  const [projected, losses] = project(schema, "gemini");
  assert.deepEqual(projected.properties, {
    a: { type: "string" },
    b: { type: "number" },
    c: { type: "object" },
    d: { type: "boolean" },
    e: { type: "integer", minimum: 1, maximum: 5 },
  });
  assert.deepEqual(losses, [
    "/additionalProperties",
    "/properties/a/format",
    "/properties/b/exclusiveMinimum",
    "/properties/b/multipleOf",
    "/properties/c/additionalProperties",
    "/properties/d/enum",
    "/properties/e/enum",
  ]);
});

Deno.test("projectSchema() reads schemas of older drafts by their own rules", () => {
  const schema = object({
    low: { type: "number", minimum: 1, exclusiveMinimum: true },
    pair: { type: "array", ["items" as string]: [{ type: "string" }], additionalItems: false },
    ref: { $ref: "#/definitions/x", maximum: 1 },
  }, {
    $schema: "http://json-schema.org/draft-04/schema#",
    definitions: { x: { type: "integer" } },
    dependencies: { low: ["ref"] },
  });
  assert.deepEqual(project(schema, "openai"), [
    object({
      low: { type: "number", exclusiveMinimum: 1 },
      pair: { type: "array", prefixItems: [{ type: "string" }], items: { not: {} } },
      ref: { type: "integer" },
    }, { dependentRequired: { low: ["ref"] } }),
    [],
  ]);
});

Deno.test("projectSchema() gives arrays items, and objects in place of true and false", () => {
  const schema = object({ a: { type: "array" }, b: true, c: { anyOf: [false, { type: "null" }] } });
  assert.deepEqual(
    project(schema, "openai")[0],
    object({
      a: { type: "array", items: {} },
      b: {},
      c: { anyOf: [{ not: {} }, { type: "null" }] },
    }),
  );
});

Deno.test("projectSchema() freezes what it makes and leaves what it gets as it is", () => {
  const schema = object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: { enum: ["x"] } } });
  const before = structuredClone(schema);
  for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
    const [projected] = project(schema, dialect);
    assert.ok(Object.isFrozen(projected) && Object.isFrozen(projected.properties!.a));
  }
  assert.deepEqual(schema, before);
  const inner = (schema.$defs as { readonly a: JsonSchema }).a;
  assert.ok(!Object.isFrozen(inner) && !Object.isFrozen(inner.enum));
});
