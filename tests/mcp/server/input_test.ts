import assert from "node:assert/strict";
import {
  callTool,
  connect,
  ERAS,
  LEGACY,
  MODERN,
  serveHttp,
  serveStreams,
  startTools,
  within,
} from "./_server.ts";

const FORM = { elicitation: {} };
const ALL = { elicitation: { form: {} }, sampling: {}, roots: {} };
const accept = (name: string) => ({ action: "accept", content: { name } });
const MODEL = { role: "assistant", content: { type: "text", text: "Hello" }, model: "small" };

for (const era of ERAS) {
  Deno.test(`tools/call asks the person, the model and the roots of a client of ${era}`, async () => {
    await using test = await startTools();
    await using served = serveHttp(test);
    await using client = await connect(served.url, era, { capabilities: ALL });
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { name: "Ada" } };
    });
    client.setRequestHandler("sampling/createMessage", ({ params }) => {
      asked.push(params.maxTokens);
      return MODEL as never;
    });
    client.setRequestHandler("roots/list", () => {
      asked.push("roots");
      return { roots: [{ uri: "file:///home" }] };
    });
    const { structuredContent } = await client.callTool({ name: "ask_all" });
    assert.deepEqual(structuredContent, {
      person: accept("Ada"),
      model: MODEL,
      roots: [{ uri: "file:///home" }],
    });
    assert.deepEqual(new Set(asked), new Set(["Who?", 10, "roots"]));
    const twice = await client.callTool({ name: "ask_twice" });
    assert.deepEqual(twice.content, [{ type: "text", text: "Ada and Ada" }]);
    assert.equal(test.probe.runs.get("ask_twice"), 1, "the call went on, it did not start anew");
  });

  Deno.test(`tools/call asks a client of ${era} over streams`, async () => {
    await using test = await startTools();
    await using served = serveStreams(test);
    await using client = await connect(served.transport, era, { capabilities: FORM });
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { name: "Ada" },
    }));
    const { content } = await client.callTool({ name: "ask" });
    assert.deepEqual(content, [{ type: "text", text: JSON.stringify(accept("Ada")) }]);
  });
}

Deno.test("tools/call lets sandboxed tools ask, in one round what they ask in one turn", async () => {
  await using test = await startTools({ fixtures: ["asking"] });
  test.registry.deregister("ask_all");
  await test.runtime.discover();
  await using served = serveHttp(test);
  const first = await callTool(served.url, "ask_all", {}, { capabilities: ALL });
  assert.equal(first.body.result.resultType, "input_required");
  assert.deepEqual(Object.keys(first.body.result.inputRequests).sort(), [
    "input_1",
    "input_2",
    "places",
  ]);
  const { requestState } = first.body.result;
  const inputResponses = {
    input_1: accept("Ada"),
    input_2: MODEL,
    places: { roots: [{ uri: "file:///x" }] },
  };
  const second = await callTool(served.url, "ask_all", {}, {
    capabilities: ALL,
    retry: { requestState, inputResponses },
  });
  assert.deepEqual(second.body.result.structuredContent, {
    person: accept("Ada"),
    model: MODEL,
    roots: [{ uri: "file:///x" }],
  });
});

Deno.test("tools/call gives a modern client the question as the protocol writes it", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const { status, body } = await callTool(served.url, "ask", {}, { capabilities: FORM });
  assert.equal(status, 200);
  assert.deepEqual(body.result.inputRequests, {
    who: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Who are you?",
        requestedSchema: {
          type: "object",
          properties: { name: { type: "string" } },
          required: ["name"],
        },
      },
    },
  });
  assert.equal(typeof body.result.requestState, "string");
});

Deno.test("tools/call takes a state once, and only for the same call [A24]", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const more = { capabilities: FORM };
  const ask = async (name: string, args: unknown, retry: { readonly [key: string]: unknown }) =>
    (await callTool(served.url, name, args, { ...more, retry })).body;
  const first = await ask("ask_twice", {}, {});
  const state = first.result.requestState;
  const inputResponses = { one: accept("Ada") };
  const refused = async (
    name: string,
    args: unknown,
    retry: { readonly [key: string]: unknown },
    what: string,
  ) => {
    const { error } = await ask(name, args, retry);
    assert.equal(error?.code, -32602, what);
    assert.match(error.message, /^Invalid or expired requestState/, what);
  };
  const flipped = state.slice(0, -2) + (state.at(-2) === "A" ? "B" : "A") + state.at(-1);
  await refused("ask_twice", {}, { requestState: flipped, inputResponses }, "tampered");
  await refused("ask_twice", {}, { requestState: "", inputResponses }, "empty");
  await refused("ask_twice", {}, { requestState: 5, inputResponses }, "no text");
  await refused("ask_twice", { a: 1 }, { requestState: state, inputResponses }, "other arguments");
  await refused("ask", {}, { requestState: state, inputResponses }, "another tool");
  await using other = serveHttp(test);
  const foreign = await callTool(other.url, "ask_twice", {}, {
    ...more,
    retry: { requestState: state, inputResponses },
  });
  assert.equal(foreign.body.error.code, -32602, "another server");
  // None of that used it up.
  const second = await ask("ask_twice", {}, { requestState: state, inputResponses });
  assert.deepEqual(Object.keys(second.result.inputRequests), ["two"]);
  assert.notEqual(second.result.requestState, state);
  await refused("ask_twice", {}, { requestState: state, inputResponses }, "used");
  const third = await ask("ask_twice", {}, {
    requestState: second.result.requestState,
    inputResponses: { two: accept("Bob") },
  });
  assert.equal(third.result.content[0].text, "Ada and Bob");
});

