import assert from "node:assert/strict";
import { protectedPlaces } from "../../../runtime/container/protected_places.ts";
import { withFolder } from "./_container.ts";

Deno.test("protectedPlaces() lists what is inside the workspace, links with what they lead to", async () => {
  await withFolder(async (folder) => {
    const space = `${folder}/space`;
    await Deno.mkdir(`${space}/own/tools`, { recursive: true });
    await Deno.writeTextFile(`${space}/real.json`, "{}");
    await Deno.symlink("real.json", `${space}/cloister.json`);
    await Deno.symlink("own/tools", `${space}/tools`);
    await Deno.symlink(`${folder}/elsewhere`, `${space}/plugins`);
    const configured = [`${space}/tools`, `${space}/plugins`, `${folder}/other`, space, folder];
    assert.deepEqual(
      protectedPlaces(space, configured),
      [
        ".git",
        "cloister.json",
        "mcp.lock",
        "own/tools",
        "plugins",
        "real.json",
        "tools",
      ].map((name) => `${space}/${name}`),
    );
  });
});
