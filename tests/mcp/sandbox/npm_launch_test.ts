import assert from "node:assert/strict";
import { ProtectedPlaces } from "../../../runtime/protected_places.ts";
import type { Permissions } from "../../../core/permissions.ts";
import { npmLaunch } from "../../../mcp/sandbox/npm_launch.ts";
import { type NpmLaunch, planServer, serverCeilings } from "../../../mcp/sandbox/plan_server.ts";
import { lockFile, type ServerPlaces, serverPlaces } from "../../../mcp/sandbox/server_places.ts";
import type { Ceiling } from "../../../runtime/grants/mod.ts";

const VARIABLES: Readonly<Record<string, string>> = {
  DENO_DIR: "/deno",
  PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
  HOME: "/home/me",
  GITHUB_TOKEN: "secret",
};
const environment = (name: string): string | undefined => VARIABLES[name];
let base: string;
let places: ServerPlaces;

Deno.test.beforeAll(async () => {
  base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-launch-" }));
  await Deno.mkdir(`${base}/space/docs`, { recursive: true });
  places = serverPlaces({
    server: "it",
    cacheDir: `${base}/cache`,
    workspace: `${base}/space`,
    environment,
  });
});
Deno.test.afterAll(async () => await Deno.remove(base, { recursive: true }));

function launchOf(
  permissions: Permissions,
  more: Partial<NpmLaunch> = {},
  ceilings: readonly Ceiling[] = [],
  origin: "config" | "plugin:acme" = "config",
  protectedPlaces?: ProtectedPlaces,
) {
  const launch: NpmLaunch = {
    kind: "npm",
    package: "a@1.0.0",
    args: [],
    env: {},
    permissions,
    ...more,
  };
  const plan = planServer(launch, {
    server: "it",
    origin,
    places,
    ceilings,
    protectedPlaces,
    path: VARIABLES.PATH,
  });
  return npmLaunch(launch, { deno: "deno", plan, places, environment });
}

Deno.test("npmLaunch() grants nothing by itself, and hands on nothing but what Deno needs", () => {
  assert.deepEqual(launchOf({}), {
    command: "deno",
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-config",
      "--cached-only",
      "--deny-import",
      "--ignore-env",
      "--no-lock",
      "npm:a@1.0.0",
    ],
    env: {
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
      RES_OPTIONS: "no-aaaa",
      DENO_DIR: "/deno",
    },
    cwd: `${base}/cache/mcp/empty`,
  });
  assert.deepEqual([...Deno.readDirSync(places.neutral)], []);
});

Deno.test("npmLaunch() spells every grant, and puts places into arguments and variables", () => {
  const { args, env } = launchOf({
    read: ["$WORKSPACE/docs", "$DATA"],
    write: ["$DATA"],
    net: ["api.example.com:443"],
    env: ["MODE"],
    sys: ["hostname"],
  }, { args: ["$WORKSPACE/docs", "--allow-all", "x$DATA"], env: { FILE: "$DATA/m.jsonl" } });
  const at = args.indexOf("npm:a@1.0.0");
  assert.deepEqual(args.slice(at + 1), [`${base}/space/docs`, "--allow-all", "x$DATA"]);
  const flags = args.slice(0, at).filter((arg) => arg.startsWith("--allow"));
  assert.deepEqual(flags, [
    `--allow-read=${base}/space/docs,${places.data}`,
    `--allow-write=${places.data}`,
    "--allow-net=api.example.com:443",
    "--allow-env=MODE,FILE",
    "--allow-sys=hostname",
  ]);
  const denied = args.find((arg) => arg.startsWith("--deny-net="))!;
  for (const range of ["127.0.0.0/8", "10.0.0.0/8", "169.254.0.0/16", "192.168.0.0/16", "[::1]"]) {
    assert.ok(denied.includes(range), range);
  }
  assert.equal(env.FILE, `${places.data}/m.jsonl`);
});

Deno.test("npmLaunch() closes what decides what runs, and planServer() refuses a grant of it", () => {
  const workspace = `${base}/space`;
  const closed = new ProtectedPlaces({
    workspace,
    toolFolders: [`${workspace}/tools`],
    settings: [`${workspace}/cloister.json`],
    own: [`${base}/cache`],
    editTools: false,
  });
  const launch = (write: Permissions["write"]) => launchOf({ write }, {}, [], "config", closed);
  const { args } = launch(["$WORKSPACE"]);
  const denied = [".git", "cloister.json", "tools"].map((name) => `${workspace}/${name}`).join(",");
  assert.ok(args.includes(`--deny-write=${denied}`), args.join(" "));
  assert.ok(
    !launch(["$DATA", "$WORKSPACE/docs"]).args.some((arg) => arg.startsWith("--deny-write")),
  );
  assert.throws(
    () => launch(["$WORKSPACE/tools"]),
    /a folder with tool files, which no tool may change/,
  );
});

