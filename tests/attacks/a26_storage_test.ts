import assert from "node:assert/strict";
import { join } from "node:path";
import { startRuntime, type TestRuntime } from "../runtime/_runtime.ts";

const HEAD = 'import { registry } from "@cloister/cloister/tool";\n';
const REST = `toolset: "own", description: "Tries it.", schema: { type: "object" }`;

const FILES = {
  "a.ts": `${HEAD}registry.register({ name: "cache_put", ${REST}, isolation: "process",
  handler: async () => {
    const cache = await caches.open("shared");
    await cache.put("http://x/y", new Response("secret of the last customer"));
    return await (await cache.match("http://x/y")).text();
  } });\n`,
  "b.ts": `${HEAD}registry.register({ name: "cache_get", ${REST}, isolation: "process",
  handler: async () => {
    const found = await (await caches.open("shared")).match("http://x/y");
    return found ? await found.text() : "nothing";
  } });\n`,
  "kept.ts": `${HEAD}registry.register({ name: "cache_again", ${REST}, isolation: "process",
  handler: async () => {
    const cache = await caches.open("own");
    const found = await cache.match("http://x/n");
    const count = found ? Number(await found.text()) + 1 : 1;
    await cache.put("http://x/n", new Response(String(count)));
    return String(count);
  } });\n`,
};

/** Every file below a folder; links are not followed. */
function filesIn(dir: string): string[] {
  return Array.from(Deno.readDirSync(dir)).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory ? filesIn(path) : entry.isFile ? [path] : [];
  });
}

function stored(test: TestRuntime): string[] {
  return filesIn(`${test.base}/cache`).filter((path) => path.includes("web_cache"));
}

Deno.test("caches of one process-isolated tool are another's neither now nor after a restart, and go with the cell [A26]", async () => {
  await using test = await startRuntime({ files: FILES });
  assert.equal((await test.call("cache_put", {})).content, "secret of the last customer");
  assert.equal((await test.call("cache_get", {})).content, "nothing");
  // The tool's own are there as long as its cell.
  assert.equal((await test.call("cache_again", {})).content, "1");
  assert.equal((await test.call("cache_again", {})).content, "2");
  assert.ok(stored(test).length > 0, "nothing was looked at");
  await test.runtime[Symbol.asyncDispose]();
  assert.deepEqual(stored(test), []);
  assert.deepEqual(filesIn(`${test.base}/cache/cells`), []);
  await using again = await startRuntime({
    roots: [test.tools],
    cacheDir: `${test.base}/cache`,
  });
  assert.equal((await again.call("cache_get", {})).content, "nothing");
  assert.equal((await again.call("cache_again", {})).content, "1");
});
