import assert from "node:assert/strict";
import * as names from "../mod.ts";

/** The names that exist at run time. Adding one adds to what programs rely on. */
const PUBLIC = [
  "ERROR_CODES",
  "PermissionError",
  "ToolError",
  "ToolRegistry",
  "createRuntime",
  "defineTool",
  "discoverBuiltinTools",
  "registry",
  "toolError",
  "toolResult",
];

/** Runs a fixture in a process of its own, in which no npm package can be loaded. */
async function runWithoutPackages(
  fixture: string,
  ...flags: readonly string[]
): Promise<{ readonly success: boolean; readonly stdout: string; readonly stderr: string }> {
  const decoder = new TextDecoder();
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-npm",
      "--no-remote",
      "--no-prompt",
      "--no-check",
      ...flags,
      `tests/fixtures/mod/${fixture}`,
    ],
    cwd: new URL("..", import.meta.url),
    stdin: "null",
  }).output();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("mod.ts exports these names and no other", () => {
  assert.deepEqual(Object.keys(names).sort(), PUBLIC);
});

Deno.test("mod.ts loads no npm package and needs no permission to be imported", async () => {
  const { success, stdout, stderr } = await runWithoutPackages("import_mod.ts");
  assert.ok(success, stderr);
  assert.deepEqual(JSON.parse(stdout), PUBLIC);
});

Deno.test("mod.ts test is able to fail: a module that imports a package cannot be loaded so", async () => {
  const { success } = await runWithoutPackages("import_package.ts");
  assert.equal(success, false);
});

Deno.test("registry takes over what tool files registered before, and logs what was broken", async () => {
  const { success, stdout, stderr } = await runWithoutPackages(
    "register_first.ts",
    // A module that is imported later is read with the program's own grants.
    "--allow-read=.",
  );
  assert.ok(success, stderr);
  const { names, owner, events, thrown } = JSON.parse(stdout);
  assert.deepEqual(names, ["early", "early_too", "late"]);
  assert.equal(owner, "program");
  assert.equal(events.length, 1);
  assert.match(events[0], /^error: Tool registration REJECTED: .*"broken".*"timeoutMs"/);
  assert.match(thrown, /^TypeError: .*"broken_late"/);
});