Deno.test("npmLaunch() uses the lock file that was written when the package was prepared", async () => {
  const lock = lockFile(places, "a@1.0.0");
  await Deno.writeTextFile(lock, "{}");
  try {
    const { args } = launchOf({});
    assert.ok(args.includes(`--lock=${lock}`) && args.includes("--frozen"));
    assert.ok(!args.includes("--no-lock"));
  } finally {
    await Deno.remove(lock);
  }
});

Deno.test("npmLaunch() hands on the PATH only to a server that may start programs", () => {
  const { args, env } = launchOf({ run: ["sh"] });
  assert.equal(env.PATH, VARIABLES.PATH);
  assert.ok(args.some((arg) => /^--allow-run=\/.*sh/.test(arg)));
  assert.equal(launchOf({}).env.PATH, undefined);
});

Deno.test("planServer() takes the operator's entry for the word that near addresses and system folders need", () => {
  const { args } = launchOf({ net: ["127.0.0.1:8080"], read: ["/proc"] });
  assert.ok(args.includes("--allow-net=127.0.0.1:8080"));
  assert.ok(args.includes("--allow-read=/proc"));
  // Exactly this address is open, not the rest of the range.
  const denied = args.find((arg) => arg.startsWith("--deny-net="))!;
  assert.ok(!denied.split(/[=,]/).includes("127.0.0.0/8"));
  assert.ok(denied.includes("10.0.0.0/8"));
});

Deno.test("planServer() does not take a plugin's entry for the operator's word", () => {
  const needsWord = /needs the operator's word/;
  assert.throws(() => launchOf({ net: ["127.0.0.1:8080"] }, {}, [], "plugin:acme"), needsWord);
  assert.throws(() => launchOf({ read: ["/proc"] }, {}, [], "plugin:acme"), needsWord);
});

Deno.test("planServer() refuses the right to start any program, and everything else that has no spelling", () => {
  for (
    const permissions of [{ run: ["*"] }, { net: ["*"] }, { env: ["*"] }, { read: ["relative"] }]
  ) {
    assert.throws(
      () => launchOf(permissions as never),
      /^ServerRefused: /,
      JSON.stringify(permissions),
    );
  }
});

Deno.test("planServer() refuses variables that would steer the sandbox", () => {
  for (
    const name of [
      "LD_PRELOAD",
      "DENO_DIR",
      "DENO_AUDIT_PERMISSIONS",
      "DENO_V8_FLAGS",
      "NODE_OPTIONS",
      "PATH",
      "DYLD_INSERT_LIBRARIES",
      "RES_OPTIONS",
      "LOCALDOMAIN",
      "HOSTALIASES",
    ]
  ) {
    assert.throws(() => launchOf({}, { env: { [name]: "x" } }), /would steer its sandbox/, name);
  }
  for (const name of ["RES_OPTIONS", "LD_PRELOAD", "DENO_DIR"]) {
    assert.throws(() => launchOf({ env: [name] }), /is never granted/, name);
  }
  const { args, env } = launchOf({ env: ["NODE_DEBUG"] }, { env: { NODE_ENV: "production" } });
  assert.ok(args.includes("--allow-env=NODE_DEBUG,NODE_ENV"));
  assert.equal(env.NODE_ENV, "production");
  assert.equal(launchOf({}, { env: { DENO_CERT: "/ca.pem" } }).env.DENO_CERT, "/ca.pem");
});

Deno.test("planServer() caps a server by the ceilings for its owner, and keeps holes in its folders", () => {
  const config = {
    permissions: {
      owners: {
        "mcp:it": {
          allow: { net: false as const },
          deny: { read: ["$WORKSPACE/docs/secret" as const] },
        },
        "mcp:other": { deny: { read: ["$WORKSPACE" as const] } },
      },
    },
  };
  const ceilings = serverCeilings(config, { name: "it", origin: "config" });
  const { args } = launchOf({ read: ["$WORKSPACE"], net: ["a.example"] }, {}, ceilings);
  assert.ok(args.includes(`--allow-read=${base}/space`));
  assert.ok(args.includes(`--deny-read=${base}/space/docs/secret`));
  assert.ok(!args.some((arg) => arg.startsWith("--allow-net")));
  const all = launchOf({ read: ["$WORKSPACE/docs/secret"] }, {}, ceilings).args;
  assert.ok(!all.some((arg) => arg.startsWith("--allow-read")), all.join(" "));
});
