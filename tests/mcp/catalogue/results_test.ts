import assert from "node:assert/strict";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { CallFailure } from "../../../core/call_failure.ts";
import { cutBlocks } from "../../../mcp/catalogue/cut_blocks.ts";
import { readServerResult } from "../../../mcp/catalogue/results.ts";
import { MemoryServer, startHub, tool } from "../_memory_server.ts";

const SOURCE = { server: "srv", tool: "t", hasOutputSchema: false };
const PNG = "iVBORw0KGgo=";

function read(result: unknown, hasOutputSchema = false) {
  return readServerResult(result as CallToolResult, { ...SOURCE, hasOutputSchema });
}

const text = (value: string) => ({ type: "text", text: value }) as const;

Deno.test("readServerResult() shows a structured result once: beside a text that is the same JSON it is dropped", () => {
  const structuredContent = { b: [1], a: "x" };
  assert.deepEqual(read({ content: [text('{ "a": "x", "b": [1] }')], structuredContent }), {
    content: [text('{ "a": "x", "b": [1] }')],
  });
  assert.deepEqual(read({ content: [text("Found 1")], structuredContent }), {
    content: [text("Found 1"), text('{"b":[1],"a":"x"}')],
    structuredContent,
  });
  assert.deepEqual(read({ content: [], structuredContent: 7 }), {
    content: [text("7")],
    structuredContent: 7,
  });
  // The same text in an object says nothing more.
  assert.deepEqual(read({ content: [text("a\nb")], structuredContent: { content: "a\nb" } }), {
    content: [text("a\nb")],
  });
  // Who promises a value gives one, whatever the texts are.
  assert.deepEqual(read({ content: [text('{"a":1}')], structuredContent: { a: 1 } }, true), {
    content: [text('{"a":1}')],
    structuredContent: { a: 1 },
  });
});

Deno.test("readServerResult() makes a failure of isError, with the text and without credentials", () => {
  const fails = (content: unknown, message: RegExp) =>
    assert.throws(
      () => read({ content, isError: true, structuredContent: { a: 1 } }),
      (error) => {
        assert.ok(error instanceof CallFailure);
        assert.equal(error.code, "tool_error");
        assert.match(error.message, message);
        return true;
      },
    );
  fails([text("No\x1b[31m such file")], /^No such file$/);
  fails(
    [text("Bearer abcdefghijklmnop failed"), text("really")],
    /^Bearer \[redacted\] failed\nreally$/,
  );
  fails([], /^Tool "t" of MCP server "srv" failed and gave no reason$/);
  fails([{ type: "image", data: PNG, mimeType: "image/png" }], /^\[image, image\/png\]$/);
});

Deno.test("readServerResult() says what it leaves out, and never drops a block in silence", () => {
  const { content } = read({
    content: [
      { type: "video", data: "x" },
      { type: "text" },
      null,
      { type: "image", data: "not base64!", mimeType: "image/png" },
      { type: "audio", data: PNG, mimeType: "noise" },
      { type: "resource", resource: { uri: "a://b" } },
      { type: "resource" },
      { type: "resource_link", name: "x" },
      { type: "resource_link", uri: "a://c" },
      { type: "resource", resource: { uri: "a://b", blob: PNG, mimeType: "image/png" } },
    ],
  });
  assert.deepEqual(content, [
    text('[Left out: a content block of the unsupported type "video"]'),
    text("[Left out: a text block without text]"),
    text("[Left out: a content block that is no object]"),
    text("[Left out: image, its data is not valid base64]"),
    text("[Left out: audio, 8 bytes, of no media type]"),
    text("[Left out: resource a://b, which holds neither text nor valid base64]"),
    text("[Left out: a resource without address]"),
    text("[Left out: a link to a resource without address]"),
    { type: "resource_link", uri: "a://c", name: "a://c" },
    { type: "resource", resource: { uri: "a://b", blob: PNG, mimeType: "image/png" } },
  ]);
  assert.deepEqual(read({ content: "text" }).content, [
    text("[Left out: the content is no list of blocks]"),
  ]);
});

Deno.test("readServerResult() passes four images and describes the others", () => {
  const image = { type: "image", data: PNG, mimeType: "image/png" };
  const { content } = read({ content: Array(6).fill(image) });
  const notice = text("[Left out: image, image/png, 8 bytes: a result passes 4 images]");
  assert.deepEqual(content, [image, image, image, image, notice, notice]);
});

Deno.test("readServerResult() passes 50 MiB of resources and describes what is more", () => {
  const blob = "A".repeat(40 * 1024 * 1024);
  const block = { type: "resource", resource: { uri: "a://b", blob } };
  const { content } = read({ content: [block, block] });
  assert.equal(content[0]!.type, "resource");
  assert.deepEqual(
    content[1],
    text("[Left out: resource a://b, 31457280 bytes: a result passes 52428800 bytes]"),
  );
});

Deno.test("cutBlocks() keeps 40 % from the beginning and 60 % from the end, across blocks", () => {
  const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
  const blocks = [text("abcdef"), image, text("ghijkl"), text("mnopqrst")];
  // 20 characters in all; 4 and 6 of them stay.
  assert.deepEqual(cutBlocks(blocks, 10), [
    text("abcd\n[Left out: 10 characters in the middle of a result of 20]\n"),
    image,
    text("opqrst"),
  ]);
  assert.equal(cutBlocks(blocks, 20), blocks);
  assert.deepEqual(cutBlocks([text("0123456789")], 5), [
    text("01\n[Left out: 5 characters in the middle of a result of 10]\n789"),
  ]);
});

Deno.test("A tool of a server [A12] gives results without terminal sequences, whatever the server sends", async () => {
  const server = new MemoryServer([tool("t", { outputSchema: { type: "object" } })]);
  server.answer = () => ({
    content: [text('{"a":1}'), text("\x1b]0;title\x07done\u{E0041}")],
    structuredContent: { a: 1 },
  });
  await using test = await startHub({ srv: server });
  const result = await test.runtime.dispatch("mcp__srv__t", {});
  assert.ok(result.ok, result.content);
  assert.deepEqual(result.structured, { a: 1 });
  assert.ok(result.content.includes('{"a":1}\ndone'), result.content);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(JSON.stringify(result), /\\u001b|\\u0007|[\x1b\x07]|\u{E0041}/u);
});

Deno.test("A tool of a server that says isError ends with tool_error and the server's text", async () => {
  const server = new MemoryServer([tool("t")]);
  server.answer = () => ({ content: [text("token=abcd1234 is wrong")], isError: true });
  await using test = await startHub({ srv: server });
  const result = await test.runtime.dispatch("mcp__srv__t", {});
  assert.equal(result.error?.code, "tool_error");
  assert.equal(result.error?.message, "token=[redacted] is wrong");
});
