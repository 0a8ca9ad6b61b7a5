import assert from "node:assert/strict";
import { isCandidateName, listCandidates, moduleName } from "../../registry/candidates.ts";
import { moduleAt, Playground, toolNames, toolText } from "./discovery_support.ts";

Deno.test("listCandidates() gives modules and name/tool.ts in one sorted list and skips by name", () => {
  using place = new Playground("basic");
  assert.deepEqual(listCandidates(place.dir), [
    "alpha.ts",
    "beta.ts",
    "gamma.mjs",
    "weather/tool.ts",
  ]);
});

Deno.test("isCandidateName() refuses each reserved kind of name", () => {
  const refused = [
    "mod.ts",
    "registry.js",
    "mcp_tool.mts",
    "x_test.ts",
    "x.d.ts",
    "_x.ts",
    ".x.ts",
  ];
  assert.deepEqual(refused.filter(isCandidateName), []);
  const accepted = ["model.ts", "registry_x.ts", "x.mts", "x.js", "x.mjs", "testing.ts"];
  assert.deepEqual(accepted.filter(isCandidateName), accepted);
  assert.equal(
    isCandidateName("x.tsx") || isCandidateName("x.cjs") || isCandidateName("x.json"),
    false,
  );
});

Deno.test("moduleName() is the stem, or the folder of a tool.ts", () => {
  assert.equal(moduleName("read_file.ts"), "read_file");
  assert.equal(moduleName("a.b.mjs"), "a.b");
  assert.equal(moduleName("weather/tool.ts"), "weather");
});

Deno.test("case 50: a file named mcp_tool that registers is skipped", async () => {
  using place = new Playground("basic");
  const outcome = await place.discover();
  assert.equal(outcome.modules.some(({ path }) => path.includes("mcp_tool")), false);
});

Deno.test("discover() refuses a symlinked candidate whose real path leaves the root", async () => {
  using place = new Playground();
  Deno.writeTextFileSync(`${place.base}/outside.ts`, toolText("outside"));
  Deno.symlinkSync(`${place.base}/outside.ts`, `${place.dir}/linked.ts`);
  Deno.mkdirSync(`${place.base}/elsewhere`);
  Deno.writeTextFileSync(`${place.base}/elsewhere/tool.ts`, toolText("elsewhere"));
  Deno.symlinkSync(`${place.base}/elsewhere`, `${place.dir}/folder`);
  place.write("_inside.ts", toolText("inside"));
  Deno.symlinkSync(`${place.dir}/_inside.ts`, `${place.dir}/inside.ts`);
  const outcome = await place.discover();
  for (const name of ["linked.ts", "folder/tool.ts"]) {
    const module = moduleAt(outcome, name);
    assert.equal(module.status, "failed");
    assert.deepEqual(module.diagnostics.map(({ code }) => code), ["outside_root", "module_failed"]);
  }
  assert.deepEqual(toolNames(moduleAt(outcome, "inside.ts")), ["inside"]);
});

Deno.test("discover() refuses a pipe, a device, a dead link and a file over 1 MB by name", async () => {
  using place = new Playground();
  const made = await new Deno.Command("mkfifo", { args: [`${place.dir}/pipe.ts`] }).output();
  assert.equal(made.success, true);
  Deno.symlinkSync("/dev/zero", `${place.dir}/device.ts`);
  Deno.symlinkSync(`${place.dir}/nothing`, `${place.dir}/dead.ts`);
  place.write("huge.ts", `${toolText("huge")}//${"x".repeat(1_048_576)}`);
  const outcome = await place.discover();
  const codes = outcome.modules.map((item) => [
    item.path.slice(place.dir.length + 1),
    item.diagnostics[0]?.code,
  ]);
  assert.deepEqual(codes, [
    ["dead.ts", "import_not_found"],
    ["device.ts", "outside_root"],
    ["huge.ts", "file_too_large"],
    ["pipe.ts", "not_a_file"],
  ]);
});

Deno.test("discover() says when a root is not there", async () => {
  using place = new Playground();
  using discovery = place.discovery();
  const dir = `${place.base}/nowhere`;
  const { modules } = await discovery.discover([{ dir, owner: "user" }, place.root]);
  assert.equal(modules.length, 1);
  assert.equal(
    modules[0]?.diagnostics[0]?.message,
    `Cannot read tool folder "${dir}": there is no such folder`,
  );
});
