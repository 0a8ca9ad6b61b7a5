import assert from "node:assert/strict";
import { discoverBuiltinTools } from "../../runtime/discover_builtin_tools.ts";
import { Playground } from "../registry/discovery_support.ts";

Deno.test("discoverBuiltinTools() [case 51] gives the sorted names of the modules that register", async () => {
  using place = new Playground("basic");
  assert.deepEqual(await discoverBuiltinTools(place.dir), ["alpha", "gamma", "weather"]);
  assert.deepEqual(await discoverBuiltinTools(`${place.dir}/`), ["alpha", "gamma", "weather"]);
});

Deno.test("case 52: discoverBuiltinTools() leaves out what does not load", async () => {
  using place = new Playground("broken");
  assert.deepEqual(await discoverBuiltinTools(place.dir), ["good"]);
});

Deno.test("discoverBuiltinTools() [case 52] leaves out a module that throws after its registration", async () => {
  using place = new Playground("throwing");
  assert.deepEqual(await discoverBuiltinTools(place.dir), ["good"]);
});

Deno.test("discoverBuiltinTools() goes by the text of the modules where no process may be started", async () => {
  using place = new Playground("throwing");
  const module = new URL("../../runtime/discover_builtin_tools.ts", import.meta.url).href;
  const script = `${place.base}/main.ts`;
  Deno.writeTextFileSync(
    script,
    `import { discoverBuiltinTools } from "${module}";
console.log(JSON.stringify(await discoverBuiltinTools("${place.dir}")));\n`,
  );
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command("deno", {
    args: ["run", "--no-prompt", "--allow-read", "--allow-write=/tmp", "--config", config, script],
  }).output();
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(stdout), '["good","throws"]\n', decoder.decode(stderr));
});

Deno.test("discoverBuiltinTools() names the package's own tools", async () => {
  const names = await discoverBuiltinTools();
  assert.equal(names.includes("read_file"), true);
  assert.deepEqual(names, names.toSorted());
});

Deno.test("discoverBuiltinTools() rejects when there is no such folder", async () => {
  using place = new Playground();
  await assert.rejects(discoverBuiltinTools(`${place.base}/nowhere`), {
    name: "TypeError",
    message: `Cannot read tool folder "${place.base}/nowhere": there is no such folder`,
  });
});
