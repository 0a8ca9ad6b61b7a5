import assert from "node:assert/strict";
import { callTool, connect, ERAS, post, serveHttp, startTools } from "./_server.ts";

const CHARS = 150_000;

for (const era of ERAS) {
  Deno.test(`resources/read gives a client of ${era} the whole of a result that was shortened`, async () => {
    await using test = await startTools();
    await using served = serveHttp(test);
    await using client = await connect(served.url, era);
    const { content } = await client.callTool({ name: "long", arguments: { chars: CHARS } });
    const [text, link] = content as unknown as [
      { type: string; text: string },
      { type: string; uri: string; mimeType: string; description: string },
    ];
    assert.match(text.text, /^<persisted-output>\nThe result has 150,000 characters/);
    assert.ok(text.text.length < 20_000);
    assert.equal(link.type, "resource_link");
    assert.match(link.uri, /^cloister:\/\/results\/long-[A-Za-z0-9-]+\.txt$/);
    assert.equal(link.description, "The whole result, 150,000 characters; kept for a day");
    const { contents } = await client.readResource({ uri: link.uri });
    assert.equal(contents.length, 1);
    assert.equal((contents[0] as { text: string }).text, "x".repeat(CHARS));
    // The tool that the text names reads on, in later calls too.
    const id = /id "([^"]+)"/.exec(text.text)![1]!;
    const page = await client.callTool({
      name: "read_result",
      arguments: { id, offset: CHARS - 10 },
    });
    assert.match(
      JSON.stringify(page.content),
      /xxxxxxxxxx\\n\[characters 149990-149999 of 150000\]/,
    );
  });
}

Deno.test("resources/read knows only results that were linked to [A24]", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  await callTool(served.url, "long", { chars: CHARS });
  const secret = `${test.base}/secret.txt`;
  await Deno.writeTextFile(secret, "secret");
  const uris = [
    "cloister://results/secret.txt",
    "cloister://results/..%2f..%2fsecret.txt",
    "cloister://results/../../secret.txt",
    `cloister://results/${secret}`,
    `file://${secret}`,
    "cloister://results/",
  ];
  for (const uri of uris) {
    const { body } = await post({ url: served.url, method: "resources/read", params: { uri } });
    assert.equal(body.error?.code, -32602, uri);
    assert.deepEqual(body.error.data, { uri });
  }
});

Deno.test("resources/read finds nothing where the file was taken away or replaced by a link", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const uriOf = async () => {
    const { body } = await callTool(served.url, "long", { chars: CHARS });
    return body.result.content[1].uri as string;
  };
  const [gone, linked] = [await uriOf(), await uriOf()];
  const [session] = Array.from(Deno.readDirSync(`${test.base}/cache/spill`));
  const folder = `${test.base}/cache/spill/${session!.name}`;
  for (const { name: file } of Array.from(Deno.readDirSync(folder))) {
    await Deno.remove(`${folder}/${file}`);
    if (linked.endsWith(file)) await Deno.symlink("/etc/passwd", `${folder}/${file}`);
  }
  for (const uri of [gone, linked]) {
    const { body } = await post({ url: served.url, method: "resources/read", params: { uri } });
    assert.equal(body.error?.code, -32602);
  }
});

Deno.test("read_result answers that there is nothing while nothing was shortened", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const { body } = await callTool(served.url, "read_result", { id: "long-1" });
  assert.equal(body.result.isError, true);
  assert.match(body.result.content[0].text, /There is no result of this id/);
});

Deno.test("tools/call sends no structured copy of a result that was shortened, unless the tool promises one", async () => {
  await using test = await startTools();
  const items = { type: "array", items: { type: "string" } } as const;
  const register = (name: string, outputSchema?: object) =>
    test.registry.register({
      name,
      toolset: "tests",
      description: "Gives much.",
      schema: { type: "object", properties: { count: { type: "integer" } } },
      ...(outputSchema ? { outputSchema } : {}),
      handler: ({ count }: { count?: number }) => ({
        items: Array.from({ length: count ?? 0 }, () => "x".repeat(1_000)),
      }),
    } as never);
  register("plain");
  register("promised", { type: "object", properties: { items }, required: ["items"] });
  await using served = serveHttp(test);
  const plain = (await callTool(served.url, "plain", { count: 200 })).body.result;
  assert.equal(plain.structuredContent, undefined);
  assert.equal(plain.content.at(-1).type, "resource_link");
  const promised = (await callTool(served.url, "promised", { count: 200 })).body.result;
  assert.equal(promised.structuredContent.items.length, 200);
  const huge = (await callTool(served.url, "promised", { count: 2_000 })).body.result;
  assert.equal(huge.isError, true);
  assert.equal(huge.structuredContent, undefined);
  assert.match(huge.content[0].text, /too long to be sent/);
});
