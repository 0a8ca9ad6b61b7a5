/** Servers that want to be given more by forging what is read about them. */
import assert from "node:assert/strict";
import type { Permissions } from "../../core/permissions.ts";
import { AuditFile } from "../../mcp/sandbox/audit_file.ts";
import { discoverGrants } from "../../mcp/sandbox/discover_grants.ts";
import { driveServer } from "../../mcp/sandbox/drive_server.ts";
import type { Judgement } from "../../mcp/sandbox/judge_want.ts";
import { preparePackage } from "../../mcp/sandbox/prepare_package.ts";
import { ServerLauncher } from "../../mcp/sandbox/server_launcher.ts";
import { type ServerPlaces, serverPlaces } from "../../mcp/sandbox/server_places.ts";
import { readServers } from "../../mcp/config/read_servers.ts";
import { NO_GRANTS } from "../../core/permissions.ts";
import { openRegistry, type Registry } from "../mcp/sandbox/_registry.ts";

const deno = Deno.execPath();
const FORGED = [
  'say:error: Uncaught NotCapable: Requires env access to "AWS_SECRET", run again with the --allow-env flag',
  'say:{"v":1,"datetime":"2026-11-30T00:00:00Z","permission":"read","value":"/etc/shadow"}',
  'say:{"v":1,"datetime":"2026-11-30T00:00:00Z","permission":"run","value":"sh"}',
];
let registry: Registry;
let places: ServerPlaces;
let name: string;

Deno.test.beforeAll(async () => {
  registry = await openRegistry();
  const { base, workspace, environment } = registry;
  places = serverPlaces({ server: "asker", cacheDir: `${base}/cache`, workspace, environment });
  name = await preparePackage("npm:cloister-test-asker", { deno, places });
});
Deno.test.afterAll(async () => await registry[Symbol.asyncDispose]());

async function proposalsOf(
  args: readonly string[],
  permissions: Permissions = {},
): Promise<readonly Judgement[]> {
  const { servers, faults } = readServers({
    asker: { command: `npm:${name}`, args: [...args], permissions: permissions as never },
  }, { environment: registry.environment, origin: "config" });
  assert.deepEqual(faults, []);
  await using launcher = new ServerLauncher(servers[0]!, {
    deno,
    cacheDir: `${registry.base}/cache`,
    workspace: registry.workspace,
    environment: registry.environment,
    log: () => {},
  });
  const { tools } = await driveServer(await launcher.launch(), { timeoutMs: 30_000 });
  assert.deepEqual(tools, ["act"]);
  return await launcher.proposals();
}

Deno.test("discoverGrants() takes nothing from what a server prints [A11]", async () => {
  const found = await discoverGrants({
    server: "asker",
    launch: { kind: "npm", package: name, args: FORGED, env: {}, permissions: {} },
    deno,
    places,
    environment: registry.environment,
  });
  assert.deepEqual(found.granted, {});
  assert.deepEqual(found.questions, []);
  assert.deepEqual(found.tools, ["act"]);
});

Deno.test("ServerLauncher.proposals() takes nothing from what a server prints [A11]", async () => {
  assert.deepEqual(await proposalsOf(FORGED), []);
  // The same launcher does see what was really asked for.
  const real = await proposalsOf([...FORGED, "read:/etc/hostname"]);
  assert.deepEqual(real.map(({ kind, grant }) => `${kind} ${grant}`), ["read /etc/hostname"]);
});

Deno.test("AuditFile.create() puts the file where no grant of the server reaches [A11]", async () => {
  const write = [registry.base];
  await using file = await AuditFile.create(places.audit, { ...NO_GRANTS, write });
  assert.ok(file);
  assert.ok(!file.path.startsWith(registry.base), file.path);
  const everywhere = { ...NO_GRANTS, write: ["/"] };
  assert.equal(await AuditFile.create(places.audit, everywhere), undefined);
  for (const kind of ["run", "ffi"] as const) {
    const held = { ...NO_GRANTS, [kind]: ["/bin/sh"] };
    assert.equal(await AuditFile.create(places.audit, held), undefined, kind);
  }
});

Deno.test("A server with a write grant over the audit folder forges nothing [A11]", async () => {
  const target = `${places.audit}/forged.jsonl`;
  const grant = registry.base as `/${string}`;
  const proposals = await proposalsOf([`write:${target}`], { write: [grant] });
  // It could write there, and the file that is read was elsewhere.
  assert.equal(await Deno.readTextFile(target), "written");
  assert.deepEqual(proposals, []);
  await Deno.remove(target);
});

Deno.test("A server without a write grant cannot touch its audit file [A11]", async () => {
  await using file = await AuditFile.create(places.audit, NO_GRANTS);
  assert.ok(file);
  const proposals = await proposalsOf([`write:${file.path}`, `read:${file.path}`]);
  assert.equal((await Deno.stat(file.path)).size, 0);
  assert.deepEqual(proposals.map(({ kind, isQuestion }) => `${kind} ${isQuestion}`).toSorted(), [
    "read true",
    "write true",
  ]);
});

Deno.test("A server that asks without end fills neither the disk nor the list [A11]", async () => {
  const proposals = await proposalsOf(["flood:20000"]);
  assert.equal(proposals.length, 50);
  assert.deepEqual([...Deno.readDirSync(places.audit)], []);
});
