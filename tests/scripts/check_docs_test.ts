import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { checkPages, checkSnippets } from "../../scripts/check_docs.ts";
import { anchorsOf, checkPage, type DocContext } from "../../scripts/doc_rules.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Top\n\n## What `it` is (not)\n",
  "docs": "",
  "docs/a.md": "# A\n",
};
const CONTEXT: DocContext = {
  tasks: new Set(["start", "publish:dry"]),
  exists: (path) => Object.hasOwn(FILES, path),
  read: (path) => FILES[path],
};

function faults(path: string, text: string): readonly string[] {
  return checkPage(path, text, CONTEXT).map(({ line, message }) => `${line}: ${message}`);
}

Deno.test("checkPage() accepts links to files, folders, headings and other sites", () => {
  const text = "[a](docs/a.md) [b](docs) [c](#here) [d](https://example.com/x) \n# Here\n";
  assert.deepEqual(faults("README.md", text), []);
  assert.deepEqual(faults("docs/a.md", "[up](../README.md#what-it-is-not)"), []);
});

Deno.test("checkPage() names a link that leads nowhere, with its line", () => {
  assert.deepEqual(faults("docs/a.md", "text\n[x](b.md)"), [
    '2: The link "b.md" leads nowhere: there is no "docs/b.md"',
  ]);
  assert.deepEqual(faults("docs/a.md", "[x](../README.md#nothing)"), [
    '1: The link "../README.md#nothing" leads nowhere: "README.md" has no heading for "#nothing"',
  ]);
  assert.equal(faults("README.md", "[x](#absent)").length, 1);
});

Deno.test("checkPage() takes links in code for text", () => {
  assert.deepEqual(faults("README.md", "`[x](b.md)`\n\n```sh\n[x](b.md)\n```\n"), []);
  assert.equal(faults("README.md", "```sh\n```\n[x](b.md)").length, 1);
});

Deno.test("checkPage() names a task that does not exist, in code too", () => {
  assert.deepEqual(faults("README.md", "`deno task start`, `deno task -q publish:dry`"), []);
  assert.deepEqual(faults("README.md", "```sh\nnpx --yes deno task strat --port 0\n```"), [
    '2: There is no task "strat" in deno.json',
  ]);
  assert.equal(faults("README.md", "deno task -q gone").length, 1);
});

Deno.test("anchorsOf() writes headings as GitHub does and counts repeated ones", () => {
  const text = "# One, two\n## `cli` call\n```md\n# no\n```\n## One, two\n";
  assert.deepEqual([...anchorsOf(text)], ["one-two", "cli-call", "one-two-1"]);
});

async function withPage(text: string, run: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/docs/deep`, { recursive: true });
    await Deno.writeTextFile(`${root}/deno.json`, '{ "tasks": { "start": "true" } }');
    await Deno.writeTextFile(`${root}/docs/deep/a.md`, text);
    await run(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("checkPages() finds the pages of docs at any depth", async () => {
  await withPage("[x](../b.md)", async (root) => {
    const { pages, faults } = await checkPages(root);
    assert.deepEqual(pages, ["docs/deep/a.md"]);
    assert.deepEqual(faults.map(({ path, line }) => [path, line]), [["docs/deep/a.md", 1]]);
  });
});

Deno.test("checkSnippets() finds what does not type-check and leaves ignored snippets alone", async () => {
  const wrong = 'const count: number = "three";\nconsole.log(count);\n';
  await withPage("```ts\n" + wrong + "```\n", async (root) => {
    assert.match(await checkSnippets(root, ["docs/deep/a.md"]), /TS2322/);
  });
  await withPage("```ts ignore\n" + wrong + "```\n", async (root) => {
    assert.equal(await checkSnippets(root, ["docs/deep/a.md"]), "");
  });
});

Deno.test("the documentation of this checkout holds", async () => {
  const { pages, faults } = await checkPages(ROOT);
  assert.ok(pages.includes("README.md"));
  assert.deepEqual(faults.map(({ path, line, message }) => `${path}:${line}: ${message}`), []);
  assert.equal(await checkSnippets(ROOT, pages), "");
});

Deno.test("the tool of the README is the one of the examples", async () => {
  const readme = await Deno.readTextFile(`${ROOT}/README.md`);
  const example = await Deno.readTextFile(`${ROOT}/examples/word_count.ts`);
  assert.ok(readme.includes("```ts\n" + example + "```"));
});
