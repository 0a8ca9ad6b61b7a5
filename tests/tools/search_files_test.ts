import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { readPattern } from "../../tools/_pattern.ts";
import { onPath, openTool } from "./_open_tool.ts";
import { captureTool, type TemporaryFolder, temporaryFolder, testContext } from "./_capture.ts";

const tool = await captureTool(new URL("../../tools/search_files.ts", import.meta.url));
const ripgrep = onPath("rg");
const withoutRipgrep = ripgrep === undefined;
if (withoutRipgrep) console.warn("Tests against ripgrep are skipped: rg is not installed");

interface Result {
  readonly [key: string]: unknown;
  readonly matches: readonly { path: string; line: number; text: string }[];
  readonly files: readonly string[];
  readonly total: number;
}

async function search(folder: TemporaryFolder, args: object): Promise<Result> {
  return JSON.parse(await tool.handler(args as never, testContext(folder.path)) as string);
}

/** The same call where ripgrep cannot be started. */
async function searchAlone(folder: TemporaryFolder, args: object): Promise<Result> {
  const Command = Deno.Command;
  Deno.Command = class {
    constructor() {
      throw new Deno.errors.NotFound("rg");
    }
  } as never;
  try {
    return await search(folder, args);
  } finally {
    Deno.Command = Command;
  }
}

function places({ matches }: Result): string[] {
  return matches.map(({ path, line }) => `${path}:${line}`);
}

/** One tree that has most of what decides whether a file is seen. */
async function fill(folder: TemporaryFolder): Promise<void> {
  await folder.fill({
    ".gitignore": "build/\nnode_modules/\n*.log\n!keep.log\n!.shown/\n/top.txt\ndoc/*.tmp\n",
    ".ignore": "!build/\n",
    ".hidden/h.txt": "needle\n",
    ".shown/s.txt": "needle\n",
    ".github/w.yml": "needle\n",
    "a/x.txt": "needle\n",
    "a/.gitignore": "inner.*\n!inner.md\n",
    "a/inner.txt": "needle\n",
    "a/inner.md": "needle\n",
    "a/keep.log": "needle\n",
    "a-b.txt": "no\nneedle one\nno\nneedle two\n",
    "a.txt": "needle\n",
    "b/c/top.txt": "needle\n",
    "binary.dat": new Uint8Array([...new TextEncoder().encode("needle\n"), 0]),
    "bom.txt": "\uFEFFneedle\r\nlast needle\r\n",
    "build/x.txt": "needle\n",
    "doc/a.tmp": "needle\n",
    "doc/sub/a.tmp": "needle\n",
    "node_modules/x/f.js": "needle\n",
    "top.txt": "needle\n",
    "wide.txt": new Uint8Array([
      0xff,
      0xfe,
      ...[..."needle\n"].flatMap((c) => [c.charCodeAt(0), 0]),
    ]),
    "z.log": "needle\n",
    "．.txt": "needle\n",
    "𝔸.txt": "needle\n",
  });
  await Deno.symlink("a.txt", join(folder.path, "link.txt"));
  await Deno.symlink("a", join(folder.path, "linked"));
}

Deno.test("search_files declares least grants", () => {
  assert.deepEqual(tool.permissions, { read: ["$WORKSPACE"], run: ["rg"] });
});

