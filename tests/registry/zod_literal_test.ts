import assert from "node:assert/strict";
import { z } from "zod";
import { findings, IMPORT, scanText } from "./scan_support.ts";

async function read(schema: string, before = 'import { z } from "zod";', field = "schema") {
  const scan = await scanText(
    `${IMPORT}${before}\nregistry.register({ name: "a", handler() {}, ${field}: ${schema} });`,
  );
  assert.deepEqual(findings(scan), []);
  return scan.tools[0]?.declaration?.[field];
}

function expected(schema: z.ZodType, io: "input" | "output" = "input"): unknown {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io })));
}

const CASES: readonly (readonly [string, z.ZodType])[] = [
  ["z.object({})", z.object({})],
  [
    'z.object({ path: z.string().min(1).describe("A path"), limit: z.number().int().positive().max(500).optional() })',
    z.object({
      path: z.string().min(1).describe("A path"),
      limit: z.number().int().positive().max(500).optional(),
    }),
  ],
  ['z.string().default("x").nullable()', z.string().default("x").nullable()],
  ['z.enum(["a", "b"]).or(z.literal(3))', z.enum(["a", "b"]).or(z.literal(3))],
  [
    "z.array(z.union([z.string(), z.null()])).nonempty()",
    z.array(z.union([z.string(), z.null()])).nonempty(),
  ],
  ["z.tuple([z.boolean(), z.number()])", z.tuple([z.boolean(), z.number()])],
  ["z.record(z.string(), z.unknown())", z.record(z.string(), z.unknown())],
  ["z.string().regex(/^a[b-z]+$/u)", z.string().regex(/^a[b-z]+$/u)],
  ["z.strictObject({ a: z.url() })", z.strictObject({ a: z.url() })],
  ["z.coerce.number().min(-5)", z.coerce.number().min(-5)],
  ["z.iso.datetime({ offset: true })", z.iso.datetime({ offset: true })],
  [
    'z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b"), n: z.int() })])',
    z.discriminatedUnion("k", [
      z.object({ k: z.literal("a") }),
      z.object({ k: z.literal("b"), n: z.int() }),
    ]),
  ],
  [
    "z.object({ a: z.string(), b: z.string() }).pick({ a: true }).extend({ c: z.email() }).partial().strict()",
    z.object({ a: z.string(), b: z.string() }).pick({ a: true }).extend({ c: z.email() }).partial()
      .strict(),
  ],
  [
    'z.string().meta({ title: "T", examples: ["x"] })',
    z.string().meta({ title: "T", examples: ["x"] }),
  ],
  ["z.object({ constructor: z.string() })", z.object({ constructor: z.string() })],
  ['z.string({ error: "Give a text" }).trim().toLowerCase()', z.string().trim().toLowerCase()],
];

Deno.test("scanModule() reads zod schemas of literals as zod itself describes them", async () => {
  for (const [text, schema] of CASES) assert.deepEqual(await read(text), expected(schema), text);
});

Deno.test("scanModule() reads zod under each of its names", async () => {
  for (
    const [before, name] of [
      ['import * as z from "zod";', "z"],
      ['import { z as schema } from "zod/v4";', "schema"],
      ['import zod from "npm:zod@^4.1.0";', "zod"],
      ['import { z } from "npm:zod@4";', "z"],
    ]
  ) {
    const text = `${name}.object({ a: ${name}.string() })`;
    assert.deepEqual(await read(text, before), expected(z.object({ a: z.string() })), before);
  }
});

Deno.test("scanModule() reads zod schemas that are made of module-level constants", async () => {
  const before = `import { z } from "zod"; const KINDS = ["a", "b"] as const;
    const kind = z.enum(KINDS); const shape = { kind, size: z.int() };
    const Args = z.object({ ...shape, many: z.array(kind) });`;
  const kind = z.enum(["a", "b"]);
  const schema = z.object({ kind, size: z.int(), many: z.array(kind) });
  assert.deepEqual(await read("Args", before), expected(schema));
});

Deno.test("scanModule() describes the output side of outputSchema", async () => {
  const schema = z.object({ n: z.number().default(1) });
  const text = "z.object({ n: z.number().default(1) })";
  assert.deepEqual(await read(text, undefined, "outputSchema"), expected(schema, "output"));
});

Deno.test("scanModule() leaves what is dynamic in zod to the evaluation", async () => {
  for (
    const text of [
      "z.string().refine((x) => x.length > 1)",
      "z.string().transform((x) => x.length)",
      "z.object({ a: z.lazy(() => z.string()) })",
      "z.custom(() => true)",
      "z.string({ error: () => 'x' })",
      "z.enum(names)",
      "z.object({ [key]: z.string() })",
      "z.object({ __proto__: z.string() })",
      "z.object({ get a() { return z.string(); } })",
      "z[method]()",
      "z.constructor.constructor('x')",
      "z.string().constructor('x')",
      "z.object({ a: z.string() }).shape.a",
      "z.string().parse('x')",
      "z.date()",
      "z.noSuchThing()",
      "z",
      "z.string",
      "z.string",
      "z.object(...shapes)",
      'z.string().meta({ id: "shared" })',
      "z.string().regex(/(/)",
      "other.string()",
    ]
  ) assert.equal(await read(text).catch(() => undefined), undefined, text);
});

Deno.test("scanModule() runs no zod of version 3 and none that is shadowed by another import", async () => {
  assert.equal(await read("z.string()", 'import { z } from "npm:zod@3";'), undefined);
  assert.equal(await read("z.string()", 'import { z } from "zod/v3";'), undefined);
  assert.equal(await read("z.string()", 'import { z } from "./_z.ts";'), undefined);
  assert.equal(await read("z.string()", 'import type { z } from "zod";'), undefined);
});

Deno.test("scanModule() [A21] takes bounded time for zod schemas that double each other", async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `const s${i + 1} = z.tuple([s${i}, s${i}]);`);
  const started = performance.now();
  const before = `import { z } from "zod"; const s0 = z.string();\n${lines.join("\n")}`;
  assert.equal(await read("s60", before), undefined);
  const fields = Array.from({ length: 2_000 }, (_, i) => `f${i}: z.int()`).join();
  assert.equal(await read(`z.object({ ${fields} })${".partial()".repeat(2_000)}`), undefined);
  assert.ok(performance.now() - started < 10_000);
});
