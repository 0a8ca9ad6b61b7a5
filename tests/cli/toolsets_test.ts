import assert from "node:assert/strict";
import { join } from "node:path";
import { makeHome } from "./child.ts";

async function withConfig(
  config: unknown,
  run: (list: (...words: string[]) => Promise<readonly string[]>) => Promise<void>,
): Promise<void> {
  await using home = await makeHome();
  const path = join(home.dir, "own.json");
  await Deno.writeTextFile(path, JSON.stringify(config));
  await run(async (...words) => {
    const { code, stdout, stderr } = await home.run("list", "--json", "--config", path, ...words);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
  });
}

Deno.test("list --toolset takes toolsets that list tools, and shows only what is offered without --all", async () => {
  const config = {
    toolsets: { mine: { tools: ["patch"], includes: ["terminal"] } },
    disabledToolsets: ["terminal"],
  };
  await withConfig(config, async (list) => {
    assert.deepEqual(await list("--toolset", "mine"), ["patch"]);
    assert.deepEqual(await list("--toolset", "mine", "--all"), ["patch", "terminal"]);
    assert.deepEqual(await list("--toolset", "safe"), ["web_extract"]);
    assert.ok(!(await list()).includes("terminal"));
    assert.deepEqual(await list("--toolset", "all"), await list());
  });
});

Deno.test("list --toolset names near toolsets when nothing has the name", async () => {
  await using home = await makeHome();
  const { code, stdout, stderr } = await home.run("list", "--toolset", "fiel");
  assert.deepEqual([code, stdout], [0, "No tools.\n"]);
  assert.match(stderr, /^warning: Unknown toolset "fiel"\. Did you mean "file"\?$/m);
});

Deno.test("list warns of toolsets that the configuration names and nothing has, with the place", async () => {
  await using home = await makeHome();
  const path = join(home.dir, "own.json");
  await Deno.writeTextFile(path, '{\n  "disabledToolsets": ["terminl"]\n}');
  const { stderr } = await home.run("list", "--config", path);
  assert.match(
    stderr,
    /own\.json:2:24: Unknown toolset "terminl" in "disabledToolsets"\. Did you mean "terminal"\?/,
  );
});

Deno.test("explain says whether a tool is offered, and which toolsets list it", async () => {
  await using home = await makeHome();
  const path = join(home.dir, "own.json");
  await Deno.writeTextFile(path, '{ "disabledToolsets": ["file"] }');
  const { stdout } = await home.run("explain", "patch", "--config", path);
  assert.match(stdout, /^offered +no: the configuration disables toolset "file"$/m);
  assert.match(stdout, /^listed by +debugging, file, coding, /m);
});
