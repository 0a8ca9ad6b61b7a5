import assert from "node:assert/strict";
import { preparePackages } from "../../runtime/cell_packages.ts";

/** A folder with a configuration for cells. */
async function prepare(
  imports: Record<string, string>,
): Promise<{ dir: string; configPath: string }> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-packages-" }));
  const configPath = `${dir}/cell.json`;
  await Deno.writeTextFile(
    configPath,
    JSON.stringify({ nodeModulesDir: "none", lock: false, imports }),
  );
  return { dir, configPath };
}

/** Runs a module as a cell would, with nothing cached but what was prepared. */
async function importIn(dir: string, lock: string, module: string): Promise<Deno.CommandOutput> {
  const file = `${dir}/uses.ts`;
  await Deno.writeTextFile(file, `console.log(typeof (await import(${JSON.stringify(module)})))`);
  return await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--cached-only",
      `--lock=${lock}`,
      "--frozen",
      "--config",
      `${dir}/cell.json`,
      file,
    ],
  }).output();
}

Deno.test("preparePackages() makes the allowed packages usable by a process that downloads nothing", async () => {
  const importMap = { picomatch: "npm:picomatch@4.0.7", "@x/tool": "file:///x.ts" };
  const { dir, configPath } = await prepare(importMap);
  const options = { deno: Deno.execPath(), configPath, folder: dir, importMap };
  const lock = await preparePackages(options);
  assert.ok(lock !== undefined && lock.startsWith(`${dir}/cell-`));
  const { success, stdout, stderr } = await importIn(dir, lock, "picomatch");
  assert.ok(success, new TextDecoder().decode(stderr));
  assert.equal(new TextDecoder().decode(stdout).trim(), "object");
  const before = (await Deno.stat(lock)).mtime;
  assert.equal(await preparePackages(options), lock);
  assert.deepEqual((await Deno.stat(lock)).mtime, before, "it is not made again");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("preparePackages() gives no lock file when no package is allowed", async () => {
  const { dir, configPath } = await prepare({});
  const importMap = { "@x/tool": "file:///x.ts" };
  const options = { deno: Deno.execPath(), configPath, folder: dir, importMap };
  assert.equal(await preparePackages(options), undefined);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("preparePackages() names the packages that it could not get, and leaves nothing behind", async () => {
  const importMap = { nothing: "npm:@cloister/there-is-no-such-package@1.0.0" };
  const { dir, configPath } = await prepare(importMap);
  const options = { deno: Deno.execPath(), configPath, folder: dir, importMap };
  await assert.rejects(
    preparePackages(options),
    /^Error: Cannot get the packages that tool files may import \(nothing\): .*there-is-no-such-package/s,
  );
  assert.deepEqual([...Deno.readDirSync(dir)].map(({ name }) => name), ["cell.json"]);
  await Deno.remove(dir, { recursive: true });
});
