import assert from "node:assert/strict";
import { callTool, connect, ERAS, type ServedRuntime, serveHttp, startTools } from "./_server.ts";

const FORM = { elicitation: {} };

function startAsking(): Promise<ServedRuntime> {
  return startTools({ config: { approval: { tools: { echo: "ask" } } } });
}

for (const era of ERAS) {
  Deno.test(`tools/call asks the person of a client of ${era} for approval, and runs on yes alone`, async () => {
    await using test = await startAsking();
    await using served = serveHttp(test);
    await using client = await connect(served.url, era, { capabilities: FORM });
    const asked: string[] = [];
    let answer: unknown;
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer as never;
    });
    const call = async (text: string) => {
      const { isError, content } = await client.callTool({ name: "echo", arguments: { text } });
      return [isError ?? false, (content[0] as { text: string }).text];
    };
    answer = { action: "accept", content: { decision: "yes" } };
    assert.deepEqual(await call("first"), [false, "first"]);
    const refusals = [
      { action: "accept", content: { decision: "no" } },
      { action: "decline" },
      { action: "cancel" },
    ];
    for (const refusal of refusals) {
      answer = refusal;
      const [isError, text] = await call("second");
      assert.equal(isError, true);
      assert.match(String(text), /approval_denied/);
    }
    assert.equal(test.probe.runs.get("echo"), 1);
    assert.match(asked[0]!, /^Run the tool "echo" once\?\nAsked because: /);
    assert.match(asked[0]!, /Arguments: \{"text":"first"\}/);
    // Once is once.
    answer = { action: "decline" };
    assert.equal((await call("first"))[0], true);
  });

  Deno.test(`tools/call says that approval is needed to a client of ${era} without elicitation`, async () => {
    await using test = await startAsking();
    await using served = serveHttp(test);
    await using client = await connect(served.url, era);
    const result = await client.callTool({ name: "echo", arguments: { text: "a" } });
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /approval_required/);
    assert.match(JSON.stringify(result.content), /without approval, and nobody can be asked here/);
    assert.equal(test.probe.runs.get("echo"), undefined);
  });
}

Deno.test("tools/call shows an approval's arguments neutralised and cut [A12]", async () => {
  await using test = await startAsking();
  await using served = serveHttp(test);
  const text = `\u001b[2J\u202e${"x".repeat(10_000)}`;
  const { body } = await callTool(served.url, "echo", { text }, { capabilities: FORM });
  const { params } = body.result.inputRequests["cloister.approval"];
  for (const steering of ["\u001b", "\u202e"]) assert.ok(!params.message.includes(steering));
  assert.match(params.message, /\\u\{202e\}x/);
  assert.match(params.message, /… and \d+ more characters/);
  assert.ok(params.message.length < 6_000);
  assert.deepEqual(params.requestedSchema.properties.decision.enum, ["no", "yes"]);
  assert.equal(params.requestedSchema.properties.decision.default, "no");
});

Deno.test("tools/call takes no approval that nobody asked for [A24]", async () => {
  await using test = await startAsking();
  await using served = serveHttp(test);
  const yes = { "cloister.approval": { action: "accept", content: { decision: "yes" } } };
  const { body } = await callTool(served.url, "echo", { text: "a" }, {
    capabilities: FORM,
    retry: { inputResponses: yes },
  });
  assert.equal(body.result.resultType, "input_required");
  // The state is for these arguments, so a yes to them is no yes to others.
  const { requestState } = body.result;
  const other = await callTool(served.url, "echo", { text: "b" }, {
    capabilities: FORM,
    retry: { requestState, inputResponses: yes },
  });
  assert.equal(other.body.error.code, -32602);
  assert.equal(test.probe.runs.get("echo"), undefined);
  const same = await callTool(served.url, "echo", { text: "a" }, {
    capabilities: FORM,
    retry: { requestState, inputResponses: yes },
  });
  assert.equal(same.body.result.content[0].text, "a");
});
