import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { captureTool, type TemporaryFolder, temporaryFolder, testContext } from "./_capture.ts";
import { onPath } from "./_open_tool.ts";

const tool = await captureTool(new URL("../../tools/read_file.ts", import.meta.url));

async function read(folder: TemporaryFolder, args: object): Promise<string> {
  return await tool.handler(args as never, testContext(folder.path)) as string;
}

Deno.test("read_file declares least grants and an unlimited result", () => {
  assert.deepEqual(tool.permissions, { read: ["$WORKSPACE"] });
  assert.equal(tool.maxResultSizeChars, Infinity);
  assert.equal(tool.annotations?.readOnlyHint, true);
  assert.equal(tool.annotations?.idempotentHint, true);
});

Deno.test("read_file numbers lines and says how many there are", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "one\ntwo\n\nfour\n" });
  assert.equal(await read(folder, { path: "a.txt" }), "1|one\n2|two\n3|\n4|four\n[lines 1-4 of 4]");
});

Deno.test("read_file gives a window and how to go on", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "a\nb\nc\nd\ne\n" });
  assert.equal(
    await read(folder, { path: "a.txt", offset: 2, limit: 2 }),
    "2|b\n3|c\n[lines 2-3 of 5; go on with offset=4]",
  );
  assert.equal(await read(folder, { path: "a.txt", offset: 5 }), "5|e\n[lines 5-5 of 5]");
  await assert.rejects(
    read(folder, { path: "a.txt", offset: 6 }),
    /Cannot read "a.txt" from line 6: it has 5 lines/,
  );
});

Deno.test("read_file names line ends, byte order marks and encodings", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({
    "crlf.txt": "a\r\nb\r\n",
    "mixed.txt": "a\r\nb\nc",
    "bom.txt": "\uFEFFhé\n",
    "le.txt": new Uint8Array([0xff, 0xfe, 0x68, 0, 0xe9, 0, 0x0a, 0]),
    "be.txt": new Uint8Array([0xfe, 0xff, 0, 0x68, 0, 0xe9, 0, 0x0a]),
    "latin.txt": new Uint8Array([0x68, 0xe9, 0x0a]),
    "empty.txt": "",
  });
  assert.equal(
    await read(folder, { path: "crlf.txt" }),
    "1|a\n2|b\n[lines 1-2 of 2; CRLF line ends]",
  );
  assert.equal(
    await read(folder, { path: "mixed.txt" }),
    "1|a\n2|b\n3|c\n[lines 1-3 of 3; 1 CRLF line ends, others LF; no line end after the last line]",
  );
  assert.equal(
    await read(folder, { path: "bom.txt" }),
    "1|hé\n[lines 1-1 of 1; UTF-8 with byte order mark]",
  );
  assert.equal(
    await read(folder, { path: "le.txt" }),
    "1|hé\n[lines 1-1 of 1; UTF-16 little endian]",
  );
  assert.equal(await read(folder, { path: "be.txt" }), "1|hé\n[lines 1-1 of 1; UTF-16 big endian]");
  assert.equal(
    await read(folder, { path: "latin.txt" }),
    "1|h\uFFFD\n[lines 1-1 of 1; bytes that are not UTF-8 show as \uFFFD]",
  );
  assert.equal(await read(folder, { path: "empty.txt" }), '["empty.txt" is empty]');
});

Deno.test("read_file cuts long lines, not in the middle of a character", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({
    "long.txt": "x".repeat(2_000) + "\n" + "y".repeat(2_003) + "\n",
    "pair.txt": "z".repeat(1_999) + "😀!\n",
  });
  const lines = (await read(folder, { path: "long.txt" })).split("\n");
  assert.equal(lines[0], "1|" + "x".repeat(2_000));
  assert.equal(lines[1], "2|" + "y".repeat(2_000) + "… [+3 characters]");
  const pair = (await read(folder, { path: "pair.txt" })).split("\n");
  assert.equal(pair[0], "1|" + "z".repeat(1_999) + "… [+3 characters]");
});

Deno.test("read_file refuses over 100,000 characters and names a limit that fits", async () => {
  await using folder = await temporaryFolder();
  // A line of the answer has 3 to 5 characters of number and bar, 996 of text, and a line end.
  await folder.fill({ "big.txt": ("x".repeat(996) + "\n").repeat(150) });
  const error = await read(folder, { path: "big.txt" }).catch((error) => error);
  assert.match(error.message, /^Cannot read 150 lines of "big.txt" at once/);
  const { fitting_limit: limit } = error.details;
  // 9 lines of 999, 90 of 1,000 and line 100 of 1,001 make 99,992; one more is too much.
  assert.equal(limit, 100);
  const text = await read(folder, { path: "big.txt", limit });
  assert.ok(text.endsWith("[lines 1-100 of 150; go on with offset=101]"));
});

Deno.test("read_file offers near names when a file is missing", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "src/config.ts": "", "src/confirm.ts": "", "src/other.md": "" });
  const error = await read(folder, { path: "src/confi.ts" }).catch((error) => error);
  assert.equal(
    error.message,
    'No such file: "src/confi.ts". Near names: "src/config.ts", "src/confirm.ts"',
  );
  await assert.rejects(read(folder, { path: "scr/config.ts" }), /Near names: "src"/);
  await assert.rejects(
    read(folder, { path: "zzzzzz" }),
    /Nothing in "\." has a name like "zzzzzz"/,
  );
});

