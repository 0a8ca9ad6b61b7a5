import assert from "node:assert/strict";
import type { ModuleStatus } from "../../registry/discovery_types.ts";
import { shareArena, succeeded } from "./_arena.ts";
import { writeBait } from "./_bait.ts";

/** How long the bait may keep discovery busy, in milliseconds. */
const DISCOVERY_MS = 10_000;

const arena = shareArena("a20", { prepare: ({ root }) => writeBait(root) });

type Row = readonly [status: ModuleStatus, place: string, code: string];

/** What becomes of each file: its first finding, or none where it only talks of registrations. */
const TABLE: Readonly<Record<string, Row | undefined>> = {
  computed_member: ["no_tools", "3:1", "computed_member"],
  in_if: ["no_tools", "3:21", "conditional"],
  in_try: ["no_tools", "4:3", "in_try"],
  in_function: ["no_tools", "4:3", "in_function"],
  from_timer: ["no_tools", "3:18", "in_function"],
  by_alias: ["no_tools", "3:15", "aliased"],
  by_destructuring: ["no_tools", "3:22", "destructured"],
  by_call: ["no_tools", "3:1", "called_through"],
  by_comma: ["no_tools", "3:5", "called_through"],
  by_label: ["no_tools", "3:8", "in_block"],
  awaited: ["no_tools", "3:7", "awaited"],
  local_registry: ["no_tools", "3:1", "local_registry"],
  in_comment: undefined,
  in_text: undefined,
  in_eval: undefined,
  empty: undefined,
  cut_off: ["failed", "4:1", "syntax_error"],
  invalid_utf8: ["failed", "3:4", "not_utf8"],
  utf16_le: ["failed", "1:1", "not_utf8"],
  utf16_be: ["failed", "1:1", "not_utf8"],
  nul_bytes: ["failed", "2:1", "nul_byte"],
  ten_megabytes: ["failed", "1:1", "file_too_large"],
  nested_brackets: ["failed", "1:1", "too_complex"],
  nested_parentheses: ["failed", "1:1", "too_complex"],
  nested_functions: ["failed", "1:1", "too_complex"],
  long_sum: ["failed", "1:1", "too_complex"],
  long_template: ["failed", "1:1", "too_complex"],
  thousand_registrations: ["failed", "258:1", "too_many_tools"],
};

for (const [name, row] of Object.entries(TABLE)) {
  Deno.test(`attack [A20] ${name}: contained`, async () => {
    const { status, tools, diagnostics } = arena().report(`${name}.ts`);
    assert.deepEqual(tools, []);
    const [first] = diagnostics;
    const seen = first && [status, `${first.line}:${first.column}`, first.code];
    assert.deepEqual(seen, row);
    if (row === undefined) assert.equal(status, "no_tools");
    await arena().contain(name, {}, { code: "unknown_tool" });
  });
}

Deno.test("attack [A20] discovery of all of it in bounded time: contained", () => {
  const { durationMs, modules } = arena().runtime.lastDiscovery!;
  assert.ok(durationMs < DISCOVERY_MS, `It took ${durationMs} ms`);
  // No file is skipped in silence; a folder of that name is no file.
  assert.equal(modules.length, Object.keys(TABLE).length + TWINS.length + 1);
});

const TWINS = ["twin_alias", "twin_crlf_bom", "twin_escape", "twin_loop", "bidirectional"];

Deno.test("attack [A20] twin odd spellings of a plain registration", async () => {
  for (const name of TWINS) {
    assert.deepEqual(arena().report(`${name}.ts`).tools, [name]);
    assert.equal(succeeded(await arena().call(name)).content, "ran");
  }
  assert.equal((await arena().runtime.explain("twin_crlf_bom")).source?.line, 3);
});
