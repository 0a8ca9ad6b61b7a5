import assert from "node:assert/strict";
import { createCellSettings } from "../../runtime/cells.ts";
import { FakeClock } from "../registry/availability/_fake_clock.ts";

/** Where a program is. */
async function find(program: string): Promise<string> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    const path = `${folder}/${program}`;
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  throw new Error(`There is no ${program} on the PATH`);
}

Deno.test({
  name:
    "createCellSettings() looks for a better containment again after 30 seconds, until it has the best",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir({ prefix: "cloister-bin-" });
    const clock = new FakeClock();
    const cells = createCellSettings({
      deno: Deno.execPath(),
      environment: (name) => name === "PATH" ? folder : undefined,
      cacheDir: `${folder}/cache`,
      importMap: {},
      clock,
      onFault: assert.fail,
    });
    using _files = cells.files;
    assert.equal(await cells.containment(), "none");
    await Deno.symlink(await find("sh"), `${folder}/sh`);
    await clock.advance(29_999);
    assert.equal(await cells.containment(), "none", "not yet");
    await clock.advance(1);
    assert.equal(await cells.containment(), "group");
    // It succeeds; whether this machine allows the real one is not the question here.
    const unshare = `${folder}/unshare`;
    await Deno.writeTextFile(unshare, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    await clock.advance(30_000);
    const best = Deno.build.os === "linux" ? "namespace" : "group";
    assert.equal(await cells.containment(), best);
    await Deno.remove(folder, { recursive: true });
    await clock.advance(600_000);
    assert.equal(await cells.containment(), best === "namespace" ? best : "none");
  },
});
