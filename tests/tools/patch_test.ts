import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { captureTool, type TemporaryFolder, temporaryFolder, testContext } from "./_capture.ts";

const tool = await captureTool(new URL("../../tools/patch.ts", import.meta.url));

interface Result {
  readonly strategy: string;
  readonly replacements: number;
  readonly lines: readonly number[];
  readonly diff: string;
  readonly files: readonly Record<string, unknown>[];
}

async function call(folder: TemporaryFolder, args: object): Promise<Result> {
  return JSON.parse(await tool.handler(args as never, testContext(folder.path)) as string);
}

function replace(
  folder: TemporaryFolder,
  old: string,
  now: string,
  more: object = {},
): Promise<Result> {
  const names = { old_string: old, new_string: now };
  return call(folder, { mode: "replace", path: "f.txt", ...names, ...more });
}

function apply(folder: TemporaryFolder, ...lines: string[]): Promise<Result> {
  const patch = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  return call(folder, { mode: "patch", patch });
}

function text(folder: TemporaryFolder, name = "f.txt"): Promise<string> {
  return Deno.readTextFile(join(folder.path, name));
}

Deno.test("patch replaces a text that is there once, and gives a unified diff", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "one\ntwo\nthree\n" });
  const result = await replace(folder, "two", "2");
  assert.equal(await text(folder), "one\n2\nthree\n");
  assert.deepEqual([result.strategy, result.replacements, result.lines], ["exact", 1, [2]]);
  assert.equal(result.diff, "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
});

Deno.test("patch refuses a text that is there several times, and replaces all when told", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "a\nb\na\n" });
  await assert.rejects(
    replace(folder, "a", "x"),
    /is there 2 times, at lines 1, 3 \(found by exact/,
  );
  assert.equal(await text(folder), "a\nb\na\n");
  const result = await replace(folder, "a", "x", { replace_all: true });
  assert.equal(await text(folder), "x\nb\nx\n");
  assert.deepEqual(result.lines, [1, 3]);
  await folder.fill({ "f.txt": "aaa" });
  await assert.rejects(replace(folder, "aa", "x"), /is there 2 times, at lines 1, 1/);
});

Deno.test("patch refuses what changes nothing, an empty text, and missing parameters", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "a\n" });
  await assert.rejects(replace(folder, "a", "a"), /old_string and new_string are the same/);
  await assert.rejects(replace(folder, "", "a"), /old_string is empty/);
  await assert.rejects(
    async () => await call(folder, { mode: "replace", path: "f.txt", old_string: "a" }),
    /Mode "replace" needs "new_string"/,
  );
  await assert.rejects(async () => await call(folder, { mode: "patch" }), /needs "patch"/);
});

Deno.test("patch shows the likeliest place when the text is not there", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "alpha\nfunction compute(a, b) {\n  return a;\n}\n" });
  await assert.rejects(
    replace(folder, "function compare(x, b) {", "x"),
    /old_string is not in the file. The likeliest place:\n2\|function compute\(a, b\) \{\n3\| {2}return a;\n4\|\}/,
  );
  await assert.rejects(replace(folder, "@@@@@@@@@", "x"), /no line is like it/);
});

const FUZZY: readonly [string, string, string, string, string][] = [
  ["line-trimmed", "a  \nb\nc\n", "a\nb\n", "x\ny\n", "x\ny\nc\n"],
  [
    "indentation-flexible",
    "    if (a) {\n      b();\n    }\n",
    "if (a) {\n  b();\n}",
    "if (a) {\n  c();\n  d();\n}",
    "    if (a) {\n      c();\n      d();\n    }\n",
  ],
  [
    "whitespace-normalised",
    "let x  =  f(a,\tb);\n",
    "let x = f(a, b);",
    "let y = 1;",
    "let y = 1;\n",
  ],
  [
    "whitespace-normalised",
    "\tif (a) {\n\t\tb();\n\t}\n",
    "  if (a) {\n    b();\n  }",
    "  if (a) {\n    c();\n  }",
    "\tif (a) {\n\t\tc();\n\t}\n",
  ],
  ["escape-normalised", 'say("hi");\nend\n', 'say(\\"hi\\");\\nend', "a\\nb", "a\nb\n"],
  ["trimmed-boundary", "xfoo\n", "\n\nfoo", "\n\nbar", "xbar\n"],
  [
    "block-anchor",
    "begin\n  alpha = 1\n  beta = 22\nend\n",
    "begin\n  alpha = 2\n  beta = 21\nend",
    "begin\nend",
    "begin\nend\n",
  ],
  [
    "context-aware",
    "zero\nfirst\nsecond line of text\nthird\n",
    "zero\nfirst\nsecond line of text\nthirds",
    "only",
    "only\n",
  ],
];

for (const [strategy, file, old, now, expected] of FUZZY) {
  Deno.test(`patch finds ${JSON.stringify(old)} by ${strategy} comparison`, async () => {
    await using folder = await temporaryFolder();
    await folder.fill({ "f.txt": file });
    const result = await replace(folder, old, now);
    assert.equal(result.strategy, strategy);
    assert.equal(await text(folder), expected);
  });
}

