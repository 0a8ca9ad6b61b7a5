import assert from "node:assert/strict";
import type { Permissions } from "../../../core/permissions.ts";
import { discoverGrants, type Discovery } from "../../../mcp/sandbox/discover_grants.ts";
import { preparePackage, restoreLock } from "../../../mcp/sandbox/prepare_package.ts";
import { lockFile, type ServerPlaces, serverPlaces } from "../../../mcp/sandbox/server_places.ts";
import { openRegistry, type Registry } from "./_registry.ts";

const deno = Deno.execPath();
let registry: Registry;
let places: ServerPlaces;
let name: string;

Deno.test.beforeAll(async () => {
  registry = await openRegistry();
  const { base, workspace, environment } = registry;
  places = serverPlaces({ server: "asker", cacheDir: `${base}/cache`, workspace, environment });
  name = await preparePackage("npm:cloister-test-asker", { deno, places });
  await Deno.writeTextFile(`${workspace}/a.txt`, "a");
  await Deno.writeTextFile(`${workspace}/.env`, "SECRET=1");
  await Deno.writeTextFile(`${base}/outside.txt`, "o");
});
Deno.test.afterAll(async () => await registry[Symbol.asyncDispose]());

function discover(
  args: readonly string[],
  permissions: Permissions = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Discovery> {
  return discoverGrants({
    server: "asker",
    launch: { kind: "npm", package: name, args, env, permissions },
    deno,
    places,
    environment: registry.environment,
  });
}

function asked(found: Discovery): string[] {
  return found.questions.map(({ kind, grant, isNeeded }) =>
    `${kind} ${grant}${isNeeded ? " !" : ""}`
  )
    .toSorted();
}

Deno.test("preparePackage() finds the exact version and writes a lock file", async () => {
  assert.equal(name, "cloister-test-asker@1.2.3");
  const locks = [...Deno.readDirSync(places.locks)].map((entry) => entry.name);
  assert.equal(locks.length, 1);
  const lock = JSON.parse(await Deno.readTextFile(`${places.locks}/${locks[0]}`));
  assert.ok(lock.npm["cloister-test-asker@1.2.3"].integrity.startsWith("sha512-"));
});

Deno.test("restoreLock() writes a lock file that is gone again, without asking the registry", async () => {
  const lock = lockFile(places, name);
  const before = await Deno.readTextFile(lock);
  const asked = registry.asked.length;
  assert.equal(await restoreLock(name, { deno, places }), false);
  await Deno.remove(lock);
  assert.equal(await restoreLock(name, { deno, places }), true);
  assert.equal(await Deno.readTextFile(lock), before);
  assert.equal(await restoreLock("cloister-test-asker@9.9.9", { deno, places }), false);
  assert.equal(registry.asked.length, asked);
});

Deno.test("preparePackage() says what is wrong with a package that is not there", async () => {
  await assert.rejects(
    preparePackage("npm:cloister-test-asker@9.9.9", { deno, places }),
    /^Error: Cannot get the package "npm:cloister-test-asker@9\.9\.9": /,
  );
  await assert.rejects(
    preparePackage("npm:../evil", { deno, places }),
    /expected "npm:<package>" or/,
  );
});

Deno.test("discoverGrants() gives nothing to a server that asks for nothing, in one round", async () => {
  const found = await discover([]);
  assert.deepEqual(found, { granted: {}, added: [], questions: [], tools: ["act"], rounds: 1 });
});

Deno.test("discoverGrants() adds names of variables and paths in the workspace by itself", async () => {
  const found = await discover([
    "env:ASKER_MODE",
    `must-read:${registry.workspace}/a.txt`,
    `write:${registry.workspace}/b.txt`,
  ]);
  assert.deepEqual(found.granted, {
    env: ["ASKER_MODE"],
    read: ["$WORKSPACE/a.txt"],
    write: ["$WORKSPACE/b.txt"],
  });
  assert.deepEqual(found.tools, ["act"]);
  // The read ends the first round, the write comes in the second, and the third asks for no more.
  assert.equal(found.rounds, 3);
  assert.equal(found.added.find(({ kind }) => kind === "read")?.isNeeded, true);
});

Deno.test("discoverGrants() never takes net, sys, paths outside, nor what sounds secret", async () => {
  const found = await discover([
    "net:example.com:443",
    "net:127.0.0.1:9",
    "sys:",
    "env:ASKER_API_KEY",
    `read:${registry.base}/outside.txt`,
    `read:${registry.workspace}/.env`,
    `write:${registry.base}/new.txt`,
    "run:echo",
  ]);
  // What Deno itself looks up before it would start a program; a program is in no audit file.
  assert.deepEqual(found.granted, { env: ["NODE_V8_COVERAGE"] });
  assert.deepEqual(asked(found), [
    "env ASKER_API_KEY",
    "net 127.0.0.1:9",
    "net example.com:443",
    "read $WORKSPACE/.env",
    `read ${registry.base}/outside.txt`,
    "sys hostname",
    `write ${registry.base}/new.txt`,
  ]);
});

Deno.test("discoverGrants() marks as needed what a server does not start without", async () => {
  const path = `${registry.base}/outside.txt`;
  const found = await discover([`must-read:${path}`]);
  assert.equal(found.tools, undefined);
  assert.deepEqual(asked(found), [`read ${path} !`]);
  assert.match(found.failure!, /Requires read access/);
  const again = await discover([`must-read:${path}`], { read: [path as `/${string}`] });
  assert.deepEqual(again.tools, ["act"]);
  assert.deepEqual(again.questions, []);
});

Deno.test("discoverGrants() grants a server's own folder when its arguments or variables name it", async () => {
  const found = await discover([], {}, { ASKER_FILE: "$DATA/y" });
  assert.deepEqual(found.granted, { read: ["$DATA"], write: ["$DATA"] });
  assert.deepEqual(found.tools, ["act"]);
});

Deno.test("discoverGrants() looks at no server that may start programs", async () => {
  await assert.rejects(
    discover([], { run: ["sh"] }),
    /ServerRefused: .* start programs that nothing/,
  );
});

Deno.test("discoverGrants() gives up when it is told to, and leaves no process and no file", async () => {
  const controller = new AbortController();
  const running = discoverGrants({
    server: "asker",
    launch: { kind: "npm", package: name, args: [], env: {}, permissions: {} },
    deno,
    places,
    environment: registry.environment,
    onRound: () => controller.abort(new Error("enough")),
    signal: controller.signal,
  });
  await assert.rejects(running, /enough/);
  assert.deepEqual([...Deno.readDirSync(places.audit)], []);
});
