import assert from "node:assert/strict";
import { headerFault } from "../../../mcp/client/header_declarations.ts";

function withProperties(properties: unknown): unknown {
  return { type: "object", properties };
}

const region = { type: "string", "x-mcp-header": "Region" };

Deno.test("headerFault() finds nothing wrong with plain properties at any depth", () => {
  assert.equal(headerFault(withProperties({ region })), undefined);
  assert.equal(headerFault(withProperties({ place: withProperties({ region }) })), undefined);
  assert.equal(headerFault({ type: "object" }), undefined);
  assert.equal(headerFault(withProperties({ a: { default: { "x-mcp-header": 7 } } })), undefined);
});

Deno.test("headerFault() finds what must not be offered over HTTP", () => {
  const cases: [unknown, RegExp][] = [
    [{ ...region }, /stands beside no plain property/],
    [withProperties({ list: { type: "array", items: region } }), /no plain property/],
    [withProperties({ a: { anyOf: [region] } }), /no plain property/],
    [{ type: "object", $defs: { region } }, /no plain property/],
    [withProperties({ a: { anyOf: [withProperties({ region })] } }), /no plain property/],
    [withProperties({ a: { ...region, "x-mcp-header": "" } }), /no name of a header/],
    [withProperties({ a: { ...region, "x-mcp-header": "a b" } }), /no name of a header/],
    [withProperties({ a: { ...region, "x-mcp-header": "a\r\nb" } }), /no name of a header/],
    [withProperties({ a: { ...region, "x-mcp-header": 7 } }), /no name of a header/],
    [withProperties({ a: { ...region, type: "number" } }), /no text, integer or boolean/],
    [withProperties({ a: { "x-mcp-header": "A" } }), /no text, integer or boolean/],
    [withProperties({ a: region, b: { ...region, "x-mcp-header": "REGION" } }), /there twice/],
  ];
  for (const [schema, expected] of cases) {
    assert.match(headerFault(schema) ?? "nothing", expected, JSON.stringify(schema));
  }
});
