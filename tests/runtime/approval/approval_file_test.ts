import assert from "node:assert/strict";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import { ApprovalFile } from "../../../runtime/approval/approval_file.ts";
import { startRuntime } from "../_runtime.ts";

interface Kept extends AsyncDisposable {
  readonly base: string;
  readonly path: string;
  readonly warnings: string[];
  /** The file as another process would see it. */
  open(home?: string): ApprovalFile;
}

async function keep(): Promise<Kept> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-approvals-" }));
  const warnings: string[] = [];
  for (const folder of ["home", "space"]) await Deno.mkdir(`${base}/${folder}`);
  return {
    base,
    path: `${base}/home/.config/cloister/approvals.json`,
    warnings,
    open: (home = `${base}/home`) =>
      new ApprovalFile({
        environment: (name) => name === "HOME" ? home : undefined,
        workspace: `${base}/space`,
        warn: (message) => void warnings.push(message),
      }),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
}

const ONE = { key: "k1", tool: "terminal", what: "npm test" };

Deno.test("ApprovalFile keeps approvals for the next process, readable and for its user only", async () => {
  await using kept = await keep();
  assert.deepEqual([...kept.open().keys()], []);
  await kept.open().add([ONE]);
  await kept.open().add([{ ...ONE, key: "k2" }, ONE]);
  assert.deepEqual([...kept.open().keys()], ["k2", "k1"]);
  const { mode } = await Deno.stat(kept.path);
  assert.equal(mode! & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(kept.path)).always[1], ONE);
  assert.deepEqual(kept.warnings, []);
});

Deno.test("ApprovalFile loses nothing when several processes add at once", async () => {
  await using kept = await keep();
  await kept.open().add([ONE]);
  const module = new URL("../../../runtime/approval/approval_file.ts", import.meta.url).href;
  const add = async (name: string) => {
    const code = `import { ApprovalFile } from ${JSON.stringify(module)};
const file = new ApprovalFile({
  environment: (name) => name === "HOME" ? "${kept.base}/home" : undefined,
  workspace: "${kept.base}/space",
  warn: console.error,
});
for (let n = 0; n < 40; n++) await file.add([{ key: "${name} " + n, tool: "t", what: "w" }]);`;
    const { success } = await new Deno.Command(Deno.execPath(), { args: ["eval", code] }).output();
    assert.ok(success);
  };
  await Promise.all(["a", "b", "c"].map(add));
  assert.equal(kept.open().keys().size, 121);
});

Deno.test("attack [A22] ApprovalFile approves nothing from a file that somebody else may have written", async () => {
  const faults: [name: string, spoil: (kept: Kept) => Promise<void>, says: RegExp][] = [
    ["mode of the file", ({ path }) => Deno.chmod(path, 0o622), /can be written by others/],
    [
      "mode of the folder",
      ({ path }) => Deno.chmod(path.replace(/\/[^/]*$/, ""), 0o777),
      /can be written/,
    ],
    ["a link", async ({ path, base }) => {
      await Deno.rename(path, `${base}/space/approvals.json`);
      await Deno.symlink(`${base}/space/approvals.json`, path);
    }, /is a link/],
    ["in the workspace", async ({ base }) => {
      await Deno.rename(`${base}/home/.config`, `${base}/space/.config`);
      await Deno.symlink(`${base}/space/.config`, `${base}/home/.config`);
    }, /is in the workspace/],
    ["no JSON", ({ path }) => Deno.writeTextFile(path, "{"), /JSON/],
    [
      "another shape",
      ({ path }) => Deno.writeTextFile(path, '{"version":1,"always":{}}'),
      /unknown shape/,
    ],
    ...(Deno.uid() === 0
      ? [
        [
          "another owner",
          ({ path }: Kept) => Deno.chown(path, 65_534, 65_534),
          /somebody else/,
        ] as [string, (kept: Kept) => Promise<void>, RegExp],
      ]
      : []),
  ];
  for (const [name, spoil, says] of faults) {
    await using kept = await keep();
    await kept.open().add([ONE]);
    await spoil(kept);
    const file = kept.open();
    assert.deepEqual([...file.keys()], [], name);
    assert.match(kept.warnings.join(), says, name);
  }
  await using kept = await keep();
  await kept.open(`${kept.base}/space`).add([ONE]);
  assert.match(kept.warnings.join(), /is in the workspace, which tools may write/);
});

Deno.test("dispatch() asks nobody about what was approved for always, also in the next process", async () => {
  const requests: string[] = [];
  const base = await Deno.realPath(await Deno.makeTempDir());
  const start = (grants: string[], annotations = {}) => {
    const registry = new ToolRegistry();
    registry.register({
      name: "send",
      toolset: "mail",
      description: "A tool of a test.",
      schema: { type: "object" },
      permissions: { net: grants as [] },
      annotations,
      handler: () => "done",
    });
    return startRuntime({
      registry,
      config: { approval: { tools: { send: "ask" } } },
      environment: (name) => name === "XDG_CONFIG_HOME" ? base : Deno.env.get(name),
      onApproval: ({ name }) => {
        requests.push(name);
        return "always";
      },
    });
  };
  const asked = async (to: string, grants: string[] = [], annotations = {}) => {
    await using test = await start(grants, annotations);
    const before = requests.length;
    assert.ok((await test.call("send", { to })).ok);
    return requests.length - before;
  };
  try {
    assert.deepEqual([await asked("a"), await asked("a"), await asked("b")], [1, 0, 1]);
    assert.equal(await asked("a", ["mail.example:443"]), 1);
    assert.equal(await asked("a", [], { openWorldHint: false }), 1);
    assert.equal(await asked("a"), 0);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});
