import assert from "node:assert/strict";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { assertGone, succeeded, until } from "./_arena.ts";
import { openProject, type Project, shellTool } from "./_project.ts";

const DEEP = { roots: ["packages/a/tools"] };
const PROMOTED = shellTool("promoted", "echo ran");

function greets(word: string): string {
  return `import { registry } from "@cloister/cloister/tool";
registry.register({ name: "greets", toolset: "t", description: "g", schema: { type: "object" },
  handler: () => "${word}" });
`;
}

function isOffered(project: Project, name: string): boolean {
  return project.runtime.registry.getEntry(name) !== undefined;
}

async function holds(project: Project, file: string): Promise<void> {
  const { modules } = await project.runtime.discover();
  const module = modules.find(({ path }) => path === `${project.dir}/${file}`);
  assert.ok(module?.diagnostics.some(({ code }) => code === "file_held"), JSON.stringify(module));
  const held = await project.runtime.held();
  assert.deepEqual(held.map(({ path }) => path), [`${project.dir}/${file}`]);
}

/** The person says yes to everything that is held. */
async function accept(project: Project): Promise<void> {
  await project.runtime.acceptHeld(await project.runtime.held());
}

Deno.test("attack [A30] a tool file is put down by the name of a folder above, with a twin who accepts it", async () => {
  await using project = await openProject(DEEP);
  succeeded(await project.call("rename_above", { path: "promoted.ts", way: PROMOTED }));
  await holds(project, "packages/a/tools/promoted.ts");
  assert.ok(!isOffered(project, "promoted"));
  await project.restart();
  await holds(project, "packages/a/tools/promoted.ts");
  assert.ok(!isOffered(project, "promoted"));
  const [change] = await project.runtime.held();
  assert.deepEqual(change!.permissions, { promoted: { run: ["sh"] } });
  assert.equal(change!.before, undefined);
  assert.match(change!.patch, /^\+ {2}permissions: \{ run: \["sh"\] \},$/m);
  await accept(project);
  assert.equal(succeeded(await project.call("promoted")).content, "ran\n");
  await project.restart();
  assert.equal(succeeded(await project.call("promoted")).content, "ran\n");
});

Deno.test("attack [A30] a tool file is overwritten by the name of a folder above: what it was before goes on", async () => {
  await using project = await openProject({
    ...DEEP,
    files: { "packages/a/tools/greets.ts": greets("old") },
  });
  const file = "packages/a/tools/greets.ts";
  for (const word of ["evil", "worse"]) {
    succeeded(await project.call("rename_above", { path: "greets.ts", way: greets(word) }));
    assert.equal(succeeded(await project.call("greets")).content, "old");
    await holds(project, file);
    assert.equal(succeeded(await project.call("greets")).content, "old");
  }
  const [change] = await project.runtime.held();
  assert.match(change!.patch, /^- {2}handler: \(\) => "old"/m);
  assert.match(change!.patch, /^\+ {2}handler: \(\) => "worse"/m);
  await accept(project);
  assert.equal(succeeded(await project.call("greets")).content, "worse");
});

Deno.test("attack [A30] a tool file is put down through a link that stood in the workspace: held", async () => {
  await using project = await openProject({
    prepare: (dir) => Deno.symlinkSync("tools", `${dir}/link`),
  });
  succeeded(await project.call("write_text", { path: "link/promoted.ts", way: PROMOTED }));
  await holds(project, "tools/promoted.ts");
  assert.ok(!isOffered(project, "promoted"));
});

Deno.test("attack [A30] a tool file is put down by a program that a tool started: held", async () => {
  await using project = await openProject();
  succeeded(await project.call("write_by_shell", { path: "tools/promoted.ts", way: PROMOTED }));
  await holds(project, "tools/promoted.ts");
  assert.ok(!isOffered(project, "promoted"));
});

