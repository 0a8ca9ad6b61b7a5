/**
 * What the types promise to a tool file. Most of it is proven by the compiler: `deno test` checks this file,
 * and an `@ts-expect-error` over a line that compiles is an error itself.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import type { ArgsOf, FromSchema } from "../../core/schema.ts";
import {
  defineTool,
  type RegisterOutcome,
  type ToolRegistrar,
  type ToolRegistration,
  toolResult,
} from "../../core/tool.ts";

/** Compiles only when two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true
  : false;

/** Takes registrations and keeps their names, so that the default table stays empty. */
const names: string[] = [];
const registry: ToolRegistrar = {
  register(registration): RegisterOutcome {
    names.push(registration.name);
    return { status: "registered" };
  },
};

Deno.test("register() infers the arguments from a literal JSON Schema", () => {
  registry.register({
    name: "word_count",
    toolset: "text",
    description: "Count words in a file of the workspace.",
    schema: {
      type: "object",
      properties: {
        path: { type: "string" },
        mode: { enum: ["words", "lines"] },
        limit: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["path", "mode"],
    },
    permissions: { read: ["$WORKSPACE", "$ARG.path"] },
    emoji: "🔢",
    handler: async ({ path, mode, limit, tags }, context) => {
      const exactPath: Same<typeof path, string> = true;
      const exactMode: Same<typeof mode, "words" | "lines"> = true;
      const exactLimit: Same<typeof limit, number | undefined> = true;
      const exactTags: Same<typeof tags, string[] | undefined> = true;
      const text = await Deno.readTextFile(context.resolve(path));
      return toolResult({
        words: text.split(/\s+/).length,
        all: exactPath && exactMode && exactLimit && exactTags,
      });
    },
  });
  assert.equal(names.at(-1), "word_count");
});

Deno.test("register() does not compile with a grant on an argument that the schema lacks", () => {
  registry.register({
    name: "typo",
    toolset: "text",
    description: "",
    schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    // @ts-expect-error `pth` is no parameter.
    permissions: { read: ["$ARG.pth"] },
    handler: () => "",
  });
  registry.register({
    name: "typo_net",
    toolset: "text",
    description: "",
    schema: z.object({ url: z.string() }),
    // @ts-expect-error `ulr` is no parameter.
    permissions: { net: ["$ARG.ulr"] },
    handler: () => "",
  });
  assert.equal(names.at(-1), "typo_net");
});

Deno.test("register() does not compile with unknown fields, permissions or a wrong handler", () => {
  const base = { name: "a", toolset: "text", description: "", handler: () => "" } as const;
  // @ts-expect-error The field is called `schema`.
  registry.register({ ...base, inputSchema: { type: "object" } });
  // @ts-expect-error There is no permission of this name.
  registry.register({ ...base, schema: { type: "object" }, permissions: { network: [] } });
  // @ts-expect-error There is no spelling for everything.
  registry.register({ ...base, schema: { type: "object" }, permissions: { read: true } });
  // @ts-expect-error A discovered file may not import from the network.
  registry.register({ ...base, schema: { type: "object" }, permissions: { import: ["jsr.io"] } });
  // @ts-expect-error Files never run inline.
  registry.register({ ...base, schema: { type: "object" }, isolation: "inline" });
  registry.register({
    ...base,
    schema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
    // @ts-expect-error `count` is a number.
    handler: ({ count }) => count.toUpperCase(),
  });
  assert.equal(names.at(-1), "a");
});

Deno.test("register() infers the arguments from a zod schema, defaults filled in", () => {
  registry.register({
    name: "fetch_page",
    toolset: "web",
    description: "",
    schema: z.object({ url: z.string(), limit: z.number().default(5), tag: z.string().optional() }),
    permissions: { net: ["$ARG.url"] },
    handler: ({ url, limit, tag }) => {
      const exactUrl: Same<typeof url, string> = true;
      const exactLimit: Same<typeof limit, number> = true;
      const exactTag: Same<typeof tag, string | undefined> = true;
      return { length: url.length + limit, all: exactUrl && exactLimit && exactTag };
    },
  });
  assert.equal(names.at(-1), "fetch_page");
});

Deno.test("defineTool() gives types and returns the same object", () => {
  const given = {
    name: "shout",
    toolset: "text",
    description: "",
    schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    handler: ({ text }: { text: string }) => text.toUpperCase(),
  } as const;
  const defined = defineTool(given);
  assert.equal(defined as unknown, given);
  registry.register(defined);
  registry.register(
    defineTool({ ...given, name: "shout_again", handler: ({ text }) => text.trim() }),
  );
  assert.equal(names.at(-1), "shout_again");
});

Deno.test("ToolRegistration takes every field of the reference", () => {
  const whole: ToolRegistration = {
    name: "whole",
    title: "Whole",
    toolset: "text",
    description: "",
    emoji: "x",
    schema: { type: "object" },
    outputSchema: { type: "object" },
    handler: () => ({ content: [{ type: "text", text: "x" }], structuredContent: 1 }),
    checkFn: () => ({ available: false, reason: "no key" }),
    requiresEnv: ["A", ["B", "C"]],
    requires: { bins: ["git"], files: ["/etc/hosts"] },
    dynamicSchemaOverrides: () => ({ description: "", parameters: { type: "object" } }),
    isAsync: true,
    maxResultSizeChars: Infinity,
    timeoutMs: 1,
    memoryMb: 1,
    isolation: "process",
    annotations: { readOnlyHint: true },
  };
  assert.equal(Object.keys(whole).length, 18);
});

Deno.test("FromSchema tells what it knows, and JsonValue where it does not", () => {
  const facts: readonly true[] = [
    true satisfies Same<FromSchema<{ readonly const: 3 }>, 3>,
    true satisfies Same<FromSchema<{ readonly type: "null" }>, null>,
    true satisfies Same<FromSchema<{ readonly type: readonly ["string", "null"] }>, string | null>,
    true satisfies Same<ArgsOf<{ readonly type: "boolean" }>, boolean>,
  ];
  assert.equal(facts.length, 4);
});
