import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
// Holds the tool file that the first snippet of the page on tools writes.
const folder = fileURLToPath(new URL("./fixtures/docs/", import.meta.url));

Deno.test("every snippet of README.md and docs/ runs", async () => {
  const pages = [...Deno.readDirSync(`${root}docs`)].filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => `${root}docs/${name}`).toSorted();
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    // Their types are checked by `deno task docs`.
    args: [
      "test",
      "--doc",
      "--no-check",
      "--no-prompt",
      "--allow-read",
      "--allow-write",
      "--allow-run",
      "--allow-env",
      `--config=${root}deno.json`,
      `${root}README.md`,
      ...pages,
    ],
    cwd: folder,
    stdin: "null",
  }).output();
  // deno-lint-ignore no-control-regex
  const text = new TextDecoder().decode(stdout).replace(/\x1b\[[0-9;]*m/g, "");
  assert.ok(success, text);
  const passed = Number(/ok \| (\d+) passed/.exec(text)?.[1]);
  assert.ok(passed >= 20, `Expected at least 20 snippets, ran ${passed}`);
});