Deno.test("attack [A30] a file that a tool file imports is overwritten by a program: held", async () => {
  const main = greets("unused").replace(
    'registry } from "@cloister/cloister/tool";',
    'registry } from "@cloister/cloister/tool";\nimport { word } from "./_word.ts";',
  ).replace('"unused"', "word");
  await using project = await openProject({
    files: { "tools/greets.ts": main, "tools/_word.ts": 'export const word = "old";\n' },
  });
  const evil = { path: "tools/_word.ts", way: 'export const word = "evil";\n' };
  succeeded(await project.call("write_by_shell", evil));
  await holds(project, "tools/greets.ts");
  assert.equal(succeeded(await project.call("greets")).content, "old");
});

Deno.test("attack [A30] the workspace is a tool folder: tools work in it, and put no tool file there", async () => {
  await using project = await openProject({ roots: ["."], builtins: true });
  succeeded(await project.call("write_file", { path: "notes.txt", content: "text" }));
  assert.equal(project.read("notes.txt"), "text");
  succeeded(await project.call("write_file", { path: "promoted.ts", content: PROMOTED }));
  await holds(project, "promoted.ts");
  assert.ok(!isOffered(project, "promoted"));
});

Deno.test("attack [A30] a tool file is put down and the program ends before anybody looks: held by the next start", async () => {
  await using project = await openProject(DEEP);
  succeeded(await project.call("rename_above", { path: "promoted.ts", way: PROMOTED }));
  await project.restart();
  assert.ok(!isOffered(project, "promoted"));
  await holds(project, "packages/a/tools/promoted.ts");
});

Deno.test("attack [A30] a tool file that only a cell can read is put down before the program ends: held by the next start", async () => {
  await using project = await openProject(DEEP);
  const computed = PROMOTED.replace('description: "p"', 'description: ["p"].join("")');
  succeeded(await project.call("rename_above", { path: "promoted.ts", way: computed }));
  await project.restart();
  assert.ok(!isOffered(project, "promoted"));
  await holds(project, "packages/a/tools/promoted.ts");
  await accept(project);
  assert.equal(succeeded(await project.call("promoted")).content, "ran\n");
});

Deno.test("attack [A30] twin what the person edits is live: before any tool worked, and after its cell is gone", async () => {
  await using project = await openProject({ ...DEEP, config: { limits: { idleMs: 50 } } });
  const file = `${project.dir}/packages/a/tools/greets.ts`;
  await Deno.writeTextFile(file, greets("first"));
  await project.runtime.discover();
  assert.equal(succeeded(await project.call("greets")).content, "first");
  const { content: pid } = succeeded(await project.call("write_text", { path: "a.txt" }));
  await assertGone(Number(pid));
  // The process is gone before the runtime hears of it.
  let edits = 0;
  await until(async () => {
    await Deno.writeTextFile(file, greets(`edit ${++edits}`));
    await project.runtime.discover();
    return (await project.runtime.held()).length === 0;
  }, "the end of the cell to be known");
  assert.equal(succeeded(await project.call("greets")).content, `edit ${edits}`);
});

Deno.test("attack [A30] twin what the person edits in a folder that no tool may write is live while tools work", async () => {
  await using project = await openProject({ builtins: true });
  succeeded(await project.call("write_file", { path: "a.txt", content: "text" }));
  succeeded(await project.call("search_files", { pattern: "text" }));
  await Deno.writeTextFile(`${project.dir}/tools/greets.ts`, greets("live"));
  await project.runtime.discover();
  assert.equal(succeeded(await project.call("greets")).content, "live");
});

Deno.test("attack [A30] twin nothing is held where tools are meant to write tools", async () => {
  await using project = await openProject({ ...DEEP, editTools: true });
  const path = "packages/a/tools/promoted.ts";
  succeeded(await project.call("write_text", { path, way: PROMOTED }));
  await project.runtime.discover();
  assert.equal(succeeded(await project.call("promoted")).content, "ran\n");
});

Deno.test("attack [A30] twin what is accepted elsewhere is taken by a runtime that watches", async () => {
  await using project = await openProject(DEEP);
  succeeded(await project.call("rename_above", { path: "promoted.ts", way: PROMOTED }));
  await holds(project, "packages/a/tools/promoted.ts");
  await using _watch = project.runtime.watch();
  {
    await using other = await project.start({ registry: new ToolRegistry() });
    await other.acceptHeld(await other.held());
  }
  await until(() => isOffered(project, "promoted"), "the accepted file to be taken");
});
