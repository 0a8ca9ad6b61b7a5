import assert from "node:assert/strict";
import { LOAD_RECORD_FILE, LoadRecord } from "../../runtime/load_record.ts";

const key = (number: number): string => number.toString(16).padStart(64, "0");

async function inFolder(work: (folder: string, path: string) => void): Promise<void> {
  const base = await Deno.makeTempDir({ prefix: "cloister-record-" });
  try {
    work(`${base}/cache`, `${base}/cache/${LOAD_RECORD_FILE}`);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("LoadRecord keeps what it was told for the next process", async () => {
  await inFolder((folder) => {
    const record = new LoadRecord(folder);
    assert.equal(record.has(key(1)), false);
    record.add(key(1));
    record.add(key(2));
    record.delete(key(2));
    assert.deepEqual([record.has(key(1)), new LoadRecord(folder).has(key(1))], [true, false]);
    record.save();
    const next = new LoadRecord(folder);
    assert.deepEqual([next.has(key(1)), next.has(key(2))], [true, false]);
    next.delete(key(1));
    next.save();
    assert.equal(new LoadRecord(folder).has(key(1)), false);
  });
});

Deno.test("LoadRecord takes nothing from a file that is damaged", async () => {
  await inFolder((folder, path) => {
    const good = key(1);
    Deno.mkdirSync(folder);
    const texts = [
      "",
      "{",
      "null",
      `{"version":2,"loads":["${good}"]}`,
      `{"version":1,"loads":"${good}"}`,
    ];
    for (const text of texts) {
      Deno.writeTextFileSync(path, text);
      assert.equal(new LoadRecord(folder).has(good), false, text);
    }
    Deno.writeTextFileSync(path, `{"version":1,"loads":[1,"short","${good}"]}`);
    const record = new LoadRecord(folder);
    assert.deepEqual([record.has(good), record.has("short")], [true, false]);
  });
});

Deno.test("LoadRecord keeps the newest 4,096, and goes on where nothing can be written", async () => {
  await inFolder((folder) => {
    const record = new LoadRecord(folder);
    for (let number = 0; number < 4_097; number++) record.add(key(number));
    record.save();
    const next = new LoadRecord(folder);
    assert.deepEqual([next.has(key(0)), next.has(key(1)), next.has(key(4_096))], [
      false,
      true,
      true,
    ]);
  });
  const nowhere = new LoadRecord("/proc/nowhere");
  nowhere.add(key(1));
  nowhere.save();
  assert.equal(nowhere.has(key(1)), true);
});