Deno.test("patch keeps CRLF, byte order mark, mode and a missing last line end", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "\uFEFFa\r\nb\r\nc" });
  await Deno.chmod(join(folder.path, "f.txt"), 0o700);
  await replace(folder, "a\nb", "1\n2\n3");
  const bytes = await Deno.readFile(join(folder.path, "f.txt"));
  assert.equal(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
    "\uFEFF1\r\n2\r\n3\r\nc",
  );
  assert.equal((await Deno.stat(join(folder.path, "f.txt"))).mode! & 0o777, 0o700);
  await apply(folder, "*** Update File: f.txt", " 3", "-c", "+d", "+e");
  const after = await Deno.readFile(join(folder.path, "f.txt"));
  assert.equal(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(after),
    "\uFEFF1\r\n2\r\n3\r\nd\r\ne",
  );
  assert.equal((await Deno.stat(join(folder.path, "f.txt"))).mode! & 0o777, 0o700);
});

Deno.test("patch keeps mixed line ends outside of the change, and UTF-16", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({
    "f.txt": "a\r\nb\nc\r\nd\r\n",
    "w.txt": new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0]),
  });
  await replace(folder, "c", "x\ny");
  assert.equal(await text(folder), "a\r\nb\nx\r\ny\r\nd\r\n");
  await replace(folder, "a", "é", { path: "w.txt" });
  assert.deepEqual(
    [...await Deno.readFile(join(folder.path, "w.txt"))],
    [0xff, 0xfe, 0xe9, 0, 0x0a, 0],
  );
});

Deno.test("patch refuses binary, undecodable, missing and read-only files", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({
    "f.txt": new Uint8Array([0x61, 0xe9, 0x0a]),
    "b.bin": new Uint8Array([0, 1, 2, 0x61]),
    "ro.txt": "a",
  });
  await Deno.chmod(join(folder.path, "ro.txt"), 0o400);
  await assert.rejects(replace(folder, "a", "b"), /not UTF-8 and would be lost/);
  await assert.rejects(replace(folder, "a", "b", { path: "b.bin" }), /not a text file/);
  await assert.rejects(replace(folder, "a", "b", { path: "ro.txt" }), /read-only/);
  await assert.rejects(replace(folder, "a", "b", { path: "f.tx" }), /Near names: "f.txt"/);
});

Deno.test("patch applies a V4A patch over several files", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({
    "a.py":
      "class A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n        pass\n",
    "old.txt": "gone\n",
    "from.txt": "1\n2\n3\n",
  });
  const result = await apply(
    folder,
    "*** Update File: a.py",
    "@@ class B:",
    "     def f(self):",
    "-        pass",
    "+        return 1",
    "*** End of File",
    "",
    "*** Add File: new/b.txt",
    "+first",
    "+",
    "+third",
    "*** Delete File: old.txt",
    "*** Update File: from.txt",
    "*** Move to: to.txt",
    " 1",
    "-2",
    "+two",
    " 3",
  );
  assert.equal(
    await text(folder, "a.py"),
    "class A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n        return 1\n",
  );
  assert.equal(await text(folder, "new/b.txt"), "first\n\nthird\n");
  assert.equal(await text(folder, "to.txt"), "1\ntwo\n3\n");
  assert.deepEqual(await folder.names(), ["a.py", "new/", "new/b.txt", "to.txt"]);
  assert.deepEqual(result.files, [
    { path: "a.py", status: "updated", chunks: 1 },
    { path: "new/b.txt", status: "added", lines: 3 },
    { path: "old.txt", status: "deleted" },
    { path: "to.txt", status: "moved", from: "from.txt", chunks: 1 },
  ]);
  assert.match(result.diff, /--- \/dev\/null\n\+\+\+ b\/new\/b.txt\n/);
  assert.match(result.diff, /--- a\/old.txt\n\+\+\+ \/dev\/null\n/);
});

Deno.test("patch writes nothing of a V4A patch when one part of it does not fit", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "a\n", "b.txt": "b\n" });
  const parts = ["*** Update File: a.txt", "-a", "+A", "*** Add File: c.txt", "+c"];
  await assert.rejects(
    apply(folder, ...parts, "*** Update File: b.txt", "-nothing like it", "+x"),
    /Cannot patch "b.txt": the lines of the chunk at line 8 of the patch are not in the file/,
  );
  await assert.rejects(apply(folder, ...parts, "*** Delete File: d.txt"), /No such file: "d.txt"/);
  await assert.rejects(apply(folder, ...parts, "*** Add File: b.txt", "+x"), /it is there already/);
  assert.deepEqual(await folder.names(), ["a.txt", "b.txt"]);
  assert.equal(await text(folder, "a.txt"), "a\n");
});

