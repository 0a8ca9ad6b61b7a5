import assert from "node:assert/strict";
import fc from "fast-check";
import type { ToolContext } from "../../../core/context.ts";
import type { ToolResult } from "../../../core/result.ts";
import { createReadResultTool } from "../../../runtime/budget.ts";
import type { SpillStore } from "../../../runtime/spill.ts";
import { startRuntime, toolFile } from "../_runtime.ts";
import { withStore } from "./_store.ts";

const CONTEXT = { signal: new AbortController().signal } as ToolContext;

interface Page {
  readonly id: string;
  readonly offset?: number;
  readonly limit?: number;
}

async function read(
  store: SpillStore,
  page: Page,
  options?: Parameters<typeof createReadResultTool>[1],
): Promise<string> {
  return await createReadResultTool(store, options).handler(page, CONTEXT) as string;
}

Deno.test("createReadResultTool() reads a spilled result page by page", () =>
  withStore(async (store) => {
    const { id } = (await store.spill("fetch", "0123456789".repeat(1_000)))!;
    const first = await read(store, { id });
    assert.ok(first.startsWith("0123456789".repeat(800) + "\n"));
    assert.ok(first.endsWith("\n[characters 0-7999 of 10000; go on with offset=8000]"));
    assert.equal(
      await read(store, { id, offset: 9_995, limit: 50 }),
      "56789\n[characters 9995-9999 of 10000]",
    );
    await assert.rejects(read(store, { id, offset: 10_000 }), /from character 10000: it has 10000/);
  }));

Deno.test("createReadResultTool() gives the whole text over its pages, never half a character", () =>
  withStore(async (store) => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
        fc.integer({ min: 2, max: 9 }),
        async (text, limit) => {
          const { id } = (await store.spill("fetch", text))!;
          let whole = "";
          for (let offset: number | undefined = 0; offset !== undefined;) {
            const page = await read(store, { id, offset, limit });
            const end = page.lastIndexOf("\n[characters ");
            const part = page.slice(0, end);
            assert.ok(part.isWellFormed() && part.length <= limit);
            whole += part;
            const next = /offset=(\d+)\]$/.exec(page.slice(end))?.[1];
            offset = next === undefined ? undefined : Number(next);
          }
          assert.equal(whole, text);
        },
      ),
      { numRuns: 60 },
    );
  }));

Deno.test("createReadResultTool() reads nothing but results, and only those it may", () =>
  withStore(async (store) => {
    const { id, path } = (await store.spill("fetch", "secret"))!;
    await Deno.writeTextFile(`${store.dir}/../outside.txt`, "outside");
    await Deno.symlink(`${store.dir}/../outside.txt`, `${store.dir}/link.txt`);
    for (const bad of ["../outside", "link", `${id}.txt`, path, "", ".", "x".repeat(300), "a\0b"]) {
      await assert.rejects(read(store, { id: bad }), /There is no result/);
    }
    await assert.rejects(read(store, { id }, { canRead: () => false }), /There is no result/);
    assert.match(await read(store, { id }), /^secret\n/);
  }));

const LONG = "A line of a long page.\n".repeat(10_000);
const FILES = {
  "long.ts": toolFile("long", LONG),
  "page.ts": toolFile("page", LONG, {
    rest: "annotations: { readOnlyHint: true, openWorldHint: true },",
  }),
};

function idOf({ content }: ToolResult): string {
  return /page by page: read_result with id "([^"]+)" and offset/.exec(content)![1]!;
}

Deno.test("Session.dispatch() gives a session without a file reader read_result for its own results", async () => {
  await using test = await startRuntime({ files: FILES });
  using session = test.runtime.session({ toolsets: ["own"] });
  const names = async () => (await session.getDefinitions()).tools.map((one) => one.function.name);
  assert.deepEqual(await names(), ["long", "page"]);
  assert.equal((await session.dispatch("read_result", { id: "x" })).error?.code, "unknown_tool");
  const result = await session.dispatch("long", {});
  const id = idOf(result);
  assert.match(id, /^long-[0-9a-f]{32}$/);
  assert.deepEqual(await names(), ["long", "page", "read_result"]);
  const mcp = await session.getDefinitions({}, { dialect: "mcp" });
  assert.deepEqual(mcp.tools[2]?.inputSchema.required, ["id"]);
  const page = await session.dispatch("read_result", { id, offset: "100000" });
  assert.ok(page.ok && page.isolation === "inline");
  assert.equal(page.content.split("\n[")[0], LONG.slice(100_000, 108_000));
  // Not a stranger's.
  using other = test.runtime.session({ toolsets: ["own"] });
  await other.dispatch("long", {});
  assert.match(
    (await other.dispatch("read_result", { id })).error!.message,
    /There is no result "long-[0-9a-f]{32}"/,
  );
  assert.equal((await test.call("read_result", { id })).error?.code, "unknown_tool");
});

Deno.test("Session.dispatch() keeps what others wrote marked when it is read back", async () => {
  await using test = await startRuntime({ files: FILES });
  using session = test.runtime.session({ toolsets: ["own"] });
  const result = await session.dispatch("page", {});
  assert.match(result.content, /<untrusted-output id="[0-9a-f]{16}" from="page">/);
  const page = await session.dispatch("read_result", { id: idOf(result) });
  assert.match(page.content, /^<untrusted-output id="[0-9a-f]{16}" from="read_result">/);
});

Deno.test("Session.dispatch() [case 116] keeps results within the model's context, and fitTurn() a turn", async () => {
  await using test = await startRuntime({ files: { "a.ts": toolFile("mid", "x".repeat(39_322)) } });
  using small = test.runtime.session({ contextTokens: 65_536 });
  using large = test.runtime.session();
  assert.equal((await small.dispatch("mid", {})).spilled?.chars, 39_322);
  const results = [await large.dispatch("mid", {}), await large.dispatch("mid", {})];
  assert.deepEqual(results.map(({ spilled }) => spilled), [undefined, undefined]);
  const fitted = await small.fitTurn(results);
  // Two of 39,322 are one character more than the 78,643 of a turn.
  assert.deepEqual(fitted.map(({ spilled }) => spilled?.chars), [39_322, undefined]);
  assert.match(fitted[0]!.content, /read_result with id/);
  assert.ok((await large.fitTurn(results)).every((one, index) => one === results[index]));
  assert.throws(() => test.runtime.session({ contextTokens: 0 }), /"contextTokens" must be/);
});

Deno.test("Runtime.dispatch() [case 115] spills a result of an MCP server over 50,000 characters", async () => {
  await using test = await startRuntime();
  test.runtime.registry.register({
    name: "mcp__files__list",
    toolset: "mcp-files",
    description: "Lists files.",
    schema: { type: "object", properties: { chars: { type: "integer" } }, required: ["chars"] },
    handler: ({ chars }) => "x".repeat(chars),
  }, { owner: "mcp:files" });
  const fits = await test.call("mcp__files__list", { chars: 50_000 });
  assert.equal(fits.spilled, undefined);
  assert.match(fits.content, /^<untrusted-output id="[0-9a-f]{16}" from="mcp__files__list">/);
  const long = await test.call("mcp__files__list", { chars: 50_001 });
  assert.equal(long.spilled?.chars, 50_001);
});
