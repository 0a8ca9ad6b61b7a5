import assert from "node:assert/strict";
import type { Prompt } from "../../cli/approval.ts";
import { COMMANDS } from "../../cli/commands.ts";
import { runAdd } from "../../cli/mcp_add.ts";
import { runList } from "../../cli/mcp_list.ts";
import { runRemove } from "../../cli/mcp_remove.ts";
import { parseLine } from "../../cli/parse.ts";
import { openRegistry, type Registry } from "../mcp/sandbox/_registry.ts";
import { captured } from "./capture.ts";

let registry: Registry;
let folder: string;

Deno.test.beforeAll(async () => {
  registry = await openRegistry();
});
Deno.test.afterAll(async () => await registry[Symbol.asyncDispose]());
Deno.test.beforeEach(async () => {
  folder = await Deno.realPath(await Deno.makeTempDir({ dir: registry.base }));
  await Deno.mkdir(`${folder}/docs`);
  await Deno.writeTextFile(`${folder}/docs/a.txt`, "a");
});

interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ACTIONS = { add: runAdd, list: runList, remove: runRemove };

/** Types a command; with answers there is a terminal. */
async function type(words: readonly string[], answers?: string[]): Promise<Typed> {
  const { options, args: [action, ...args] } = parseLine(["mcp", ...words], COMMANDS);
  const { output, stdout, stderr } = captured({
    json: options.flag("json"),
    noColor: true,
    ...(answers === undefined ? {} : { terminal: true }),
  });
  const environment = {
    cwd: folder,
    cacheDir: `${registry.base}/cache`,
    noColor: true,
    token: undefined,
    read: registry.environment,
  };
  const prompt: Prompt = {
    isTerminal: answers !== undefined,
    readLine: () => Promise.resolve(answers?.shift()),
  };
  const context = { options, args, output, environment };
  const code = await ACTIONS[action as keyof typeof ACTIONS](context, args, prompt);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

async function written(): Promise<unknown> {
  const text = await Deno.readTextFile(`${folder}/cloister.json`).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text).mcpServers;
}

const ASKER = "npm:cloister-test-asker";

Deno.test("runAdd() writes nothing without a terminal, and says what it would be", async () => {
  const { code, stdout, stderr } = await type(["add", "it", ASKER, "must-read:./docs/a.txt"]);
  assert.equal(code, 1);
  assert.match(stdout, /Nothing was written to cloister\.json/);
  assert.match(stderr, /Downloading npm:cloister-test-asker .* from the npm registry/);
  assert.match(stderr, /Say --yes/);
  assert.equal(await written(), undefined);
});

Deno.test("runAdd() writes what is harmless with --yes, and leaves questions out with the option that grants each", async () => {
  const { code, stdout, stderr } = await type([
    "add",
    "it",
    ASKER,
    `must-read:${folder}/docs/a.txt`,
    "env:ASKER_MODE",
    "env:ASKER_TOKEN",
    "net:example.com:443",
    "--yes",
  ]);
  assert.equal(code, 0);
  assert.deepEqual(await written(), {
    it: {
      command: "npm:cloister-test-asker@1.2.3",
      args: [
        `must-read:${folder}/docs/a.txt`,
        "env:ASKER_MODE",
        "env:ASKER_TOKEN",
        "net:example.com:443",
      ],
      permissions: { env: ["ASKER_MODE"], read: ["$WORKSPACE/docs/a.txt"] },
    },
  });
  assert.match(stdout, /^GRANT +VALUE +WHY$/m);
  assert.match(stdout, /^read +\$WORKSPACE\/docs\/a\.txt +in the workspace$/m);
  assert.match(stderr, /Left out: net example\.com:443 \(.*\).* --allow-net='example\.com:443'/);
  assert.match(stderr, /Left out: env ASKER_TOKEN \(.*\).* --env 'ASKER_TOKEN=\$\{ASKER_TOKEN\}'/);
});

Deno.test("runAdd() asks each question on a terminal, and takes only yes for yes", async () => {
  const { code, stderr } = await type(
    ["add", "it", ASKER, "env:ASKER_TOKEN", "net:example.com:443", "sys:"],
    ["y\n", "maybe\n", "\n", "y\n"],
  );
  assert.equal(code, 0);
  assert.match(stderr, /Hand it your variable ASKER_TOKEN \(its name says .*\)\? \[y\/N\] /);
  assert.match(stderr, /Grant net example\.com:443 \(what it reads can leave/);
  assert.deepEqual(await written(), {
    it: {
      command: "npm:cloister-test-asker@1.2.3",
      args: ["env:ASKER_TOKEN", "net:example.com:443", "sys:"],
      env: { ASKER_TOKEN: "${ASKER_TOKEN}" },
      permissions: { env: ["ASKER_TOKEN"] },
    },
  });
});

Deno.test("runAdd() writes nothing when the person says no at the end", async () => {
  const { code } = await type(["add", "it", ASKER], ["n\n"]);
  assert.equal(code, 1);
  assert.equal(await written(), undefined);
});

Deno.test("runAdd() looks again after a yes, and asks what comes next", async () => {
  const outside = `${registry.base}/outside.txt`;
  await Deno.writeTextFile(outside, "o");
  const { code } = await type(
    ["add", "it", ASKER, `must-read:${outside}`, "net:example.com:443"],
    ["y\n", "n\n", "y\n"],
  );
  assert.equal(code, 0);
  const { it } = await written() as { it: { permissions: unknown } };
  assert.deepEqual(it.permissions, { read: [outside] });
});

Deno.test("runAdd() takes grants of the command line without a question", async () => {
  const { code, stderr } = await type([
    "add",
    "it",
    ASKER,
    "net:example.com:443",
    `--allow-net=example.com:443`,
    "--allow-read=./docs",
    "--yes",
  ]);
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /Left out/);
  const { it } = await written() as { it: { permissions: unknown } };
  assert.deepEqual(it.permissions, { net: ["example.com:443"], read: ["$WORKSPACE/docs"] });
});

