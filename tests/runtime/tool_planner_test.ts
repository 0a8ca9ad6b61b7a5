import assert from "node:assert/strict";
import type { ToolDeclaration, ToolEntry } from "../../core/entry.ts";
import type { PathGrant, Permissions } from "../../core/permissions.ts";
import { createModuleEntry } from "../../registry/entry.ts";
import { createSnapshot, type RegistrySnapshot } from "../../registry/snapshot.ts";
import { TableVersion } from "../../registry/table_version.ts";
import type { Config } from "../../runtime/config.ts";
import { ProtectedPlaces } from "../../runtime/protected_places.ts";
import { RuntimeFolders } from "../../runtime/runtime_folders.ts";
import { ToolPlanner } from "../../runtime/tool_planner.ts";
import { WriteReach } from "../../runtime/write_reach.ts";
import type { Placement } from "../../workers/execution.ts";

async function withPlanner(
  work: (planner: ToolPlanner, cache: string) => void,
  config: Config = {},
  { toolFolder, hasCells = true }: { toolFolder?: string; hasCells?: boolean } = {},
): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-planner-" }));
  try {
    const folders = new RuntimeFolders(`${base}/cache`);
    const environment = (name: string) => name.startsWith("KEY") ? "x".repeat(40) : undefined;
    work(
      new ToolPlanner({
        workspace: base,
        folders,
        config,
        isolation: "worker",
        environment,
        hasCells,
        places: new ProtectedPlaces({
          workspace: base,
          toolFolders: toolFolder === undefined ? [] : [`${base}/${toolFolder}`],
          settings: [],
          own: [],
          editTools: false,
        }),
        reach: new WriteReach(),
      }),
      `${base}/cache`,
    );
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

function entry(
  name: string,
  cache: string,
  more: Partial<ToolDeclaration> = {},
  version = "1",
): ToolEntry {
  const integrity = `${name}-${version}`;
  const folder = `${cache}/store/${integrity}`;
  return createModuleEntry(
    { name, toolset: "t", description: "", schema: { type: "object" }, ...more },
    {
      owner: "user",
      handler: {
        kind: "module",
        url: `file://${folder}/${name}.ts`,
        integrity,
        export: name,
        folder,
      },
      source: { kind: "file", path: `/tools/${name}.ts`, line: 1, column: 1 },
    },
  );
}

function table(entries: readonly ToolEntry[]): RegistrySnapshot {
  return createSnapshot(1, new TableVersion(new Map(entries.map((one) => [one.name, one]))));
}

function cellOf({ group, cell }: Placement): string {
  return JSON.stringify([group, cell]);
}

function lengthOf({ cell }: Placement): number {
  return JSON.stringify([cell.grants, cell.env]).length;
}

Deno.test("ToolPlanner.placement() starts the one cell of 2,000 tools with what it starts that of two with", () =>
  withPlanner((planner, cache) => {
    const permissions: Permissions = { read: ["$WORKSPACE", "$DATA"], write: ["$DATA", "$TMP"] };
    const make = (count: number) =>
      Array.from({ length: count }, (_, n) => entry(`tool_${n}`, cache, { permissions }));
    const [few, many] = [make(2), make(2_000)];
    const full = table(many);
    const cells = new Set(many.map((one) => cellOf(planner.placement(full, one))));
    assert.equal(cells.size, 1);
    assert.deepEqual([...cells], [cellOf(planner.placement(table(few), few[0]!))]);
    const { cell } = planner.placement(table(few), few[1]!);
    assert.deepEqual(cell.grants.read.filter((path) => path.startsWith(cache)), [
      `${cache}/data`,
      `${cache}/store`,
    ]);
    // What a worker gets is its tool's own.
    const { grants } = planner.plan(few[1]!).plan;
    assert.deepEqual(grants.write, [`${cache}/data/tool_1`, `${cache}/tmp/tool_1`]);
    assert.equal(planner.module(few[1]!).folder, `${cache}/store/tool_1-1`);
  }));

Deno.test("ToolPlanner.placement() divides tools over cells where each has grants of its own, so that no command line grows with them", () =>
  withPlanner((planner, cache) => {
    const tools = Array.from({ length: 2_000 }, (_, n) =>
      entry(`tool_${n}`, cache, {
        permissions: { net: [`host-${n}.example.com:443`], env: [`KEY_${n}`] },
      }));
    const snapshot = table(tools);
    const placed = tools.map((one) => ({ one, place: planner.placement(snapshot, one) }));
    for (const { one, place } of placed) {
      assert.ok(lengthOf(place) <= 16_384, `${lengthOf(place)} characters`);
      const { net, env } = planner.plan(one).plan.grants;
      assert.ok(net.every((host) => place.cell.grants.net.includes(host)), one.name);
      assert.ok(env.every((name) => place.cell.env[name] !== undefined), one.name);
    }
    const cells = new Set(placed.map(({ place }) => place.group));
    assert.ok(cells.size > 8 && cells.size <= 64, `${cells.size} cells`);
    // A tool that comes or goes leaves the others where they are.
    const fewer = table(tools.slice(1));
    assert.equal(planner.placement(fewer, tools[9]!).group, placed[9]!.place.group);
  }));

Deno.test("ToolPlanner.placement() leaves an edited tool in its cell, whatever its isolation", () =>
  withPlanner((planner, cache) => {
    for (const isolation of ["worker", "process"] as const) {
      const others = [entry("other", cache, { isolation })];
      const places = ["1", "2"].map((version) => {
        const edited = entry("edited", cache, { isolation }, version);
        const place = planner.placement(table([...others, edited]), edited);
        assert.equal(place.shared, isolation === "worker");
        return cellOf(place);
      });
      assert.equal(places[0], places[1]);
    }
  }));

Deno.test("ToolPlanner.plan() caps what a tool file says by the operator's limits, and takes them where it says nothing", async () => {
  const plan = (config: Config, more: Partial<ToolDeclaration>) => {
    let limits: readonly number[] = [];
    return withPlanner((planner, cache) => {
      const { memoryMb, timeoutMs } = planner.plan(entry("one", cache, more));
      limits = [memoryMb, timeoutMs];
    }, config).then(() => limits);
  };
  const limits = { memoryMb: 256, timeoutMs: 10_000 };
  const large = { memoryMb: 4_096, timeoutMs: 600_000 };
  assert.deepEqual(await plan({}, {}), [512, 30_000]);
  assert.deepEqual(await plan({}, large), [4_096, 600_000]);
  assert.deepEqual(await plan({ limits }, large), [256, 10_000]);
  assert.deepEqual(await plan({ limits }, {}), [256, 10_000]);
  assert.deepEqual(await plan({ limits }, { memoryMb: 64, timeoutMs: 500 }), [64, 500]);
});

Deno.test("ToolPlanner.placement() puts tools that inherit what their cell may write with those of the same grant alone", () =>
  withPlanner(
    (planner, cache) => {
      const make = (name: string, write: Permissions["write"]) =>
        entry(name, cache, { permissions: { write } });
      const tools = [
        make("whole", ["$WORKSPACE"]),
        make("same", ["$WORKSPACE"]),
        make("more", ["$WORKSPACE", "$DATA"]),
        make("less", ["$WORKSPACE/docs"]),
        make("least", ["$DATA"]),
      ];
      const placed = tools.map((one) => planner.placement(table(tools), one));
      const [whole, same, more, less, least] = placed.map(({ group }) => group);
      assert.equal(whole, same);
      assert.equal(less, least);
      assert.equal(new Set([whole, more, less]).size, 3);
      const [root] = placed[0]!.cell.grants.write;
      assert.deepEqual(placed[0]!.cell.denyWrite, [`${root}/.git`, `${root}/tools`]);
      assert.deepEqual(placed[3]!.cell.denyWrite, []);
      // What is inherited is the tool's own folder, not the one above those of all tools.
      assert.deepEqual(placed[2]!.cell.grants.write, [root, `${cache}/data/more`].toSorted());
    },
    {},
    { toolFolder: "tools" },
  ));

Deno.test("ToolPlanner.plan() refuses a grant with a protected place in it where no process can keep it closed", () =>
  withPlanner(
    (planner, cache) => {
      const plan = (write: readonly PathGrant[]) =>
        planner.plan(
          entry(write[0] === "$WORKSPACE" ? "whole" : "part", cache, { permissions: { write } }),
        ).plan.refused;
      assert.match(plan(["$WORKSPACE"])[0]!, /only a process can keep it closed/);
      assert.deepEqual(plan(["$WORKSPACE/docs"]), []);
    },
    {},
    { toolFolder: "tools", hasCells: false },
  ));
