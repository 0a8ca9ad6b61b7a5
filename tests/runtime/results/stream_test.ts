import assert from "node:assert/strict";
import fc from "fast-check";
import { StreamSink } from "../../../runtime/results/stream_sink.ts";
import { startRuntime, type TestRuntime } from "../_runtime.ts";
import { withStore } from "./_store.ts";

const FILE = `import { registry } from "@cloister/cloister/tool";

const schema = {
  type: "object",
  properties: { count: { type: "integer" }, piece: { type: "string", default: "123456789\\n" } },
  required: ["count"],
} as const;
async function* pieces(count: number, piece: string): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) yield piece;
}
registry.register({
  name: "flow",
  toolset: "own",
  description: "Gives a text piece by piece.",
  schema,
  handler: ({ count, piece = "" }) => pieces(count, piece),
});
registry.register({
  name: "flow_readable",
  toolset: "own",
  description: "Gives a text as a ReadableStream.",
  schema,
  handler: ({ count, piece = "" }) => ReadableStream.from(pieces(count, piece)),
});
registry.register({
  name: "flow_fails",
  toolset: "own",
  description: "Fails after some pieces.",
  schema,
  handler: async function* ({ count, piece = "" }) {
    yield* pieces(count, piece);
    throw new RangeError("No more");
  },
});
registry.register({
  name: "flow_numbers",
  toolset: "own",
  description: "Gives what is no text.",
  schema,
  handler: async function* () {
    yield 7 as never;
  },
});
registry.register({
  name: "flow_strays",
  toolset: "own",
  description: "Fails beside its stream.",
  schema,
  handler: async function* ({ piece = "" }) {
    yield piece.repeat(20_000);
    void Promise.reject(new RangeError("Beside it"));
    while (true) yield piece.repeat(20_000);
  },
});
registry.register({
  name: "flow_endless",
  toolset: "own",
  description: "Never ends.",
  schema,
  handler: async function* ({ piece = "" }, { signal }) {
    while (!signal.aborted) {
      yield piece.repeat(1_000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
});
`;

async function left(test: TestRuntime): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(`${test.base}/cache/spill/calls`)) names.push(name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names;
}

Deno.test("Dispatcher.dispatch() joins the pieces of a stream, from a generator or a ReadableStream", async () => {
  await using test = await startRuntime({ files: { "flow.ts": FILE } });
  for (const name of ["flow", "flow_readable"]) {
    const result = await test.call(name, { count: 3 });
    assert.deepEqual([result.ok, result.content], [true, "123456789\n".repeat(3)]);
    assert.equal((await test.call(name, { count: 0 })).content, "");
  }
  // A hundred thousand pieces, far more than messages that may pass unasked.
  const many = await test.call("flow", { count: 100_000, piece: "x" });
  assert.equal(many.content, "x".repeat(100_000));
  assert.deepEqual(await left(test), []);
});

Deno.test("Dispatcher.dispatch() writes a long stream to its file while it runs, and cuts nothing", async () => {
  await using test = await startRuntime({ files: { "flow.ts": FILE } });
  const result = await test.call("flow", { count: 500_000 });
  assert.ok(result.ok, result.content);
  const { chars, path, previewChars } = result.spilled!;
  assert.deepEqual([chars, previewChars], [5_000_000, 1_500]);
  assert.equal(await Deno.readTextFile(result.spilled!.path), "123456789\n".repeat(500_000));
  assert.match(result.content, /^<persisted-output>\nThe result has 5,000,000 characters/);
  assert.deepEqual(await left(test), [path.split("/").at(-1)]);
});

Deno.test("Dispatcher.dispatch() keeps characters whole that are larger than a piece", async () => {
  await using test = await startRuntime({ files: { "flow.ts": FILE } });
  const piece = "🔢".repeat(40_000);
  const result = await test.call("flow", { count: 5, piece });
  assert.equal(await Deno.readTextFile(result.spilled!.path), piece.repeat(5));
});