Deno.test("tools/call asks again for answers that are missing, malformed or do not fit, and ignores others", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  let state = (await callTool(served.url, "ask", {}, { capabilities: FORM })).body.result
    .requestState;
  const bad = [
    undefined,
    {},
    { other: accept("Ada") },
    { who: 12345 },
    { who: { action: "maybe" } },
    { who: { action: "accept" } },
    { who: { action: "accept", content: { name: 5 } } },
    { who: { method: "elicitation/create", result: accept("Ada") } },
    { who: MODEL },
  ];
  for (const inputResponses of bad) {
    const retry = { requestState: state, ...(inputResponses ? { inputResponses } : {}) };
    const { body } = await callTool(served.url, "ask", {}, { capabilities: FORM, retry });
    assert.equal(body.result?.resultType, "input_required", JSON.stringify(inputResponses));
    assert.deepEqual(Object.keys(body.result.inputRequests), ["who"]);
    state = body.result.requestState;
  }
  const { body } = await callTool(served.url, "ask", {}, {
    capabilities: FORM,
    retry: { requestState: state, inputResponses: { who: accept("Ada"), extra: accept("x") } },
  });
  assert.equal(body.result.content[0].text, JSON.stringify(accept("Ada")));
  assert.equal(test.probe.runs.get("ask"), 1);
});

Deno.test("tools/call asks again only for what is still open", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const first = await callTool(served.url, "ask_all", {}, { capabilities: ALL });
  const second = await callTool(served.url, "ask_all", {}, {
    capabilities: ALL,
    retry: {
      requestState: first.body.result.requestState,
      inputResponses: { model: MODEL, roots: { roots: [] } },
    },
  });
  assert.deepEqual(Object.keys(second.body.result.inputRequests), ["person"]);
  const third = await callTool(served.url, "ask_all", {}, {
    capabilities: ALL,
    retry: {
      requestState: second.body.result.requestState,
      inputResponses: { person: { action: "decline" } },
    },
  });
  assert.deepEqual(third.body.result.structuredContent, {
    person: { action: "decline" },
    model: MODEL,
    roots: [],
  });
});

Deno.test("tools/call uses answers that come without a state, and asks for the rest", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const whole = await callTool(served.url, "ask_twice", {}, {
    capabilities: FORM,
    retry: { inputResponses: { one: accept("Ada"), two: accept("Bob") } },
  });
  assert.equal(whole.body.result.content[0].text, "Ada and Bob");
  const part = await callTool(served.url, "ask_twice", {}, {
    capabilities: FORM,
    retry: { inputResponses: { one: accept("Ada"), two: { action: "accept", content: {} } } },
  });
  assert.deepEqual(Object.keys(part.body.result.inputRequests), ["two"]);
});

Deno.test("tools/call answers -32021 when a modern call failed for want of a capability", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const sample = await callTool(served.url, "sample", {}, { capabilities: FORM });
  assert.equal(sample.status, 400);
  assert.equal(sample.body.error.code, -32021);
  assert.deepEqual(sample.body.error.data, { requiredCapabilities: { sampling: {} } });
  const ask = await callTool(served.url, "ask", {}, { capabilities: { elicitation: { url: {} } } });
  assert.deepEqual(ask.body.error.data, {
    requiredCapabilities: { elicitation: { form: {} } },
  });
  const given = await callTool(served.url, "sample", {}, { capabilities: { sampling: {} } });
  assert.equal(given.body.result.resultType, "input_required");
  // Nobody asked, so nothing is missing.
  const plain = await callTool(served.url, "fails");
  assert.equal(plain.body.result.isError, true);
});

