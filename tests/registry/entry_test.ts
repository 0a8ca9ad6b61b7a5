import assert from "node:assert/strict";
import { z } from "zod";
import { PermissionError } from "../../core/errors.ts";
import type { ToolRegistration } from "../../core/registration.ts";
import { parseDeclaration } from "../../registry/declaration.ts";
import { createInlineEntry, createModuleEntry } from "../../registry/entry.ts";
import { MODULE, tool } from "./table_support.ts";

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}

Deno.test("createInlineEntry() copies and freezes at every depth, and leaves the caller's object alone", () => {
  const registration = {
    ...tool("alpha"),
    schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    permissions: { read: ["$WORKSPACE" as const] },
    requiresEnv: ["A", ["B", "C"]],
    requires: { bins: ["git"] },
    annotations: { readOnlyHint: true },
  };
  const entry = createInlineEntry(registration, "program");
  assert.ok(isDeepFrozen(entry));
  assert.deepEqual(entry.schema, registration.schema);
  assert.equal(Object.isFrozen(registration), false);
  assert.equal(Object.isFrozen(registration.schema.properties.path), false);
  registration.schema.properties.path.type = "number";
  registration.permissions.read.push("$WORKSPACE");
  assert.equal((entry.schema.properties!.path as { type: string }).type, "string");
  assert.deepEqual(entry.permissions, { read: ["$WORKSPACE"] });
});

Deno.test("createInlineEntry() fills in what is left out", () => {
  const entry = createInlineEntry(tool("alpha"), "user");
  assert.equal(entry.emoji, "");
  assert.equal(entry.isolation, "inline");
  assert.equal(entry.owner, "user");
  assert.deepEqual(entry.permissions, {});
  assert.deepEqual(entry.requiresEnv, []);
  assert.equal(entry.hasCheckFn, false);
  assert.equal(entry.override, false);
  assert.deepEqual(entry.source, { kind: "inline" });
  assert.ok(!("timeoutMs" in entry));
});

Deno.test("createInlineEntry() keeps the functions themselves", () => {
  const registration = tool("alpha", { checkFn: () => true, dynamicSchemaOverrides: () => ({}) });
  const { handler, hasCheckFn, hasDynamicSchema } = createInlineEntry(registration, "program");
  assert.ok(handler.kind === "inline");
  assert.equal(handler.call, registration.handler);
  assert.equal(handler.checkFn, registration.checkFn);
  assert.deepEqual([hasCheckFn, hasDynamicSchema], [true, true]);
});

Deno.test("createInlineEntry() keeps a zod schema as JSON Schema and a validator", async () => {
  const schema = z.object({ url: z.string(), limit: z.number().default(5) });
  const entry = createInlineEntry(
    { ...tool("alpha"), schema } as unknown as ToolRegistration,
    "program",
  );
  assert.deepEqual(entry.schema, {
    type: "object",
    properties: { url: { type: "string" }, limit: { default: 5, type: "number" } },
    required: ["url"],
  });
  assert.ok(isDeepFrozen(entry.schema));
  assert.deepEqual(await entry.validate!({ url: "x" }), {
    ok: true,
    value: { url: "x", limit: 5 },
  });
  const failed = await entry.validate!({ url: 3 });
  assert.ok(!failed.ok);
  assert.equal(failed.issues[0]?.path, "/url");
});

Deno.test("createInlineEntry() refuses a schema that cannot describe itself", () => {
  const standard = { version: 1, vendor: "other", validate: () => ({ value: 1 }) };
  const make = (schema: unknown) => () =>
    createInlineEntry({ ...tool("alpha"), schema } as unknown as ToolRegistration, "program");
  assert.throws(
    make({ "~standard": standard }),
    (error: Error) =>
      error instanceof TypeError && /"alpha"/.test(error.message) &&
      /the other schema/.test(error.message),
  );
  assert.throws(
    make(z.object({ day: z.date() })),
    /"alpha".*field "schema" cannot describe itself: .*Date/,
  );
  assert.throws(make(z.string()), /"alpha".*type "string", expected "object"/);
});

Deno.test("createModuleEntry() isolates plugins in processes unless they say otherwise", () => {
  const declare = (more: object) =>
    parseDeclaration({
      name: "alpha",
      toolset: "text",
      description: "",
      schema: { type: "object" },
      ...more,
    }, "a.ts");
  const source = { kind: "file", path: "/t/a.ts", line: 3, column: 1 } as const;
  const made = (owner: "user" | "plugin:acme", more = {}) =>
    createModuleEntry(declare(more), { owner, handler: MODULE, source });
  assert.equal(made("user").isolation, "worker");
  assert.equal(made("plugin:acme").isolation, "process");
  assert.equal(made("plugin:acme", { isolation: "worker" }).isolation, "worker");
  const entry = made("user", { maxResultSizeChars: "unlimited", hasCheckFn: true, override: true });
  assert.equal(entry.maxResultSizeChars, Infinity);
  assert.deepEqual([entry.hasCheckFn, entry.override], [true, true]);
  assert.ok(isDeepFrozen(entry));
  assert.equal(Object.isFrozen(MODULE), false);
});

Deno.test("createInlineEntry() checks names by owner", () => {
  createInlineEntry(tool("a.b"), "program");
  createInlineEntry(tool("9".repeat(128)), "mcp:srv");
  createInlineEntry(tool("_a-" + "x".repeat(61)), "user");
  for (const name of ["a.b", "9a", "-a", "x".repeat(65), "a b"]) {
    assert.throws(() => createInlineEntry(tool(name), "user"), TypeError);
  }
  for (const name of ["r\u0435ad", "x".repeat(129), "a b"]) {
    assert.throws(() => createInlineEntry(tool(name), "program"), TypeError);
  }
});

Deno.test("createInlineEntry() keeps toolsets of MCP servers to themselves [rule 9]", () => {
  const inSet = (toolset: string) => tool("alpha", { toolset });
  assert.equal(createInlineEntry(inSet("mcp-srv"), "mcp:srv").toolset, "mcp-srv");
  assert.equal(createInlineEntry(inSet("mcpx"), "user").toolset, "mcpx");
  for (const owner of ["program", "user", "builtin", "plugin:srv", "mcp:other"] as const) {
    assert.throws(() => createInlineEntry(inSet("mcp-srv"), owner), PermissionError);
  }
});
