import assert from "node:assert/strict";
import fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { deleteServer, readConfigFile, writeServer } from "../../../mcp/config/edit_config.ts";
import { setMember } from "../../../mcp/config/edit_text.ts";

async function inFile(
  text: string | undefined,
  work: (path: string) => Promise<void>,
): Promise<string> {
  const dir = await Deno.makeTempDir({ prefix: "cloister-edit-" });
  try {
    const path = `${dir}/cloister.json`;
    if (text !== undefined) await Deno.writeTextFile(path, text);
    await work(path);
    assert.deepEqual([...Deno.readDirSync(dir)].map(({ name }) => name), ["cloister.json"]);
    return await Deno.readTextFile(path);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

const ENTRY = { command: "npm:a@1.0.0" };

Deno.test("writeServer() keeps every comment and the formatting of everything else", async () => {
  const before = `{
    // which tools
    "enabledToolsets": ["file", "web"], // keep
    "mcpServers": {
        "old": { "command": "x" } /* mine */
    },
}
`;
  const after = await inFile(before, async (path) => {
    await writeServer(await readConfigFile(path), "new", ENTRY);
  });
  assert.equal(
    after,
    `{
    // which tools
    "enabledToolsets": ["file", "web"], // keep
    "mcpServers": {
        "old": { "command": "x" }, /* mine */
        "new": {
            "command": "npm:a@1.0.0"
        }
    },
}
`,
  );
});

Deno.test("writeServer() makes the file when there is none", async () => {
  const after = await inFile(undefined, async (path) => {
    await writeServer(await readConfigFile(path), "new", ENTRY);
  });
  assert.deepEqual(JSON.parse(after), { mcpServers: { new: ENTRY } });
});

Deno.test("writeServer() replaces an entry in its place", async () => {
  const after = await inFile(
    '{\n  "mcpServers": { "a": {"url": "https://x.example"}, "b": {"command":"b"} }\n}\n',
    async (path) => {
      await writeServer(await readConfigFile(path), "a", ENTRY);
    },
  );
  assert.deepEqual(Object.keys(JSON.parse(after).mcpServers), ["a", "b"]);
  assert.deepEqual(JSON.parse(after).mcpServers.a, ENTRY);
});

Deno.test("deleteServer() takes out one server and nothing else", async () => {
  const before =
    '{\n  "mcpServers": {\n    // first\n    "a": { "command": "a" },\n    "b": { "command": "b" } // second\n  }\n}\n';
  const after = await inFile(before, async (path) => {
    await deleteServer(await readConfigFile(path), "a");
  });
  assert.deepEqual(parse(after), { mcpServers: { b: { command: "b" } } });
  assert.match(after, /\/\/ second/);
  await inFile(before, async (path) => {
    await assert.rejects(
      deleteServer(await readConfigFile(path), "aa"),
      /has none of that name; did you mean "a"\?$/,
    );
  });
});

Deno.test("writeServer() changes nothing when the file has faults, or was changed in the meantime", async () => {
  const broken = '{ "mcpServers": { "a": { "comand": "x" } } }';
  const kept = await inFile(broken, async (path) => {
    await assert.rejects(readConfigFile(path), /it has faults:\n1:26 Unknown key "comand"/);
  });
  assert.equal(kept, broken);
  const other = await inFile("{}", async (path) => {
    const file = await readConfigFile(path);
    await Deno.writeTextFile(path, '{ "enabledToolsets": [] }');
    await assert.rejects(writeServer(file, "a", ENTRY), /somebody else changed it/);
  });
  assert.equal(other, '{ "enabledToolsets": [] }');
  const same = await inFile("{}", async (path) => {
    await assert.rejects(
      writeServer(await readConfigFile(path), "a", { comand: "x" }),
      /Unknown key/,
    );
  });
  assert.equal(same, "{}");
});

Deno.test("writeServer() keeps a link and the file's mode", async () => {
  const dir = await Deno.makeTempDir({ prefix: "cloister-edit-" });
  try {
    await Deno.writeTextFile(`${dir}/real.json`, "{}", { mode: 0o640 });
    await Deno.symlink(`${dir}/real.json`, `${dir}/cloister.json`);
    await writeServer(await readConfigFile(`${dir}/cloister.json`), "a", ENTRY);
    assert.ok((await Deno.lstat(`${dir}/cloister.json`)).isSymlink);
    assert.equal((await Deno.stat(`${dir}/real.json`)).mode! & 0o777, 0o640);
    assert.deepEqual(JSON.parse(await Deno.readTextFile(`${dir}/real.json`)).mcpServers.a, ENTRY);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("setMember() sets the member and leaves every other value alone, whatever the text", () => {
  const key = fc.constantFrom("a", "b", "mcpServers", "x y");
  const comment = fc.constantFrom("", " // c\n", "/* c */", "\n", "  ");
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  fc.assert(
    fc.property(
      object,
      object,
      comment,
      comment,
      fc.boolean(),
      (outer, inner, one, two, trailing) => {
        const value: Record<string, unknown> = { ...outer, mcpServers: inner };
        const members = Object.entries(value).map(([name, item]) =>
          `${one}${JSON.stringify(name)}:${JSON.stringify(item)}${two}`
        );
        const text = `{${members.join(",")}${trailing ? "," : ""}${one}}`;
        const errors: ParseError[] = [];
        const after = parse(setMember(text, ["mcpServers", "n"], ENTRY), errors, {
          allowTrailingComma: true,
        });
        assert.deepEqual(errors, []);
        assert.deepEqual(after, { ...value, mcpServers: { ...inner, n: ENTRY } });
      },
    ),
  );
});
