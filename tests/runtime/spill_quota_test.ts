import assert from "node:assert/strict";
import { join } from "node:path";
import { SpillStore } from "../../runtime/spill.ts";
import { SpillLimitError } from "../../runtime/spill_quota.ts";
import { until } from "../workers/_wait.ts";
import { startRuntime } from "./_runtime.ts";

const MB = 1024 * 1024;

function filesIn(dir: string): string[] {
  try {
    return Array.from(Deno.readDirSync(dir)).flatMap(({ name, isDirectory }) =>
      isDirectory ? filesIn(join(dir, name)) : [join(dir, name)]
    );
  } catch {
    return [];
  }
}

async function inFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "cloister-quota-" });
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

const FILES = {
  "fill.ts": `import { registry } from "@cloister/cloister/tool";
const schema = { type: "object" };
const rest = { toolset: "own", description: "Gives much.", schema, maxResultSizeChars: 10 };
registry.register({ name: "fill", ...rest, handler: () => "x".repeat(1_000_000) });
registry.register({ name: "flow", ...rest, handler: async function* () {
  for (let index = 0; index < 20; index++) yield "y".repeat(100_000);
} });
registry.register({ name: "modest", ...rest, handler: () => "z".repeat(1_000) });
`,
};

Deno.test("Dispatcher.dispatch() ends a call whose result finds no room on disk as an error that names tool and limit (A27)", async () => {
  await using test = await startRuntime({
    files: FILES,
    config: { limits: { spillMb: 4, spillMbPerTool: 1 } },
  });
  const kept = await test.call("fill", {});
  assert.equal((await Deno.stat(kept.spilled!.path)).size, 1_000_000);
  const refused = await test.call("fill", {});
  assert.equal(refused.error?.code, "invalid_result");
  // Two of 1,000,000 bytes and 4,096 each are 1.91 times 1,048,576.
  assert.equal(
    refused.error.message,
    'A result of tool "fill" is too long to be shown, and cannot be kept: the tool\'s results in files would ' +
      `take 1.9 MB, 1 MB at most (limits.spillMbPerTool). Ask it for less, remove files from "${test.base}/cache/spill", ` +
      "or raise the limit",
  );
  assert.equal(refused.spilled, undefined);
  const flow = await test.call("flow", {});
  assert.equal(flow.error?.code, "invalid_result");
  assert.match(flow.error.message, /A result of tool "flow" .*limits\.spillMbPerTool/);
  assert.deepEqual(filesIn(`${test.base}/cache/spill`), [kept.spilled!.path]);
  // Another tool's results still have room, and so has this one's when its file has gone.
  assert.ok((await test.call("modest", {})).spilled);
  await Deno.remove(kept.spilled!.path);
  await until("the room", async () => (await test.call("fill", {})).spilled !== undefined);
});

Deno.test("SpillStore.spill() refuses what all tools' results have no room for, whoever wrote the others", () =>
  inFolder(async (dir) => {
    const limits = { spillMb: 1, spillMbPerTool: 1 };
    // As another runtime left it, for a session of its own.
    await new SpillStore(dir).of("before").spill("first", "x".repeat(MB / 2));
    const store = new SpillStore(dir, limits);
    const part = store.of("now");
    assert.ok(await part.spill("second", "y".repeat(MB / 4)));
    await assert.rejects(part.spill("third", "z".repeat(MB / 4)), (error: Error) => {
      assert.ok(error instanceof SpillLimitError);
      assert.match(error.message, /all tools' results in files would take 1\.0 MB, 1 MB at most/);
      assert.match(error.message, /limits\.spillMb\)/);
      return true;
    });
    assert.ok(await store.of(undefined).spill("third", "z".repeat(MB / 8)));
  }));

Deno.test("SpillStore.spill() counts short texts as the disk does, and those that are being written", () =>
  inFolder(async (dir) => {
    const store = new SpillStore(dir, { spillMb: 1, spillMbPerTool: 1 });
    // 1 MB holds 255 files of 4,096 bytes and 10 each.
    for (let count = 0; count < 255; count++) assert.ok(await store.spill("t", "0123456789"));
    await assert.rejects(store.spill("t", "0123456789"), SpillLimitError);
    const writing = new SpillStore(join(dir, "other"), { spillMb: 1, spillMbPerTool: 1 });
    const [first, second] = [writing.open("a"), writing.open("a")];
    await Promise.all([first.write("x".repeat(MB * 0.7)), second.write("x".repeat(MB * 0.7))]);
    const ends = await Promise.allSettled([first.close(), second.close()]);
    assert.deepEqual(ends.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    assert.equal(filesIn(join(dir, "other")).length, 1);
    // What was given up gives its room back.
    const given = writing.open("b");
    await given.write("x".repeat(MB * 0.2));
    await given.abort();
    assert.ok(await writing.spill("b", "x".repeat(MB * 0.2)));
  }));