Deno.test("patch puts files back when a later one cannot be written", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "a\n", "z.txt": "z\n" });
  const rename = Deno.rename;
  // The second move into place fails, as on a file system that turns read-only.
  let moves = 0;
  Deno.rename = (from, to) =>
    ++moves === 2 ? Promise.reject(new Error("No space")) : rename(from, to);
  try {
    await assert.rejects(
      apply(
        folder,
        "*** Update File: a.txt",
        "-a",
        "+A",
        "*** Add File: new/n.txt",
        "+n",
        "*** Delete File: z.txt",
      ),
      /Cannot write "new\/n.txt": No space. Nothing was changed/,
    );
  } finally {
    Deno.rename = rename;
  }
  assert.deepEqual(await folder.names(), ["a.txt", "z.txt"]);
  assert.equal(await text(folder, "a.txt"), "a\n");
});

Deno.test("patch refuses a chunk that fits several places, unless a line @@ tells which", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "x\ny\nmark\nx\ny\n" });
  await assert.rejects(
    apply(folder, "*** Update File: f.txt", " x", "-y", "+z"),
    /fits 2 places, at lines 1, 4/,
  );
  await apply(folder, "*** Update File: f.txt", "@@ mark", " x", "-y", "+z");
  assert.equal(await text(folder), "x\ny\nmark\nx\nz\n");
});

Deno.test("patch applies several chunks in order, ignores white space at need, and says so", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "a\n\tb\nc\nd\n" });
  const result = await apply(
    folder,
    "*** Update File: f.txt",
    "-a",
    "+A",
    "@@",
    "-  b",
    "+  B",
    " c",
    "@@ d",
    "+e",
  );
  assert.equal(await text(folder), "A\n\tB\nc\nd\ne\n");
  assert.deepEqual(result.files, [
    { path: "f.txt", status: "updated", chunks: 3, whitespace_ignored: true },
  ]);
  await assert.rejects(
    apply(folder, "*** Update File: f.txt", "-c", "+C", "@@", "-A", "+a"),
    /only at line 1. Chunks must come in the order of the file/,
  );
});

Deno.test("patch says where a V4A patch is malformed", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "f.txt": "a\n" });
  const bad = (patch: string) => call(folder, { mode: "patch", patch });
  await assert.rejects(bad("nonsense"), /at line 1, "nonsense": "\*\*\* Begin Patch" was expected/);
  await assert.rejects(
    bad("*** Begin Patch\n*** Add File: x\n+a\n"),
    /at its end: .*may have been cut/,
  );
  await assert.rejects(apply(folder), /it names no file/);
  await assert.rejects(apply(folder, "*** Rename File: x"), /at line 2/);
  await assert.rejects(apply(folder, "*** Add File: x", "a"), /at line 3, "a": every line/);
  await assert.rejects(
    apply(folder, "*** Update File: f.txt", "a"),
    /at line 3, "a": a line of a chunk/,
  );
  await assert.rejects(apply(folder, "*** Update File: f.txt", " a"), /adds and removes nothing/);
  await assert.rejects(
    apply(folder, "*** Update File: f.txt"),
    /the update of "f.txt" changes nothing/,
  );
  assert.deepEqual(await folder.names(), ["f.txt"]);
});

Deno.test("patch does not reach through links that leave the workspace", async () => {
  await using folder = await temporaryFolder();
  await using outside = await temporaryFolder();
  await outside.fill({ "o.txt": "a\n" });
  await Deno.symlink(join(outside.path, "o.txt"), join(folder.path, "f.txt"));
  await Deno.symlink(outside.path, join(folder.path, "out"));
  await assert.rejects(replace(folder, "a", "b"), /leads out of the workspace/);
  await assert.rejects(apply(folder, "*** Add File: out/x", "+x"), /leads out of the workspace/);
  await assert.rejects(apply(folder, "*** Delete File: out/o.txt"), /leads out of the workspace/);
  assert.deepEqual(await outside.names(), ["o.txt"]);
});

Deno.test("patch replaces as String.replace and String.replaceAll do", async () => {
  await using folder = await temporaryFolder();
  const letters = fc.string({
    unit: fc.constantFrom("a", "b", " ", "\n", "$", "&", "é"),
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(letters, letters, letters, letters, async (before, old, after, now) => {
      fc.pre(old !== now);
      const file = `${before}|${old}|${after}`;
      const first = file.indexOf(old);
      fc.pre(file.indexOf(old, first + 1) === -1 && !now.includes(old));
      await folder.fill({ "f.txt": file });
      await replace(folder, old, now);
      assert.equal(await text(folder), file.replace(old, () => now));
      const twice = `${file}#${file}`;
      await folder.fill({ "f.txt": twice });
      await replace(folder, old, now, { replace_all: true });
      assert.equal(await text(folder), twice.replaceAll(old, () => now));
    }),
    { numRuns: 80 },
  );
});

Deno.test("patch adds and deletes a file without a trace", async () => {
  await using folder = await temporaryFolder();
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\0\r\n]/g, "."));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), async (lines) => {
      await apply(folder, "*** Add File: n.txt", ...lines.map((line) => `+t${line}`));
      assert.equal(await text(folder, "n.txt"), lines.map((line) => `t${line}\n`).join(""));
      await apply(folder, "*** Delete File: n.txt");
      assert.deepEqual(await folder.names(), []);
    }),
    { numRuns: 40 },
  );
});
