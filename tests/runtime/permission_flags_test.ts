import assert from "node:assert/strict";
import { makePermissionFlags } from "../../runtime/permission_flags.ts";
import { startRuntime } from "./_runtime.ts";

Deno.test("makePermissionFlags() lists each thing once, sorted, and programs only where some tool starts them", () => {
  const input = {
    read: ["/b", "/a", "/b"],
    write: ["/cache"],
    env: ["LANG"],
    startsPrograms: false,
  };
  assert.deepEqual(makePermissionFlags(input), [
    "--allow-read=/a,/b",
    "--allow-write=/cache",
    "--allow-env=DENO_DIR,HOME,LANG,NODE_V8_COVERAGE,PATH,XDG_CACHE_HOME,XDG_CONFIG_HOME",
    "--allow-run=deno",
  ]);
  const programs = makePermissionFlags({ ...input, startsPrograms: true });
  assert.equal(programs.at(-1), "--allow-run=deno,sh,unshare");
});

Deno.test("Runtime.permissionFlags() holds what the tools were granted and require", async () => {
  await using test = await startRuntime({ fixtures: ["grants", "needs"] });
  const flags = test.runtime.permissionFlags();
  const env = flags.find((flag) => flag.startsWith("--allow-env="))!.slice(12).split(",");
  for (const name of ["TEST_COLOUR", "CLOISTER_TEST_KEY", "CLOISTER_TEST_A"]) {
    assert.ok(env.includes(name), name);
  }
  assert.ok(flags.includes("--allow-run=deno"));
  assert.ok(!flags.some((flag) => /^--allow-(all|net|ffi|sys)|^-A/.test(flag)));
});