for (
  const [name, run, ignore] of [
    ["ripgrep", search, withoutRipgrep],
    ["its own walk", searchAlone, false],
  ] as const
) {
  Deno.test({
    name: `search_files sees what ignore files leave, in order, with ${name}`,
    ignore,
    fn: async () => {
      await using folder = await temporaryFolder();
      await fill(folder);
      const result = await run(folder, { pattern: "^needle$" });
      assert.deepEqual(places(result), [
        ".shown/s.txt:1",
        "a/inner.md:1",
        "a/keep.log:1",
        "a/x.txt:1",
        "a.txt:1",
        "b/c/top.txt:1",
        "bom.txt:1",
        "build/x.txt:1",
        "doc/sub/a.tmp:1",
        "wide.txt:1",
        "．.txt:1",
        "𝔸.txt:1",
      ]);
      assert.deepEqual([result.total, result.total_files, result.truncated], [12, 12, false]);
    },
  });

  Deno.test({
    name: `search_files gives context, pages, counts and names with ${name}`,
    ignore,
    fn: async () => {
      await using folder = await temporaryFolder();
      await folder.fill({ "a.txt": "1\nx2\n3\nx4\n5\n", "b.txt": "x\n", "c.md": "x\r\n" });
      assert.deepEqual(await run(folder, { pattern: "x", context: 1, limit: 2 }), {
        matches: [
          { path: "a.txt", line: 2, text: "x2", before: ["1"], after: ["3"] },
          { path: "a.txt", line: 4, text: "x4", before: ["3"], after: ["5"] },
        ],
        total: 4,
        total_matches: 4,
        total_files: 3,
        truncated: true,
        next_offset: 2,
      });
      assert.deepEqual((await run(folder, { pattern: "x", offset: 2 })).matches, [
        { path: "b.txt", line: 1, text: "x" },
        { path: "c.md", line: 1, text: "x" },
      ]);
      assert.deepEqual(await run(folder, { pattern: "x", output_mode: "count", limit: 1 }), {
        counts: [{ path: "a.txt", count: 2 }],
        total: 3,
        total_matches: 4,
        total_files: 3,
        truncated: true,
        next_offset: 1,
      });
      assert.deepEqual(
        (await run(folder, { pattern: "x", output_mode: "files_only", file_glob: "*.txt" })).files,
        ["a.txt", "b.txt"],
      );
      assert.deepEqual(await run(folder, { pattern: "*.{txt,md}", target: "files", offset: 1 }), {
        files: ["b.txt", "c.md"],
        total: 3,
        truncated: false,
      });
      assert.deepEqual((await run(folder, { pattern: "nothing" })).matches, []);
    },
  });

  Deno.test({
    name:
      `search_files searches a path that was named although it is hidden or ignored, with ${name}`,
    ignore,
    fn: async () => {
      await using folder = await temporaryFolder();
      await fill(folder);
      const at = async (path: string) => places(await run(folder, { pattern: "needle", path }));
      assert.deepEqual(await at("node_modules"), ["node_modules/x/f.js:1"]);
      assert.deepEqual(await at(".hidden"), [".hidden/h.txt:1"]);
      assert.deepEqual(await at("a"), ["a/inner.md:1", "a/keep.log:1", "a/x.txt:1"]);
      assert.deepEqual(await at("doc"), ["doc/sub/a.tmp:1"]);
      assert.deepEqual(await at("z.log"), ["z.log:1"]);
      assert.deepEqual(await at("linked"), ["a/inner.md:1", "a/keep.log:1", "a/x.txt:1"]);
      const hidden = await run(folder, { pattern: ".github/**", target: "files" });
      assert.deepEqual(hidden.files, [".github/w.yml"]);
    },
  });
}

const PATTERNS: readonly [pattern: string, ...lines: string[]][] = [
  ["\\bfoo\\b", "foo", "a foo b", "(foo)"],
  ["(?i)FOO|bar", "foo", "a foo b", "(foo)", "Food", "BAR x"],
  ["fo{1,2}d?$", "foo"],
  ["[[:digit:]]{3}", "123 abc"],
  ["^\\w+$", "foo", "Food", "Ünïcode", "٣٤", "αβγ"],
  ["\\d\\d", "123 abc", "٣٤"],
  ["function \\w+() {"],
  ["f\\(\\) {", "function f() {"],
  ["[]x]]", "arr[x]]"],
  ["[^\\W\\d]{7}", "Ünïcode", "function f() {"],
  ["\\p{Greek}", "αβγ"],
  ["\\s\\s", "two  blanks"],
  ["a.c\\u0062|\\x{3b1}", "αβγ"],
  ["(?P<x>foo)(?:d)"],
  ["\\$\\{x\\}", "a ${x} b"],
  ["/\\*", "/* c */"],
  ["(?i:food)|(B(?i)ar)", "Food", "BAR x"],
];
const LINES = [
  "foo",
  "a foo b",
  "(foo)",
  "Food",
  "BAR x",
  "123 abc",
  "Ünïcode",
  "٣٤",
  "function f() {",
  "arr[x]]",
  "αβγ",
  "two  blanks",
  "a ${x} b",
  "/* c */",
];

Deno.test("search_files reads patterns as ripgrep does", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": LINES.join("\n") + "\n" });
  for (const [pattern, ...lines] of PATTERNS) {
    const own = await searchAlone(folder, { pattern });
    assert.deepEqual(own.matches.map(({ text }) => text), lines, pattern);
    if (!withoutRipgrep) assert.deepEqual(await search(folder, { pattern }), own, pattern);
  }
});

