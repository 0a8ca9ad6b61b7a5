import assert from "node:assert/strict";
import { PACKAGES } from "../fixtures/mcp/packages.ts";
import { makeHome } from "./child.ts";

Deno.test("cloister mcp add, list and remove work with the grants that users get", async () => {
  await using home = await makeHome();
  const work = `${home.dir}/work`;
  await Deno.mkdir(`${work}/docs`, { recursive: true });
  const common = ["--config", `${work}/cloister.json`, "--workspace", work];
  const name = PACKAGES.filesystem;
  const added = await home.run(
    "mcp",
    "add",
    "fs",
    `npm:${name}`,
    `${work}/docs`,
    "--yes",
    "--json",
    ...common,
  );
  assert.equal(added.code, 0, added.stderr);
  const { entry, tools } = JSON.parse(added.stdout);
  assert.equal(tools.length, 14);
  assert.deepEqual(entry, {
    command: `npm:${name}`,
    args: [`${work}/docs`],
    permissions: { env: ["__MINIMATCH_TESTING_PLATFORM__"], read: ["$WORKSPACE/docs"] },
  });
  const listed = await home.run("mcp", "list", "--json", ...common);
  assert.equal(listed.code, 0, listed.stderr + listed.stdout);
  const { servers } = JSON.parse(listed.stdout);
  assert.deepEqual([servers[0].state, servers[0].containment, servers[0].tools], [
    "connected",
    "sandboxed",
    14,
  ]);
  const removed = await home.run("mcp", "remove", "fs", ...common);
  assert.equal(removed.code, 0, removed.stderr);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(`${work}/cloister.json`)), {
    mcpServers: {},
  });
});
