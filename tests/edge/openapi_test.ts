import assert from "node:assert/strict";
import { ERROR_CODES } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { createHttpHandler } from "../../edge/http_handler.ts";
import { fakeEntry, fakeRuntime } from "./fake_runtime.ts";

async function documentOf(...entries: ReturnType<typeof fakeEntry>[]) {
  const handler = createHttpHandler(fakeRuntime({}, entries).runtime, { version: "9.9.9" });
  return await (await handler(new Request("http://localhost/openapi.json"))).json();
}

Deno.test("openApiDocument() has one operation a tool, with the tool's own schema", async () => {
  const schema = { type: "object", properties: { path: { type: "string" } } };
  const document = await documentOf(
    fakeEntry({ name: "read_file", title: "Read", toolset: "file", schema }),
    fakeEntry({ name: "list" }),
  );
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.info.version, "9.9.9");
  assert.deepEqual(Object.keys(document.paths), [
    "/healthz",
    "/readyz",
    "/tools",
    "/tools/list/call",
    "/tools/read_file/call",
  ]);
  const { post } = document.paths["/tools/read_file/call"];
  assert.deepEqual([post.operationId, post.summary, post.tags], ["read_file", "Read", ["file"]]);
  assert.deepEqual(post.requestBody.content["application/json"].schema, schema);
});

Deno.test("openApiDocument() gives operation ids that are unique and local references that resolve", async () => {
  const document = await documentOf(fakeEntry({ name: "list" }), fakeEntry({ name: "health" }));
  const operations = Object.values(document.paths as JsonObject)
    .flatMap((item) => Object.values(item as JsonObject)) as { operationId: string }[];
  const ids = operations.map((operation) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)];
  assert.ok(references.length > 0);
  for (const [, reference] of references) {
    const target = reference!.split("/").slice(1)
      .reduce((value: JsonObject, key) => value[key] as JsonObject, document);
    assert.ok(target, reference);
  }
});

Deno.test("openApiDocument() makes a schema with references of its own a resource of its own", async () => {
  const schema = { $defs: { a: { type: "string" } }, properties: { x: { $ref: "#/$defs/a" } } };
  const document = await documentOf(fakeEntry({ name: "tree", schema }));
  const { post } = document.paths["/tools/tree/call"];
  assert.deepEqual(post.requestBody.content["application/json"].schema, {
    $id: "urn:cloister:tool:tree:arguments",
    ...schema,
  });
});

Deno.test("openApiDocument() names every error code under its status", async () => {
  const { post } = (await documentOf(fakeEntry())).paths["/tools/echo/call"];
  const texts = JSON.stringify(post.responses);
  for (const code of ERROR_CODES) assert.ok(texts.includes(code), code);
});
