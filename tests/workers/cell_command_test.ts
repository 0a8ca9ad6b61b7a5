import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ANY_HOST, NO_GRANTS, type ResolvedGrants } from "../../core/permissions.ts";
import { buildCellCommand, type CellSettings, type CellSpec } from "../../workers/cell_command.ts";

const workers = fileURLToPath(new URL("../../workers/", import.meta.url));
const core = fileURLToPath(new URL("../../core/", import.meta.url));

const SETTINGS: CellSettings = {
  deno: "/usr/bin/deno",
  path: "/usr/bin:/bin",
  configPath: "/cache/cell.json",
  containment: () => Promise.resolve("none"),
  namesSafe: () => Promise.resolve(true),
};

function spec(grants: Partial<ResolvedGrants> = {}, more: Partial<CellSpec> = {}): CellSpec {
  return {
    grants: { ...NO_GRANTS, ...grants },
    denyNet: [],
    denyWrite: [],
    memoryMb: 512,
    startsPrograms: false,
    env: {},
    ...more,
  };
}

const FIXED = [
  "run",
  "--no-prompt",
  "--cached-only",
  "--no-lock",
  "--deny-import",
  "--no-code-cache",
  "--unstable-worker-options",
  "--config",
  "/cache/cell.json",
];
const MAIN = new URL("../../workers/cell_main.ts", import.meta.url).href;

Deno.test("buildCellCommand() grants nothing but the runner's own files to a cell without grants", () => {
  assert.deepEqual(buildCellCommand(spec(), SETTINGS, "none"), {
    command: "/usr/bin/deno",
    args: [
      ...FIXED,
      "--v8-flags=--max-old-space-size=512",
      `--allow-read=${workers},${core}`,
      MAIN,
    ],
    env: { PATH: "/usr/bin:/bin", NO_COLOR: "1", RES_OPTIONS: "no-aaaa" },
    detached: false,
  });
});

Deno.test("buildCellCommand() lets a cell use a lock file, and not change it", () => {
  const { args } = buildCellCommand(spec(), SETTINGS, "none", "/cache/cell.lock");
  assert.deepEqual(args.slice(0, 6), [
    "run",
    "--no-prompt",
    "--cached-only",
    "--lock=/cache/cell.lock",
    "--frozen",
    "--deny-import",
  ]);
});

Deno.test("buildCellCommand() spells every grant, and no kind that was not granted", () => {
  const grants = {
    read: ["/space", "/tools/a.ts"],
    write: ["/space"],
    net: ["example.com:443", "[2001:db8::1]:80"],
    env: ["LANG"],
    run: ["/usr/bin/git"],
    sys: ["hostname"],
    ffi: ["/lib/x.so"],
  };
  const denyNet = ["127.0.0.0/8", "[::1]"];
  const { args } = buildCellCommand(spec(grants, { denyNet, memoryMb: 64 }), SETTINGS, "none");
  assert.deepEqual(args, [
    ...FIXED,
    "--v8-flags=--max-old-space-size=64",
    `--allow-read=/space,/tools/a.ts,${workers},${core}`,
    "--allow-write=/space",
    "--allow-net=example.com:443,[2001:db8::1]:80",
    "--deny-net=127.0.0.0/8,[::1]",
    "--allow-env=LANG",
    "--allow-run=/usr/bin/git",
    "--ignore-env=NODE_V8_COVERAGE",
    "--allow-sys=hostname",
    "--allow-ffi=/lib/x.so",
    MAIN,
  ]);
});

Deno.test("buildCellCommand() closes what no worker writes although its folder is granted", () => {
  const { args } = buildCellCommand(
    spec({ write: ["/w"] }, { denyWrite: ["/w/.git", "/w/tools"] }),
    SETTINGS,
    "none",
  );
  assert.ok(args.includes("--allow-write=/w"));
  assert.ok(args.includes("--deny-write=/w/.git,/w/tools"));
});

Deno.test("buildCellCommand() never says more than one kind of flag without a list: any host, and then with the denied ones", () => {
  const denyNet = ["127.0.0.0/8"];
  const { args } = buildCellCommand(spec({ net: [ANY_HOST] }, { denyNet }), SETTINGS, "none");
  assert.ok(args.includes("--allow-net"));
  assert.ok(args.includes("--deny-net=127.0.0.0/8"));
  const bare = args.filter((arg) => /^--(allow|deny)-[a-z]+$/.test(arg));
  assert.deepEqual(bare, ["--deny-import", "--allow-net"]);
});

Deno.test("buildCellCommand() throws when a grant holds a comma, which Deno would read as two grants", () => {
  for (const kind of ["read", "write", "net", "env", "run", "sys", "ffi"] as const) {
    assert.throws(() => buildCellCommand(spec({ [kind]: ["/a,/etc"] }), SETTINGS, "none"), {
      name: "RangeError",
      message: 'Cannot grant "/a,/etc" to a cell: it holds a comma, which ends a grant',
    });
  }
});

Deno.test("buildCellCommand() gives PATH and the granted variables, whose names cannot change the cell's own", () => {
  const env = { LANG: "C", PATH: "/evil", NO_COLOR: "", RES_OPTIONS: "" };
  const settings = { ...SETTINGS, denoDir: "/cache/deno" };
  assert.deepEqual(buildCellCommand(spec({}, { env }), settings, "none").env, {
    LANG: "C",
    PATH: "/usr/bin:/bin",
    NO_COLOR: "1",
    RES_OPTIONS: "no-aaaa",
    DENO_DIR: "/cache/deno",
  });
});

Deno.test("buildCellCommand() starts a namespace, leads a group, or does neither", () => {
  const plain = buildCellCommand(spec(), SETTINGS, "none");
  assert.deepEqual(buildCellCommand(spec(), SETTINGS, "group"), { ...plain, detached: true });
  assert.deepEqual(buildCellCommand(spec(), SETTINGS, "namespace"), {
    ...plain,
    command: "unshare",
    args: [
      "--map-current-user",
      "--pid",
      "--fork",
      "--kill-child",
      "--",
      "/usr/bin/deno",
      ...plain.args,
    ],
  });
});

Deno.test("buildCellCommand() refuses grants that a command line cannot carry, and says which", () => {
  const read = Array.from({ length: 2_000 }, (_, n) => `/folder/number/${n}/of/many`);
  assert.throws(
    () => buildCellCommand(spec({ read }), SETTINGS, "none"),
    /Cannot start a cell: its grants "--allow-read=\/folder.*characters long, 40000 at most/,
  );
  buildCellCommand(spec({ read: read.slice(0, 1_000) }), SETTINGS, "none");
});
