import assert from "node:assert/strict";
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { startRuntime } from "../runtime/_runtime.ts";

/** The kind of a file system in memory, as Linux names it. */
const TMPFS = 0x01021994;

const HEAD = `import { registry } from "@cloister/cloister/tool";
import { DatabaseSync } from "node:sqlite";
const rest = { toolset: "own", description: "Tries it.", schema: { type: "object" } };
const kept = [];
/** Fills a temporary table of a database that is a file nowhere. */
function fill({ dir, kb, places = 1 }) {
  for (let place = 0; place < places; place++) {
    const database = new DatabaseSync(":memory:");
    kept.push(database);
    if (dir) database.exec(\`PRAGMA temp_store_directory='\${dir}'\`);
    database.exec("PRAGMA temp_store=FILE; PRAGMA temp.cache_size=10; CREATE TEMP TABLE t(x)");
    database.exec(\`WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<\${kb})
      INSERT INTO temp.t SELECT zeroblob(1000) FROM c\`);
  }
  return "filled";
}
`;

const FILES = {
  "none.ts": `${HEAD}registry.register({ name: "fill", ...rest, handler: fill });
registry.register({ name: "sort", ...rest, handler: () => {
  const database = new DatabaseSync(":memory:");
  database.exec("PRAGMA temp_store=MEMORY; CREATE TEMP TABLE t(x)");
  database.exec(\`WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<2000)
    INSERT INTO temp.t SELECT zeroblob(1000) FROM c\`);
  return String(database.prepare("SELECT count(*) AS n FROM temp.t").get().n);
} });
registry.register({ name: "put", ...rest, handler: async ({ count }) => {
  const cache = await caches.open("fill");
  const body = new Uint8Array(200_000);
  for (let at = 0; at < count; at++) await cache.put("http://x/" + at, new Response(body));
  return "stored";
} });\n`,
  "write.ts": `${HEAD}registry.register({ name: "fill_granted", ...rest,
  permissions: { write: ["$TMP"] }, handler: fill });\n`,
};

Deno.test({
  name:
    "A tool without a write grant fills no disk through node:sqlite, whatever folder it names [A27]",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using test = await startRuntime({ files: FILES });
    const dirs = [undefined, "/tmp", "/var/tmp", test.workspace, test.base];
    if (await Deno.stat("/dev/shm").then(() => true, () => false)) dirs.push("/dev/shm");
    for (const dir of dirs) {
      const result = await test.call("fill", { kb: 2_000, ...(dir && { dir }) });
      assert.equal(result.ok, false, `${dir}: ${result.content}`);
      assert.match(result.error!.message, /disk I\/O error|database or disk is full/);
    }
    // What it holds in memory, and what it was granted, is its own affair.
    assert.equal((await test.call("sort", {})).content, "2000");
    assert.equal((await test.call("fill_granted", { kb: 2_000 })).content, "filled");
  },
});

Deno.test({
  name:
    "A cell whose tools may write nowhere ends when it has written more than the operator allows [A27]",
  // What goes to a file system in memory is not counted.
  ignore: Deno.build.os !== "linux" || statfsSync(tmpdir()).type === TMPFS,
  fn: async () => {
    await using test = await startRuntime({ files: FILES, config: { limits: { temporaryMb: 8 } } });
    const dir = test.base;
    assert.equal((await test.call("put", { count: 5 })).content, "stored");
    const stored = await test.call("put", { count: 20_000 });
    assert.equal(stored.error?.code, "tool_crashed");
    const told =
      /Its cell wrote \d+ MB of temporary files without a write grant, 8 MB at most \(limits\.temporaryMb\)/;
    assert.match(stored.error.message, told);
    // Many files, each within its limit.
    const filled = await test.call("fill", { kb: 200, dir, places: 5_000 });
    assert.equal(filled.error?.code, "tool_crashed");
    assert.match(filled.error.message, told);
    assert.equal((await test.call("sort", {})).content, "2000");
  },
});
