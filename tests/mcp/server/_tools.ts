/** Tools of the tests, linked into this process so that a test can watch them. */
import type { ToolContext } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolRegistry } from "../../../registry/tool_registry.ts";

/** What the tools tell the test. */
export interface ToolProbe {
  /** Resolves when a `wait` has begun. */
  readonly begun: () => Promise<void>;
  /** Resolves with the reason when a `wait` was stopped. */
  readonly stopped: () => Promise<string>;
  /** Lets every `wait` end. */
  readonly release: () => void;
  /** How often each tool ran. */
  readonly runs: ReadonlyMap<string, number>;
}

const NAME_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
} as const;

/** Registers the tools. */
export function registerTools(registry: ToolRegistry): ToolProbe {
  const begun = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  const runs = new Map<string, number>();
  const add = (
    name: string,
    // deno-lint-ignore no-explicit-any -- tools of many shapes
    handler: (args: any, context: ToolContext) => unknown,
    more: { readonly schema?: JsonObject; readonly outputSchema?: JsonObject } = {},
  ) => {
    const counted = (args: unknown, context: ToolContext) => {
      runs.set(name, (runs.get(name) ?? 0) + 1);
      return handler(args, context);
    };
    registry.register({
      name,
      toolset: "tests",
      description: `The tool ${name}.`,
      schema: { type: "object" },
      ...more,
      handler: counted as never,
    } as never);
  };
  add("echo", ({ text }) => text, {
    schema: {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    },
  });
  add("fails", () => {
    throw new Error("no luck");
  });
  add("object", () => ({ a: 1 }));
  add("list", () => [1, 2]);
  add("parts", () => ({
    content: [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", uri: "test://x", name: "x" },
    ],
    structuredContent: { seen: true },
  }));
  const words = { type: "object", properties: { words: { type: "integer" } }, required: ["words"] };
  add("counts", ({ answer }) => answer, { outputSchema: words });
  add("counts_list", () => [3, 4], {
    outputSchema: { type: "array", items: { type: "integer" } },
  });
  add("long", ({ chars }) => "x".repeat(chars), {
    schema: { type: "object", properties: { chars: { type: "integer" } } },
  });
  add("wait", async (_, { signal }) => {
    begun.resolve();
    const abort = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => {
      stopped.resolve(String(signal.reason?.message ?? signal.reason));
      abort.resolve();
    });
    await Promise.race([released.promise, abort.promise]);
    return "waited";
  });
  add("progress", ({ values }, context) => {
    // What completes the whole is never held back on its way here.
    for (const value of values) context.progress(value, value, `at ${value}`);
    return "done";
  });
  add("logs", (_, { log }) => {
    log.debug("small");
    log.info("\u001b[31mred\u001b[0m");
    log.error("big");
    return "logged";
  });
  add("ask", async (_, context) =>
    JSON.stringify(
      await context.elicit({ key: "who", message: "Who are you?", requestedSchema: NAME_SCHEMA }),
    ));
  add("ask_twice", async (_, context) => {
    const first = await context.elicit({
      key: "one",
      message: "One?",
      requestedSchema: NAME_SCHEMA,
    });
    const second = await context.elicit({
      key: "two",
      message: "Two?",
      requestedSchema: NAME_SCHEMA,
    });
    return `${first.content?.name} and ${second.content?.name}`;
  });
  add("ask_all", async (_, context) => {
    const [person, model, roots] = await Promise.all([
      context.elicit({ key: "person", message: "Who?", requestedSchema: NAME_SCHEMA }),
      context.sample({
        key: "model",
        messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
        maxTokens: 10,
      }),
      context.listRoots({ key: "roots" }),
    ]);
    return { person, model, roots };
  });
  add("sample", async (_, context) =>
    (await context.sample({
      messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
      maxTokens: 10,
    })).model);
  add("header", ({ region }) => `in ${region}`, {
    schema: {
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        count: { type: "integer", "x-mcp-header": "Count" },
      },
    },
  });
  return {
    begun: () => begun.promise,
    stopped: () => stopped.promise,
    release: () => released.resolve(),
    runs,
  };
}
