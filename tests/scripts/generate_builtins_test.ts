import assert from "node:assert/strict";
import { discoverBuiltinTools } from "../../runtime/discover_builtin_tools.ts";
import { BUILTINS } from "../../tools/_builtins.ts";

const SCRIPT = new URL("../../scripts/generate_builtins.ts", import.meta.url).pathname;

Deno.test("tools/_builtins.ts is what scripts/generate_builtins.ts writes", async () => {
  const output = await new Deno.Command("deno", {
    args: ["run", "-A", "--no-check", "--no-lock", SCRIPT, "--check"],
  }).output();
  assert.equal(new TextDecoder().decode(output.stderr), "");
  assert.equal(output.code, 0);
});

Deno.test("BUILTINS holds the modules that discovery finds, with the names of their tools", async () => {
  assert.deepEqual(Object.keys(BUILTINS).toSorted(), await discoverBuiltinTools());
  for (const { declarations } of Object.values(BUILTINS)) {
    assert.equal(declarations.every(({ name }) => typeof name === "string"), true);
  }
});