Deno.test("search_files does look-around and back-references without ripgrep", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "foobar\nfoobaz\nabab\nxfoo\n" });
  const lines = async (pattern: string) =>
    (await search(folder, { pattern })).matches.map(({ text }) => text);
  assert.deepEqual(await lines("foo(?!baz)"), ["foobar", "xfoo"]);
  assert.deepEqual(await lines("(?<!x)foo"), ["foobar", "foobaz"]);
  assert.deepEqual(await lines("(ab)\\1"), ["abab"]);
  assert.deepEqual(await lines("\\<foo"), ["foobar", "foobaz"]);
  assert.equal(readPattern("foo(?!baz)").rust, undefined);
});

Deno.test("search_files says what is wrong with a pattern", async () => {
  await using folder = await temporaryFolder();
  const bad: [string, RegExp][] = [
    ["a(b", /at its end, a "\(" is not closed/],
    ["a)b", /at character 2, this "\)" closes nothing/],
    ["[ab", /at its end, a "\[" is not closed/],
    ["*a", /at character 1, there is nothing to repeat/],
    ["a++", /possessive repetition/],
    ["\\y", /"\\y" is no known escape/],
    ["a\\nb", /a pattern matches within one line only/],
    ["\\p{Nope}", /no Unicode property "Nope"/],
    ["[z-a]", /[Rr]ange out of order/],
    ["(?x)a", /this kind of group is not supported/],
  ];
  for (const [pattern, message] of bad) {
    await assert.rejects(search(folder, { pattern }), message, pattern);
  }
});

Deno.test("search_files refuses a missing path and one that leaves the workspace", async () => {
  await using folder = await temporaryFolder();
  await using outside = await temporaryFolder();
  await folder.fill({ "src/a.txt": "" });
  await Deno.symlink(outside.path, join(folder.path, "out"));
  const at = (path: string) => search(folder, { pattern: "x", path });
  await assert.rejects(at("scr"), /No such file: "scr". Near names: "src"/);
  await assert.rejects(at("out"), /leads out of the workspace/);
  await assert.rejects(
    search(folder, { pattern: "*", target: "files", path: "src/a.txt" }),
    /it is not a directory/,
  );
});

Deno.test("search_files cuts long lines", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "x".repeat(600) + "\n" });
  const [match] = (await search(folder, { pattern: "x" })).matches;
  assert.equal(match!.text, "x".repeat(500) + "… [+100 characters]");
});

Deno.test({
  name: "search_files gives the same answers with and without ripgrep for any tree",
  ignore: withoutRipgrep,
  fn: async () => {
    const name = fc.constantFrom("a", "b", ".c", "d.txt", "e.log", "f[1]", "é", "G", "-x", "!y");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) =>
      [...parts, "f"].join("/")
    );
    const rule = fc.constantFrom(
      "a",
      "/a",
      "b/",
      "*.log",
      "!e.log",
      "a/*",
      "**/b",
      "a/**/f",
      ".c",
      "!.c",
      "f\\[1\\]",
      "?",
      "[a-b]",
      "# no",
      "",
      "!b",
      "d.*/",
      "a/b/f",
      "/**/f",
      "**",
      "\\!y",
      "G/ ",
      "[!a]",
    );
    const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join("\n"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 12 }),
        rules,
        rules,
        rules,
        fc.constantFrom(".", "a", "b"),
        async (paths, root, inner, plain, start) => {
          await using folder = await temporaryFolder();
          const files: Record<string, string> = { "a/keep": "x\n", "b/keep": "x\n" };
          for (const path of paths) files[path] = "x\n";
          await folder.fill({
            ...files,
            ".gitignore": root,
            "a/.gitignore": inner,
            ".ignore": plain,
          });
          for (const target of ["content", "files"]) {
            const args = {
              pattern: target === "files" ? "*" : "x",
              target,
              path: start,
              limit: 1_000,
            };
            assert.deepEqual(await search(folder, args), await searchAlone(folder, args));
          }
        },
      ),
      { numRuns: 60 },
    );
  },
});

Deno.test("read_file and search_files load and work in a worker with their grants alone", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "needle\n" });
  const read = [folder.path];
  using reader = await openTool("read_file", { read }, folder.path);
  const page = await reader.call({ path: "a.txt" });
  assert.ok(page.ok, JSON.stringify(page));
  assert.equal(page.value, "1|needle\n[lines 1-1 of 1]");
  for (const run of [[], ripgrep ? [ripgrep] : []]) {
    using searcher = await openTool("search_files", { read, run }, folder.path);
    const answer = await searcher.call({ pattern: "needle" });
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(JSON.parse(String(answer.value)).matches, [
      { path: "a.txt", line: 1, text: "needle" },
    ]);
  }
});
