import assert from "node:assert/strict";
import type { ElicitRequest } from "../../../core/context.ts";
import type { InputOrigin, InputSurface } from "../../../core/input.ts";
import { startRuntime } from "../_runtime.ts";

const MODEL = {
  role: "assistant",
  content: { type: "text", text: "Hello" },
  model: "small",
} as const;

Deno.test("context.elicit() gives a sandboxed handler what the surface of its call answers", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  const asked: [ElicitRequest, string, string][] = [];
  const input: InputSurface = {
    elicit: (request, { key, tool }) => {
      asked.push([request, key, tool]);
      return Promise.resolve({ action: "accept", content: { name: "Ada" } });
    },
  };
  const result = await test.call("ask_name", {}, { input });
  assert.equal(result.content, '{"action":"accept","content":{"name":"Ada"}}');
  assert.deepEqual(asked, [[
    {
      key: "who",
      message: "Who are you?",
      requestedSchema: {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
      },
    },
    "who",
    "ask_name",
  ]]);
});

Deno.test("context.elicit() is refused where nobody can be asked", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  const result = await test.call("ask_name", {});
  assert.equal(result.error?.code, "tool_error");
  assert.equal(
    result.error?.message,
    "Cannot ask the person: this call has no surface to ask through",
  );
  assert.deepEqual(result.error?.details, { missingCapability: "elicitation" });
});

Deno.test("context.elicit() asks the call's surface before the session's, and that before the runtime's", async () => {
  const says = (name: string): InputSurface => ({
    elicit: () => Promise.resolve({ action: "accept", content: { name } }),
  });
  await using test = await startRuntime({ fixtures: ["asking"], input: says("runtime") });
  using session = test.runtime.session({ input: says("session") });
  const named = async (result: ReturnType<typeof test.call>) =>
    JSON.parse((await result).content).content.name;
  assert.equal(await named(test.call("ask_name", {})), "runtime");
  assert.equal(await named(session.dispatch("ask_name", {})), "session");
  assert.equal(await named(session.dispatch("ask_name", {}, { input: says("call") })), "call");
});

Deno.test("context gives questions of one turn to the surface in one turn, each with its key", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  const waiting: string[] = [];
  const all = Promise.withResolvers<void>();
  const arrive = ({ key }: InputOrigin): Promise<void> => {
    if (waiting.push(key) === 3) all.resolve();
    return all.promise;
  };
  const result = await test.call("ask_all", {}, {
    input: {
      elicit: async (_, origin) => {
        await arrive(origin);
        return { action: "decline" };
      },
      sample: async (_, origin) => {
        await arrive(origin);
        return MODEL;
      },
      listRoots: async (origin) => {
        await arrive(origin);
        return [{ uri: "file:///home", name: "Home" }];
      },
    },
  });
  assert.deepEqual(waiting.sort(), ["input_1", "input_2", "places"]);
  assert.deepEqual(result.structured, {
    person: { action: "decline" },
    model: MODEL,
    roots: [{ uri: "file:///home", name: "Home" }],
  });
});

Deno.test("context.elicit() refuses questions that are none, and answers that do not match", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  const schema = (field: unknown) => ({ type: "object", properties: { a: field } });
  const ask = async (questions: unknown[], content: unknown = { a: 1 }) => {
    const input = { elicit: () => Promise.resolve({ action: "accept", content } as never) };
    return (await test.call("ask_anything", { questions } as never, { input })).structured;
  };
  assert.deepEqual(
    await ask([
      "no object",
      { message: "", requestedSchema: schema({ type: "string" }) },
      { message: "m", requestedSchema: { type: "array" } },
      { message: "m", requestedSchema: schema({ type: "object" }) },
      { key: "a b", message: "m", requestedSchema: schema({ type: "string" }) },
      { key: "twice", message: "m", requestedSchema: schema({ type: "integer" }) },
      { key: "twice", message: "m", requestedSchema: schema({ type: "integer" }) },
      { message: "m", requestedSchema: schema({ type: "string" }) },
    ]),
    [
      "ToolError: Cannot ask: expected an object",
      'ToolError: Cannot ask the person: "message" must be a text of 1 to 8192 characters',
      'ToolError: Cannot ask the person: "requestedSchema" must be a schema of type "object" with "properties"',
      'ToolError: Cannot ask the person: field "a" of "requestedSchema" must be of type string, number, integer, boolean or array: a person answers in plain fields',
      'ToolError: Cannot ask: "key" must be 1 to 64 letters, digits, "_", "." or "-"',
      { action: "accept", content: { a: 1 } },
      'ToolError: Cannot ask the person: "twice" names another question of this call',
      "ToolError: Cannot ask the person: the answer does not match: /a: expected string, got number 1",
    ],
  );
  assert.deepEqual(await ask([{ message: "m", requestedSchema: schema({ type: "string" }) }], 5), [
    "ToolError: Cannot ask the person: an accepted answer needs an object as its content",
  ]);
});

Deno.test("context.elicit() may ask sixteen questions at once, and no more", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  let open = 0;
  const input: InputSurface = {
    elicit: () => {
      open++;
      return Promise.resolve({ action: "cancel" });
    },
  };
  const question = { message: "m", requestedSchema: { type: "object", properties: {} } };
  const result = await test.call("ask_anything", { questions: Array(20).fill(question) }, {
    input,
  });
  const answers = result.structured as unknown[];
  assert.equal(open, 16);
  assert.deepEqual(answers[15], { action: "cancel" });
  assert.equal(answers[16], "ToolError: Cannot ask: 16 questions are open");
});

Deno.test("Dispatcher.dispatch() lets the deadline wait while a person answers", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  const later = Promise.withResolvers<void>();
  // Longer than the tool's whole second.
  const timer = setTimeout(later.resolve, 1_600);
  const result = await test.call("ask_name", {}, {
    input: {
      elicit: async () => {
        await later.promise;
        return { action: "accept", content: { name: "Ada" } };
      },
    },
  });
  clearTimeout(timer);
  assert.equal(result.ok, true, result.content);
});

Deno.test("Dispatcher.dispatch() ends a call that spins when its question is answered or cancelled", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  let aborted = false;
  const asked = Promise.withResolvers<void>();
  const cancel = new AbortController();
  const running = test.call("ask_and_spin", {}, {
    signal: cancel.signal,
    input: {
      elicit: (_, { signal }) => {
        signal.addEventListener("abort", () => aborted = true);
        asked.resolve();
        return new Promise(() => {});
      },
    },
  });
  await asked.promise;
  cancel.abort();
  const result = await running;
  assert.deepEqual([result.error?.code, result.end, aborted], ["cancelled", "stopped", true]);

  const answered = await test.call("ask_and_spin", {}, {
    input: { elicit: () => Promise.resolve({ action: "cancel" }) },
  });
  assert.deepEqual([answered.error?.code, answered.end], ["timeout", "stopped"]);
});