Deno.test("read_file refuses binary files and names their type", async () => {
  await using folder = await temporaryFolder();
  const zip = (part: string) =>
    new TextEncoder().encode(`PK\x03\x04\0\0[Content_Types].xml${part}`);
  await folder.fill({
    "a.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
    "a.pdf": "%PDF-1.7\n",
    "a.docx": zip("word/document.xml"),
    "a.xlsx": zip("xl/workbook.xml"),
    "a.bin": new Uint8Array([1, 2, 0, 3]),
    "late.bin": "x".repeat(300_000) + "\0",
    "wide.txt": new Uint8Array([0x68, 0, 0x69, 0, 0x0a, 0]),
    "BM.txt": "BM is a text, MZ too",
  });
  const types: [string, RegExp][] = [
    ["a.png", /: PNG image$/],
    ["a.pdf", /: PDF document$/],
    ["a.docx", /: Word document \(docx\)$/],
    ["a.xlsx", /: Excel workbook \(xlsx\)$/],
    ["a.bin", /: unknown binary data$/],
    ["late.bin", /: unknown binary data \(it holds NUL\)$/],
    ["wide.txt", /: UTF-16 text without byte order mark$/],
  ];
  for (const [path, message] of types) await assert.rejects(read(folder, { path }), message);
  assert.match(await read(folder, { path: "BM.txt" }), /^1\|BM is a text/);
});

Deno.test("read_file refuses folders", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "sub/a.txt": "" });
  await assert.rejects(read(folder, { path: "sub" }), /is a directory.*search_files.*"path":"sub"/);
});

Deno.test({
  name: "read_file refuses special files at once",
  ignore: onPath("mkfifo") === undefined,
  async fn() {
    await using folder = await temporaryFolder();
    await new Deno.Command("mkfifo", { args: [join(folder.path, "pipe")] }).output();
    await assert.rejects(read(folder, { path: "pipe" }), /"pipe" is a named pipe \(FIFO\)/);
  },
});

Deno.test("read_file follows links inside the workspace and refuses those that leave it", async () => {
  await using folder = await temporaryFolder();
  await using outside = await temporaryFolder();
  await outside.fill({ "secret.txt": "secret\n" });
  await folder.fill({ "a.txt": "a\n" });
  await Deno.symlink("a.txt", join(folder.path, "good"));
  await Deno.symlink(join(outside.path, "secret.txt"), join(folder.path, "bad"));
  await Deno.symlink(outside.path, join(folder.path, "out"));
  await Deno.symlink("nowhere", join(folder.path, "broken"));
  await Deno.symlink("circle", join(folder.path, "circle"));
  assert.equal(await read(folder, { path: "good" }), "1|a\n[lines 1-1 of 1]");
  await assert.rejects(read(folder, { path: "bad" }), /"bad": a link on the way leads out/);
  await assert.rejects(read(folder, { path: "out/secret.txt" }), /leads out of the workspace/);
  await assert.rejects(read(folder, { path: "out/missing.txt" }), /leads out of the workspace/);
  await assert.rejects(
    read(folder, { path: "broken" }),
    /is a link to something that does not exist/,
  );
  await assert.rejects(read(folder, { path: "circle" }), /lead in a circle/);
  await assert.rejects(read(folder, { path: "a.txt/b" }), /a parent of it is a file/);
  await assert.rejects(read(folder, { path: "../x" }), /leaves the workspace/);
});

Deno.test("read_file gives the cells of a notebook as text", async () => {
  await using folder = await temporaryFolder();
  const cells = [
    { cell_type: "markdown", source: ["# Title\n", "text"] },
    {
      cell_type: "code",
      source: "print(1)",
      outputs: [
        { output_type: "stream", text: ["1\n"] },
        { output_type: "display_data", data: { "text/plain": "<Figure>", "image/png": "AAAA" } },
        { output_type: "error", ename: "ValueError", evalue: "no" },
      ],
    },
  ];
  await folder.fill({ "n.ipynb": JSON.stringify({ cells }), "bad.ipynb": "not json\n" });
  assert.equal(
    await read(folder, { path: "n.ipynb" }),
    [
      "1|## Cell 1 (markdown)",
      "2|# Title",
      "3|text",
      "4|",
      "5|## Cell 2 (code)",
      "6|print(1)",
      "7|## Output",
      "8|1",
      "9|## Output",
      "10|<Figure>",
      "11|[image/png left out]",
      "12|## Output",
      "13|ValueError: no",
      "[lines 1-13 of 13]",
    ].join("\n"),
  );
  assert.equal(await read(folder, { path: "bad.ipynb" }), "1|not json\n[lines 1-1 of 1]");
});

Deno.test("read_file ends when its call is cancelled", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "a\n" });
  const context = testContext(folder.path, AbortSignal.abort(new Error("stopped")));
  await assert.rejects(
    async () => await tool.handler({ path: "a.txt" } as never, context),
    /stopped/,
  );
});

Deno.test("read_file's pages, one after the other, are the file", async () => {
  await using folder = await temporaryFolder();
  const line = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) =>
    text.replace(/[\0\r\n]/g, "|")
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1 }),
      fc.integer({ min: 1, max: 7 }),
      async (lines, limit) => {
        // A letter in front keeps the content from looking like a byte order mark or a binary file.
        const file = lines.map((text) => `t${text}`);
        await folder.fill({ "p.txt": file.join("\n") + "\n" });
        const seen: string[] = [];
        for (let offset = 1; offset <= file.length; offset += limit) {
          const page = await read(folder, { path: "p.txt", offset, limit });
          seen.push(...page.split("\n").slice(0, -1).map((text) => text.replace(/^\d+\|/, "")));
        }
        assert.deepEqual(seen, file);
      },
    ),
    { numRuns: 60 },
  );
});