Deno.test("Dispatcher.dispatch() leaves no file of a stream that fails, is no text, or never ends", async () => {
  await using test = await startRuntime({ files: { "flow.ts": FILE } });
  const failed = await test.call("flow_fails", { count: 50_000 });
  assert.equal(failed.error?.message, "Tool execution failed: RangeError: No more");
  const numbers = await test.call("flow_numbers", { count: 1 });
  assert.deepEqual([numbers.error?.code, numbers.error?.message], [
    "invalid_result",
    "Cannot send a piece of type number: a stream gives texts",
  ]);
  const strays = await test.call("flow_strays", { count: 1 });
  assert.equal(strays.error?.message, "Tool execution failed: RangeError: Beside it");
  const endless = await test.call("flow_endless", { count: 1 }, { timeoutMs: 500 });
  assert.deepEqual([endless.error?.code, endless.end], ["timeout", "finished_late"]);
  assert.deepEqual(await left(test), []);
  // The worker is still good.
  assert.equal((await test.call("flow", { count: 1 })).content, "123456789\n");
});

Deno.test("Dispatcher.dispatch() takes streams of inline handlers", async () => {
  await using test = await startRuntime();
  test.runtime.registry.register({
    name: "inline_flow",
    toolset: "own",
    description: "Gives a text piece by piece.",
    schema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
    handler: async function* ({ count }) {
      for (let index = 0; index < count; index++) yield await Promise.resolve("123456789\n");
    },
  });
  assert.equal((await test.call("inline_flow", { count: 2 })).content, "123456789\n".repeat(2));
  const long = await test.call("inline_flow", { count: 20_000 });
  assert.equal(await Deno.readTextFile(long.spilled!.path), "123456789\n".repeat(20_000));
});

Deno.test("StreamSink keeps every piece, in memory or in the file", () =>
  withStore(async (store) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary" })),
        fc.nat(40),
        async (pieces, limit) => {
          const sink = new StreamSink({ limit, open: () => store.open("t") });
          for (const [index, piece] of pieces.entries()) await sink.add(index, piece);
          const whole = pieces.join("");
          const end = await sink.finish(whole.length);
          if (whole.length <= limit) return assert.deepEqual(end, { kind: "text", text: whole });
          assert.ok(end.kind === "spilled" && end.file);
          assert.equal(await Deno.readTextFile(end.file.path), whole.toWellFormed());
          assert.ok(whole.startsWith(end.preview));
          assert.equal(end.file.longestLine, Math.max(...whole.split("\n").map((l) => l.length)));
        },
      ),
      { numRuns: 100 },
    );
  }));

Deno.test("StreamSink refuses a stream that lacks a piece, and starts anew with a second attempt", () =>
  withStore(async (store) => {
    const open = () => store.open("t");
    const gap = new StreamSink({ limit: 3, open });
    await gap.add(0, "abcd");
    await gap.add(2, "ef");
    assert.deepEqual(await gap.finish(6), {
      kind: "broken",
      reason: "the stream cannot be used: a piece of it is missing",
    });
    const short = new StreamSink({ limit: 9, open });
    await short.add(0, "abc");
    assert.equal((await short.finish(4)).kind, "broken");
    const twice = new StreamSink({ limit: 3, open });
    await twice.add(0, "lost with its cell");
    await twice.add(0, "abc");
    assert.deepEqual(await twice.finish(3), { kind: "text", text: "abc" });
    assert.deepEqual([...Deno.readDirSync(store.dir)], []);
  }));

Deno.test("SpillWriter.abort() leaves nothing behind, also while a piece is being written", () =>
  withStore(async (store) => {
    await Deno.mkdir(store.dir, { recursive: true });
    for (const turns of [0, 2, 20]) {
      const writer = store.open("t");
      const writing = writer.write("x".repeat(100_000));
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await writer.abort();
      await writing;
      await writer.write("late");
      assert.equal(await writer.close(), undefined);
      assert.deepEqual([...Deno.readDirSync(store.dir)], [], `${turns} turns`);
    }
  }));
