import assert from "node:assert/strict";
import { shellTool } from "../attacks/_project.ts";
import { makeHome, ROOT } from "./child.ts";

// Every step is a process of its own: what is held outlives the one that held it.
Deno.test("accept shows what a held tool file changes, and takes it when somebody says yes", async () => {
  await using home = await makeHome();
  const work = `${home.dir}/work`, tools = `${work}/packages/a/tools`;
  await Deno.mkdir(tools, { recursive: true });
  await Deno.copyFile(`${ROOT}/tests/fixtures/attacks/a30/writes.ts`, `${tools}/writes.ts`);
  const run = (...words: string[]) => home.run(...words, "--root", tools, "--workspace", work);
  const path = "promoted.ts";
  const args = JSON.stringify({ path, way: shellTool("promoted", "echo ran") });
  const written = await run("call", "rename_above", args);
  assert.equal(written.code, 0, written.stderr);
  const refused = await run("call", "promoted");
  assert.equal(refused.code, 1);
  assert.match(refused.stdout + refused.stderr, /Unknown tool: "promoted"/);
  const asked = await run("accept");
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /promoted: none -> run=sh\n/);
  assert.match(asked.stderr, /^\+ {2}permissions: \{ run: \["sh"\] \},$/m);
  assert.match(asked.stderr, /nobody can be asked here: say --yes to accept/);
  const other = await run("accept", `${tools}/writes.ts`);
  assert.match(other.stderr, /Nothing is held of/);
  const accepted = await run("accept", `${tools}/${path}`, "--yes", "--json");
  assert.deepEqual(JSON.parse(accepted.stdout), { accepted: [`${tools}/${path}`] });
  assert.equal((await run("call", "promoted")).stdout, "ran\n");
  assert.match((await run("accept")).stderr, /No tool file is held/);
});
