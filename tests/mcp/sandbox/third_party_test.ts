/** The servers that people use, from the registry of npm, under the grants that are found for them. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../../core/json.ts";
import { discoverGrants, type Discovery } from "../../../mcp/sandbox/discover_grants.ts";
import { preparePackage } from "../../../mcp/sandbox/prepare_package.ts";
import { type ServerPlaces, serverPlaces } from "../../../mcp/sandbox/server_places.ts";
import type { Ceiling } from "../../../runtime/grants/mod.ts";
import { PACKAGES } from "../../fixtures/mcp/packages.ts";
import { type StartedServer, startServer } from "./_server.ts";

const deno = Deno.execPath();
const environment = (name: string) => Deno.env.get(name);
let base: string;
let workspace: string;
let cacheDir: string;

Deno.test.beforeAll(async () => {
  base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-mcp-test-" }));
  workspace = `${base}/work`;
  cacheDir = `${base}/cache`;
  await Deno.mkdir(`${workspace}/docs/secret`, { recursive: true });
  await Deno.writeTextFile(`${workspace}/docs/a.txt`, "hello");
  await Deno.writeTextFile(`${workspace}/docs/secret/s.txt`, "secret");
  const places = placesOf("prepare");
  for (const name of Object.values(PACKAGES)) {
    assert.equal(await preparePackage(`npm:${name}`, { deno, places }), name);
  }
});
Deno.test.afterAll(async () => await Deno.remove(base, { recursive: true }));

function placesOf(server: string): ServerPlaces {
  return serverPlaces({ server, cacheDir, workspace, environment });
}

function discover(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Discovery> {
  const launch = { kind: "npm", package: name, args, env, permissions: {} } as const;
  return discoverGrants({ server: "it", launch, deno, places: placesOf("it"), environment });
}

function start(entry: JsonObject, ceilings: readonly Ceiling[] = []): Promise<StartedServer> {
  return startServer({ entry, workspace, cacheDir, environment, ceilings });
}

Deno.test("discoverGrants() finds what server-filesystem needs, and no more", async () => {
  const found = await discover(PACKAGES.filesystem, [`${workspace}/docs`]);
  assert.deepEqual(found.granted, {
    env: ["__MINIMATCH_TESTING_PLATFORM__"],
    read: ["$WORKSPACE/docs"],
  });
  assert.equal(found.tools?.length, 14);
  assert.deepEqual(found.questions, []);
});

Deno.test("discoverGrants() asks before server-filesystem gets a folder outside the workspace", async () => {
  const found = await discover(PACKAGES.filesystem, [base]);
  assert.deepEqual(found.granted, { env: ["__MINIMATCH_TESTING_PLATFORM__"] });
  assert.deepEqual(
    found.questions.map(({ kind, grant, isNeeded }) => [kind, grant, isNeeded]),
    [["read", base, true]],
  );
  assert.equal(found.tools, undefined);
});

Deno.test("discoverGrants() finds what server-everything needs, and no more", async () => {
  const found = await discover(PACKAGES.everything);
  assert.deepEqual(found.granted, {
    env: ["GZIP_ALLOWED_DOMAINS", "GZIP_MAX_FETCH_SIZE", "GZIP_MAX_FETCH_TIME_MILLIS"],
  });
  assert.ok(found.tools!.includes("echo"));
  // Its own instructions, which it goes on without.
  assert.ok(found.questions.every(({ kind, isNeeded }) => kind === "read" && !isNeeded));
});

Deno.test("discoverGrants() finds what server-memory needs, and no more", async () => {
  const found = await discover(PACKAGES.memory, [], { MEMORY_FILE_PATH: "$DATA/m.jsonl" });
  assert.deepEqual(found.granted, { read: ["$DATA"], write: ["$DATA"] });
  assert.equal(found.tools?.length, 9);
});

Deno.test("discoverGrants() finds what server-sequential-thinking needs, and no more", async () => {
  const found = await discover(PACKAGES.sequentialThinking);
  assert.deepEqual(found.granted, { env: ["DISABLE_THOUGHT_LOGGING", "TF_BUILD"] });
  assert.deepEqual(found.tools, ["sequentialthinking"]);
  assert.deepEqual(found.questions, []);
});

Deno.test("ServerLauncher keeps server-filesystem from writing without a grant, and proposes it", async () => {
  const docs = `${workspace}/docs`;
  await using server = await start({
    command: `npm:${PACKAGES.filesystem}`,
    args: ["$WORKSPACE/docs"],
    permissions: { read: ["$WORKSPACE/docs"] },
  });
  assert.equal(await server.call("read_text_file", { path: `${docs}/a.txt` }), "hello");
  const answer = await server.call("write_file", { path: `${docs}/b.txt`, content: "x" });
  assert.match(answer, /^error: .*Requires write access to ".*\/docs\/b\.txt"/);
  await assert.rejects(Deno.stat(`${docs}/b.txt`), Deno.errors.NotFound);
  // It lives on, and what it wanted is known.
  assert.equal(await server.call("read_text_file", { path: `${docs}/a.txt` }), "hello");
  const proposals = await server.launcher.proposals();
  assert.deepEqual(proposals.map(({ kind, grant }) => `${kind} ${grant}`), [
    "write $WORKSPACE/docs",
  ]);
});

Deno.test("ServerLauncher keeps server-filesystem from what a ceiling of the operator takes away", async () => {
  const docs = `${workspace}/docs`;
  // It is told that it may use all of the folder, and its own check lets it.
  await using server = await start({
    command: `npm:${PACKAGES.filesystem}`,
    args: ["$WORKSPACE/docs"],
    permissions: { read: ["$WORKSPACE/docs"] },
  }, [{ deny: { read: ["$WORKSPACE/docs/secret"] }, source: "permissions.owners.mcp:it" }]);
  assert.equal(await server.call("read_text_file", { path: `${docs}/a.txt` }), "hello");
  const answer = await server.call("read_text_file", { path: `${docs}/secret/s.txt` });
  assert.match(answer, /^error: .*Requires read access/);
  // What the operator denied is not proposed again.
  assert.deepEqual(await server.launcher.proposals(), []);
});

Deno.test("ServerLauncher keeps server-everything from the network without a grant", async () => {
  await using server = await start({ command: `npm:${PACKAGES.everything}` });
  assert.equal(await server.call("echo", { message: "hi" }), "Echo: hi");
  const answer = await server.call("gzip-file-as-resource", {
    name: "x.gz",
    data: "http://127.0.0.1:8801/x",
  });
  assert.match(answer, /^error: .*Requires net access to "127\.0\.0\.1:8801"/);
  const proposals = await server.launcher.proposals();
  assert.ok(
    proposals.some(({ kind, grant, isQuestion }) =>
      kind === "net" && grant === "127.0.0.1:8801" && isQuestion
    ),
  );
});

Deno.test("ServerLauncher shows server-everything no variable that is not set for it", async () => {
  Deno.env.set("CLOISTER_TEST_TOKEN", "canary-2c71");
  try {
    await using server = await start({
      command: `npm:${PACKAGES.everything}`,
      env: { SHOWN: "yes" },
    });
    const shown = await server.call("get-env", {});
    assert.deepEqual(JSON.parse(shown), { SHOWN: "yes" });
  } finally {
    Deno.env.delete("CLOISTER_TEST_TOKEN");
  }
});

Deno.test("ServerLauncher gives server-memory a folder that outlives it", async () => {
  const entry = {
    command: `npm:${PACKAGES.memory}`,
    env: { MEMORY_FILE_PATH: "$DATA/m.jsonl" },
    permissions: { read: ["$DATA"], write: ["$DATA"] },
  };
  const entities = [{ name: "Ada", entityType: "person", observations: ["wrote notes"] }];
  {
    await using server = await start(entry);
    assert.doesNotMatch(await server.call("create_entities", { entities }), /^error/);
  }
  await using server = await start(entry);
  assert.match(await server.call("read_graph", {}), /wrote notes/);
});