Deno.test("runAdd() says that a server did not work, and writes it only with --yes", async () => {
  const words = ["add", "it", ASKER, `must-read:${registry.base}/none.txt`];
  const { code, stderr } = await type([...words, "--yes", "--json"]);
  assert.equal(code, 1);
  assert.match(stderr, /gave no list of tools without it/);
  assert.notEqual(await written(), undefined);
});

Deno.test("runAdd() prints JSON that programs can read", async () => {
  const { stdout } = await type(["add", "it", ASKER, "sys:", "--json"]);
  assert.deepEqual(JSON.parse(stdout), {
    server: "it",
    path: `${folder}/cloister.json`,
    written: false,
    entry: { command: "npm:cloister-test-asker@1.2.3", args: ["sys:"] },
    containment: "sandboxed",
    permissions: {},
    leftOut: [{
      kind: "sys",
      grant: "hostname",
      reason: "tells of this machine or of who you are",
      isNeeded: false,
    }],
    rounds: 1,
    tools: ["act"],
  });
});

Deno.test("runAdd() does not take a name that is taken, unless it is told to", async () => {
  await type(["add", "it", "https://a.example/mcp", "--yes"]);
  await assert.rejects(
    type(["add", "it", ASKER, "--yes"]),
    /has one of that name; --force replaces/,
  );
  assert.deepEqual(await written(), { it: { type: "http", url: "https://a.example/mcp" } });
  assert.equal((await type(["add", "it", ASKER, "--yes", "--force"])).code, 0);
  assert.deepEqual(await written(), { it: { command: "npm:cloister-test-asker@1.2.3" } });
});

Deno.test("runAdd() marks other programs as unsandboxed, and refuses scripts that reach out [case 112]", async () => {
  const { code, stderr } = await type(["add", "it", "--yes", "--", "node", "server.js", "--flag"]);
  assert.equal(code, 0);
  assert.match(stderr, /it runs unsandboxed: "node" may do everything that you may do/);
  assert.deepEqual(await written(), { it: { command: "node", args: ["server.js", "--flag"] } });
  await assert.rejects(
    type(["add", "evil", "--yes", "--", "bash", "-c", "curl https://evil.example"]),
    /Cannot add MCP server "evil": its shell script starts "curl", which may reach out/,
  );
  assert.deepEqual(Object.keys(await written() as object), ["it"]);
});

Deno.test("runAdd() refuses what makes no sense", async () => {
  const wrong: readonly (readonly [words: string[], says: RegExp])[] = [
    [["add"], /Say what to add/],
    [["add", "it"], /Say what to add/],
    [["add", "a b", ASKER], /cannot be a server's/],
    [["add", "it", "npm:"], /names no package/],
    [["add", "it", "ftp://a.example/"], /not an http: or https: address/],
    [["add", "it", "https://a.example/", "more"], /takes neither arguments nor variables/],
    [["add", "it", "node", "--allow-net=a.example"], /Only a package of npm has grants/],
    [["add", "it", ASKER, "--env", "NAME"], /not of the form NAME=VALUE/],
  ];
  for (const [words, says] of wrong) await assert.rejects(type(words), says, words.join(" "));
  assert.equal(await written(), undefined);
});

Deno.test("runRemove() takes a server out, and says when there is none", async () => {
  await type(["add", "it", "https://a.example/mcp", "--yes"]);
  assert.equal((await type(["remove", "it"])).code, 0);
  assert.deepEqual(await written(), {});
  await assert.rejects(type(["remove", "it"]), /has none of that name/);
  await assert.rejects(type(["remove"]), /Name one server/);
});

Deno.test("runList() says what each server is up to", async () => {
  await type(["add", "good", ASKER, "--yes"]);
  await type(["add", "gone", "--yes", "--", `${folder}/no-such-program`]);
  const config = JSON.parse(await Deno.readTextFile(`${folder}/cloister.json`));
  config.mcpServers.off = { command: "x", disabled: true };
  await Deno.writeTextFile(`${folder}/cloister.json`, JSON.stringify(config));
  const { code, stdout } = await type(["list", "--json"]);
  assert.equal(code, 1);
  const { servers } = JSON.parse(stdout);
  assert.deepEqual(
    servers.map((server: Record<string, unknown>) => [
      server.name,
      server.state,
      server.containment,
      server.tools,
    ]),
    [
      ["good", "connected", "sandboxed", 1],
      ["gone", "failed", "unsandboxed", 0],
      ["off", "disabled", "unsandboxed", 0],
    ],
  );
  assert.match(servers[1].error, /no-such-program/);
  assert.match((await type(["list"])).stdout, /^good +connected +sandboxed +1 +asker 1\.2\.3/m);
});
