import assert from "node:assert/strict";
import type { ElicitRequest, ElicitResult } from "../../../core/context.ts";
import { answerElicitation } from "../../../mcp/client/elicitation.ts";

const requestedSchema = {
  type: "object",
  properties: { name: { type: "string" }, loud: { type: "boolean", default: true } },
};

function accept(content?: ElicitResult["content"]): () => Promise<ElicitResult> {
  return () => Promise.resolve({ action: "accept", content });
}

Deno.test("answerElicitation() passes on the answer, with the defaults of what was left empty", async () => {
  const params = { message: "Who?", requestedSchema };
  assert.deepEqual(await answerElicitation(params, accept({ name: "Ann" })), {
    action: "accept",
    content: { name: "Ann", loud: true },
  });
  assert.deepEqual(await answerElicitation(params, accept({ loud: false })), {
    action: "accept",
    content: { loud: false },
  });
});

Deno.test("answerElicitation() passes on a refusal without any content", async () => {
  const elicit = () => Promise.resolve({ action: "decline" as const, content: { name: "Ann" } });
  assert.deepEqual(await answerElicitation({ message: "Who?", requestedSchema }, elicit), {
    action: "decline",
  });
});

Deno.test("answerElicitation() declines what is no form, unasked", async () => {
  const wrong: unknown[] = [
    undefined,
    7,
    { message: "Go", mode: "url", url: "https://example.com/", requestedSchema },
    { message: 7, requestedSchema },
    { message: "Who?" },
    { message: "Who?", requestedSchema: [] },
    { message: "Who?", requestedSchema: { type: "object", $comment: "x".repeat(70_000) } },
  ];
  for (const params of wrong) {
    const asked = () => assert.fail("It was asked");
    assert.deepEqual(await answerElicitation(params, asked), { action: "decline" });
  }
});

Deno.test("answerElicitation() cancels when nobody can be asked", async () => {
  const elicit = () => Promise.reject(new Error("no surface"));
  assert.deepEqual(await answerElicitation({ message: "Who?", requestedSchema }, elicit), {
    action: "cancel",
  });
});

Deno.test("answerElicitation() [A12] shows no text that steers, and keeps values as they are", async () => {
  const heard: ElicitRequest[] = [];
  const dirty = "a\u001b[31mb\u202ec\u{e0041}";
  const params = {
    message: `${dirty}${"x".repeat(5_000)}`,
    requestedSchema: {
      type: "object",
      properties: {
        title: { type: "string", title: dirty, enum: [dirty], enumNames: [dirty] },
      },
    },
  };
  await answerElicitation(params, (request) => {
    heard.push(request);
    return accept()();
  });
  assert.equal(heard[0]!.message.slice(0, 5), "abcxx");
  assert.equal(heard[0]!.message.length, 4_000);
  assert.deepEqual(heard[0]!.requestedSchema.properties, {
    title: { type: "string", title: "abc", enum: [dirty], enumNames: ["abc"] },
  });
});
