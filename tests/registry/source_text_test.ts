import assert from "node:assert/strict";
import { decodeSource } from "../../registry/source_text.ts";
import { source } from "./scan_support.ts";

function fault(bytes: Uint8Array): string {
  const decoded = decodeSource({ path: "/root/a.ts", bytes });
  if (decoded.ok) return "ok";
  const { line, column, code, severity } = decoded.diagnostic;
  assert.equal(severity, "error");
  return `${line}:${column} ${code}`;
}

Deno.test("decodeSource() takes UTF-8 with and without a byte order mark", () => {
  assert.deepEqual(decodeSource(source("é 🔢")), { ok: true, text: "é 🔢" });
  assert.deepEqual(decodeSource(source("\uFEFFé")), { ok: true, text: "é" });
  assert.deepEqual(decodeSource(source("")), { ok: true, text: "" });
});

Deno.test("decodeSource() keeps a replacement character that the file really holds", () => {
  assert.deepEqual(decodeSource(source("\uFFFD")), { ok: true, text: "\uFFFD" });
});

Deno.test("decodeSource() gives the place of the first byte that is not UTF-8", () => {
  assert.equal(fault(new Uint8Array([0x61, 0x0a, 0x62, 0x63, 0xff, 0x64])), "2:3 not_utf8");
  assert.equal(fault(new Uint8Array([0xff])), "1:1 not_utf8");
  assert.equal(fault(new Uint8Array([0x61, 0xc3])), "1:2 not_utf8");
});

Deno.test("decodeSource() refuses UTF-16 with and without a byte order mark", () => {
  assert.equal(fault(new Uint8Array([0xff, 0xfe, 0x61, 0x00])), "1:1 not_utf8");
  assert.equal(fault(new Uint8Array([0xfe, 0xff, 0x00, 0x61])), "1:1 not_utf8");
  assert.equal(fault(new Uint8Array([0x61, 0x00, 0x62, 0x00])), "1:2 nul_byte");
});

Deno.test("decodeSource() refuses NUL with its place", () => {
  assert.equal(fault(source("a\r\nb\rcd\0").bytes), "3:3 nul_byte");
});

Deno.test("decodeSource() takes exactly 1 MB and no byte more", () => {
  assert.equal(fault(new Uint8Array(1_048_576).fill(0x20)), "ok");
  assert.equal(fault(new Uint8Array(1_048_577).fill(0x20)), "1:1 too_large");
});