Deno.test("tools/call cancels a call whose client can no longer be asked", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const ended = Promise.withResolvers<string | undefined>();
  test.runtime.on("tool-call-end", ({ result }) => ended.resolve(result.error?.code));
  const first = await callTool(served.url, "ask", {}, { capabilities: FORM });
  const { status, body } = await callTool(served.url, "ask", {}, {
    retry: { requestState: first.body.result.requestState },
  });
  assert.deepEqual([status, body.error.code], [400, -32021]);
  assert.equal(await within(ended.promise, "the end"), "cancelled");
});

Deno.test("tools/call refuses what a legacy client did not declare, as the tool's own error", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  await using client = await connect(served.url, LEGACY, { capabilities: FORM });
  client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
  const result = await client.callTool({ name: "sample" });
  assert.equal(result.isError, true);
  assert.match(JSON.stringify(result.content), /Cannot ask the caller's model/);
  const asked = await client.callTool({ name: "ask" });
  assert.deepEqual(asked.content, [{ type: "text", text: '{"action":"decline"}' }]);
});

Deno.test("tools/call cancels a call that nobody answers for too long", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { parkedForMs: 1 });
  const ended = Promise.withResolvers<string | undefined>();
  test.runtime.on("tool-call-end", ({ result }) => ended.resolve(result.error?.code));
  const first = await callTool(served.url, "ask", {}, { capabilities: FORM });
  assert.equal(await within(ended.promise, "the end"), "cancelled");
  const late = await callTool(served.url, "ask", {}, {
    capabilities: FORM,
    retry: {
      requestState: first.body.result.requestState,
      inputResponses: { who: accept("Ada") },
    },
  });
  assert.equal(late.body.error.code, -32602);
});

Deno.test("tools/call lets a bounded number of calls wait, and cancels the one that waited for longest", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { maxParkedCalls: 2 });
  const ended = Promise.withResolvers<void>();
  test.runtime.on("tool-call-end", () => ended.resolve());
  const states: unknown[] = [];
  for (let index = 0; index < 3; index++) {
    const { body } = await callTool(served.url, "ask", { index }, { capabilities: FORM });
    states.push(body.result.requestState);
  }
  await within(ended.promise, "the end of the first");
  const answers = [];
  for (const [index, requestState] of states.entries()) {
    const retry = { requestState, inputResponses: { who: accept(`n${index}`) } };
    const { body } = await callTool(served.url, "ask", { index }, { capabilities: FORM, retry });
    answers.push(body.error?.code ?? JSON.parse(body.result.content[0].text).content.name);
  }
  assert.deepEqual(answers, [-32602, "n1", "n2"]);
});

Deno.test("tools/call cancels the calls that wait when the server closes", async () => {
  await using test = await startTools();
  const ends: (string | undefined)[] = [];
  const all = Promise.withResolvers<void>();
  test.runtime.on("tool-call-end", ({ result }) => {
    if (ends.push(result.error?.code) === 2) all.resolve();
  });
  const http = serveHttp(test);
  await callTool(http.url, "ask", {}, { capabilities: FORM });
  const streams = serveStreams(test);
  const client = await connect(streams.transport, MODERN, {
    capabilities: FORM,
    inputRequired: { autoFulfill: false },
  });
  await assert.rejects(client.callTool({ name: "ask" }));
  await http[Symbol.asyncDispose]();
  await client.close();
  await within(streams.finished, "the end of the streams");
  await within(all.promise, "the end of the calls");
  assert.deepEqual(ends, ["cancelled", "cancelled"]);
});

Deno.test("tools/call reports the progress of a resumed call to the request that resumed it", async () => {
  await using test = await startTools();
  test.registry.register({
    name: "slow_talker",
    toolset: "tests",
    description: "Asks, and reports.",
    schema: { type: "object" },
    handler: async (_, context) => {
      context.progress(1, 1, "before");
      await context.elicit({
        key: "who",
        message: "Who?",
        requestedSchema: { type: "object", properties: {} },
      });
      context.progress(2, 2, "after");
      return "over";
    },
  });
  await using served = serveHttp(test);
  const first = await callTool(served.url, "slow_talker", {}, {
    capabilities: FORM,
    meta: { progressToken: "a" },
  });
  assert.deepEqual(first.events.map(({ params }) => [params.progressToken, params.message]), [
    ["a", "before"],
  ]);
  const second = await callTool(served.url, "slow_talker", {}, {
    capabilities: FORM,
    meta: { progressToken: "b" },
    retry: {
      requestState: first.body.result.requestState,
      inputResponses: { who: { action: "accept", content: {} } },
    },
  });
  assert.deepEqual(second.events.map(({ params }) => [params.progressToken, params.message]), [
    ["b", "after"],
  ]);
  assert.equal(second.body.result.content[0].text, "over");
});
