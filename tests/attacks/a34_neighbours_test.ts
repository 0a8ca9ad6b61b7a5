import assert from "node:assert/strict";
import { SECRET, shareArena, succeeded } from "./_arena.ts";

// A cell may read the folder above what each of its workers may: the store, the folders of all tools.
const arena = shareArena("a34");

async function reach(path: string): Promise<Record<string, string>> {
  const { structured, content } = succeeded(await arena().call("reaches", { path }));
  assert.ok(!content.includes(SECRET), content);
  return structured as Record<string, string>;
}

async function secretFile(): Promise<string> {
  return succeeded(await arena().call("holder")).content;
}

Deno.test("attack [A34] a tool reads the admitted copy of another tool in its cell, in every way: refused", async () => {
  await secretFile();
  const { handler } = arena().runtime.registry.getEntry("holder")!;
  assert.ok(handler.kind === "module");
  const said = Object.entries(await reach(`${handler.folder}/holder.ts`));
  assert.equal(said.length, 8);
  for (const [way, text] of said) assert.match(text, /^refused: Requires read access to /, way);
});

Deno.test("attack [A34] a tool reads the own folder of another tool in its cell, in every way: refused", async () => {
  const path = await secretFile();
  for (const [way, text] of Object.entries(await reach(path))) {
    assert.match(text, /^refused: Requires read access to /, way);
  }
});

Deno.test("attack [A34] twin: a tool reads its own folder in these ways", async () => {
  const said = await reach("own");
  const open = Object.entries(said).filter(([, text]) => text.startsWith("got ")).map(([way]) =>
    way
  );
  // A nested worker of JSON is no script, and a data or blob module may import no file.
  assert.deepEqual(open, [
    "Deno.readTextFile",
    "node:fs",
    "computed text import",
    "nested data worker",
    "nested blob worker",
    "nested file worker",
  ]);
});
