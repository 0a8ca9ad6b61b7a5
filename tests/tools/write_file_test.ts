import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { captureTool, type TemporaryFolder, temporaryFolder, testContext } from "./_capture.ts";

const tool = await captureTool(new URL("../../tools/write_file.ts", import.meta.url));

async function write(folder: TemporaryFolder, path: string, content: string): Promise<unknown> {
  return JSON.parse(
    await tool.handler({ path, content } as never, testContext(folder.path)) as string,
  );
}

Deno.test("write_file creates a file with its parents", async () => {
  await using folder = await temporaryFolder();
  assert.deepEqual(await write(folder, "a/b/c.txt", "é\nx"), {
    path: "a/b/c.txt",
    status: "created",
    bytes: 4,
    lines: 2,
  });
  assert.deepEqual(await folder.names(), ["a/", "a/b/", "a/b/c.txt"]);
  assert.equal(await Deno.readTextFile(join(folder.path, "a/b/c.txt")), "é\nx");
});

Deno.test("write_file overwrites, keeps the mode and leaves nothing else behind", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "run.sh": "old\n" });
  await Deno.chmod(join(folder.path, "run.sh"), 0o751);
  assert.deepEqual(await write(folder, "run.sh", "new\nline\n"), {
    path: "run.sh",
    status: "overwritten",
    bytes: 9,
    lines: 2,
    previous_bytes: 4,
  });
  const { mode } = await Deno.stat(join(folder.path, "run.sh"));
  assert.equal(mode! & 0o777, 0o751);
  assert.deepEqual(await folder.names(), ["run.sh"]);
});

Deno.test("write_file replaces the file in one step: a hard link keeps the old bytes", async () => {
  await using folder = await temporaryFolder();
  await using outside = await temporaryFolder();
  await outside.fill({ "o.txt": "outside\n" });
  await Deno.link(join(outside.path, "o.txt"), join(folder.path, "h.txt"));
  await write(folder, "h.txt", "changed\n");
  assert.equal(await Deno.readTextFile(join(outside.path, "o.txt")), "outside\n");
});

Deno.test("write_file writes through a link that stays inside, and refuses one that leaves", async () => {
  await using folder = await temporaryFolder();
  await using outside = await temporaryFolder();
  await outside.fill({ "o.txt": "outside\n" });
  await folder.fill({ "real/a.txt": "a\n" });
  await Deno.symlink("real/a.txt", join(folder.path, "link"));
  await Deno.symlink(join(outside.path, "o.txt"), join(folder.path, "bad"));
  await Deno.symlink(outside.path, join(folder.path, "out"));
  const result = await write(folder, "link", "b\n") as Record<string, unknown>;
  assert.equal(result.link_target, "real/a.txt");
  assert.ok((await Deno.lstat(join(folder.path, "link"))).isSymlink);
  assert.equal(await Deno.readTextFile(join(folder.path, "real/a.txt")), "b\n");
  await assert.rejects(write(folder, "bad", "x"), /leads out of the workspace/);
  await assert.rejects(write(folder, "out/new.txt", "x"), /leads out of the workspace/);
  await assert.rejects(write(folder, "out/deep/new.txt", "x"), /leads out of the workspace/);
  assert.equal(await Deno.readTextFile(join(outside.path, "o.txt")), "outside\n");
  assert.deepEqual(await outside.names(), ["o.txt"]);
});

Deno.test("write_file refuses what is no file, is read-only, or cannot be stored", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "sub/a.txt": "a", "fixed.txt": "f" });
  await Deno.chmod(join(folder.path, "fixed.txt"), 0o444);
  await assert.rejects(write(folder, "sub", "x"), /"sub" is a directory/);
  await assert.rejects(write(folder, "new/", "x"), /ends with a slash/);
  await assert.rejects(write(folder, "fixed.txt", "x"), /it is read-only \(mode 444\)/);
  await assert.rejects(write(folder, "sub/a.txt/b", "x"), /a parent of it is a file/);
  await assert.rejects(write(folder, "s.txt", "\uD800"), /half a surrogate pair/);
  assert.deepEqual(await folder.names(), ["fixed.txt", "sub/", "sub/a.txt"]);
});

Deno.test("write_file leaves neither file nor temporary file when the call is cancelled", async () => {
  await using folder = await temporaryFolder();
  await folder.fill({ "a.txt": "old" });
  const controller = new AbortController();
  const call = tool.handler(
    { path: "a.txt", content: "new" } as never,
    testContext(folder.path, controller.signal),
  );
  controller.abort(new Error("stopped"));
  await assert.rejects(async () => await call, /stopped/);
  assert.deepEqual(await folder.names(), ["a.txt"]);
  assert.equal(await Deno.readTextFile(join(folder.path, "a.txt")), "old");
});

Deno.test("write_file leaves no temporary file when the write fails", async () => {
  await using folder = await temporaryFolder();
  const name = "n".repeat(300);
  await assert.rejects(write(folder, `made/${name}`, "x"));
  assert.deepEqual(await folder.names(), []);
});

Deno.test("write_file stores exactly the bytes of the content", async () => {
  await using folder = await temporaryFolder();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (content) => {
      await write(folder, "p.txt", content);
      const bytes = await Deno.readFile(join(folder.path, "p.txt"));
      assert.deepEqual(bytes, new TextEncoder().encode(content));
    }),
    { numRuns: 60 },
  );
});
