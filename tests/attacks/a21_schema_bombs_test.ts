import assert from "node:assert/strict";
import type { JsonSchema } from "../../core/json.ts";
import { DIALECTS } from "../../registry/dialects/dialect_names.ts";
import { tool } from "../registry/table_support.ts";
import { startRuntime } from "../runtime/_runtime.ts";

/** How long all five lists may take, in milliseconds. */
const LISTS_MS = 5_000;

function object(a: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: "object", properties: { a }, ...more };
}

/** A server that counts who comes. */
function listen() {
  let asked = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    asked++;
    return Response.json({ type: "string" });
  });
  return { server, asked: () => asked, url: `http://127.0.0.1:${server.addr.port}/a.json` };
}

Deno.test("attack [A21] schema bombs: nothing is fetched, the work is bounded, each is named, the rest goes out", async () => {
  const far = listen();
  await using test = await startRuntime();
  const bombs: Record<string, JsonSchema> = {
    cycle: object({ $ref: "#/$defs/n" }, {
      $defs: { n: object({ $ref: "#/$defs/n" }, { required: ["a"] }) },
    }),
    itself: object({ $ref: "#/properties/a" }),
    remote: object({ $ref: far.url }),
    wide: object({ anyOf: Array.from({ length: 10_000 }, (_, at) => ({ const: at })) }),
    doubling: object({ $ref: "#/$defs/d25" }, {
      $defs: Object.fromEntries(
        Array.from({ length: 26 }, (_, at) => {
          const one = { $ref: `#/$defs/d${at - 1}` };
          return [`d${at}`, at === 0 ? { type: "string" } : { properties: { l: one, r: one } }];
        }),
      ),
    }),
    pattern: object({ type: "string", pattern: "^(a+)+$" }),
  };
  for (const [name, schema] of Object.entries(bombs)) {
    test.runtime.registry.register(tool(name, { schema }));
  }
  test.runtime.registry.register(tool("plain"));
  const began = performance.now();
  for (const dialect of DIALECTS) {
    const { names, omitted, losses } = await test.runtime.getDefinitions({}, { dialect });
    assert.ok(names.has("plain") && names.has("pattern"), dialect);
    if (dialect === "mcp") continue;
    assert.deepEqual(omitted.map(({ name }) => name), ["doubling", "remote", "wide"], dialect);
    for (const { reason } of omitted) assert.match(reason, /over 10000 parts|never fetched/);
    for (const name of ["cycle", "itself"]) {
      assert.ok(losses.some((loss) => loss.name === name && loss.path.endsWith("/$ref")), name);
    }
  }
  const took = performance.now() - began;
  assert.ok(took < LISTS_MS, `${Math.round(took)} ms`);
  await far.server.shutdown();
  assert.equal(far.asked(), 0);
});
