import assert from "node:assert/strict";
import { LockFile } from "../../../mcp/catalogue/lock.ts";
import { acceptChanged, comparePins, type ServerPins } from "../../../mcp/catalogue/pins.ts";
import { hashDefinition, type HashedDefinition } from "../../../mcp/catalogue/tool_definition.ts";

async function folder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "cloister-lock-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function defined(name: string, description = "Does it."): Promise<HashedDefinition> {
  return await hashDefinition({ name, description, inputSchema: { type: "object" } });
}

async function pinsOf(names: readonly string[]): Promise<ServerPins> {
  const tools = await Promise.all(
    names.map(async (name) => [name, { ...await defined(name), listed: true }] as const),
  );
  return { launch: "npm:a@1.0.0", tools: new Map(tools) };
}

Deno.test("LockFile.write() writes sorted text without times, and read() gives the same back", async () => {
  await using dir = await folder();
  const lock = new LockFile(`${dir.path}/mcp.lock`);
  assert.equal(await lock.read("b"), undefined);
  await lock.write("b", await pinsOf(["z", "a"]));
  await lock.write("a", { launch: "http://localhost/mcp", tools: new Map() });
  const text = await Deno.readTextFile(lock.path);
  assert.deepEqual(JSON.parse(text), {
    servers: {
      a: { launch: "http://localhost/mcp", tools: {} },
      b: {
        launch: "npm:a@1.0.0",
        tools: {
          a: {
            definition: { description: "Does it.", inputSchema: { type: "object" }, name: "a" },
            hash: (await defined("a")).hash,
          },
          z: {
            definition: { description: "Does it.", inputSchema: { type: "object" }, name: "z" },
            hash: (await defined("z")).hash,
          },
        },
      },
    },
    version: 1,
  });
  assert.ok(text.indexOf('"a": {') < text.indexOf('"b": {'));
  assert.equal(text.includes(String(new Date().getFullYear())), false);
  assert.deepEqual((await lock.read("b"))!.tools.get("z"), { ...await defined("z"), listed: true });
  await lock.write("b", await pinsOf(["a", "z"]));
  assert.equal(await Deno.readTextFile(lock.path), text);
});

Deno.test("LockFile.write() of several servers at once loses none, and leaves no draft behind", async () => {
  await using dir = await folder();
  const lock = new LockFile(`${dir.path}/mcp.lock`);
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  await Promise.all(names.map(async (name) => lock.write(name, await pinsOf([name]))));
  for (const name of names) assert.ok((await lock.read(name))!.tools.has(name));
  assert.deepEqual(Array.from(Deno.readDirSync(dir.path), ({ name }) => name), ["mcp.lock"]);
});

Deno.test("LockFile of two writers never shows half a file, and the last one wins", async () => {
  await using dir = await folder();
  const [one, two] = [new LockFile(`${dir.path}/mcp.lock`), new LockFile(`${dir.path}/mcp.lock`)];
  const pins = await pinsOf(Array.from({ length: 200 }, (_, index) => `tool${index}`));
  let isOver = false;
  const reading = (async () => {
    while (!isOver) await one.read("s");
  })();
  for (let round = 0; round < 20; round++) {
    await Promise.all([one.write("s", pins), two.write("s", pins)]);
  }
  isOver = true;
  await reading;
  assert.equal((await two.read("s"))!.tools.size, 200);
});

Deno.test("LockFile [A27] refuses a damaged file with its place, for reading and for writing, and leaves it", async () => {
  await using dir = await folder();
  const path = `${dir.path}/mcp.lock`;
  const lock = new LockFile(path);
  const { hash, definition } = await defined("t");
  const pinned = (tool: unknown) =>
    JSON.stringify({
      version: 1,
      servers: { s: { launch: "x", tools: { t: tool } } },
    });
  const cases: [string, string][] = [
    ["", `${path}: expected JSON`],
    ['{\n "version": 1,,', `${path}:2:15: expected JSON`],
    ["[]", `${path}#: expected an object`],
    ['{"version":2,"servers":{}}', `${path}#/version: expected the version 1`],
    ['{"version":1}', `${path}#/servers: expected an object`],
    ['{"version":1,"servers":{"s":{}}}', `${path}#/servers/s/launch: expected a text`],
    [pinned({}), `${path}#/servers/s/tools/t: expected a pinned tool`],
    [
      pinned({ hash: "0".repeat(64), definition }),
      `${path}#/servers/s/tools/t/hash: expected the hash of the definition`,
    ],
    [
      pinned({ hash, definition: { ...definition, name: "u" } }),
      `${path}#/servers/s/tools/t/definition/name: expected "t"`,
    ],
  ];
  for (const [text, message] of cases) {
    await Deno.writeTextFile(path, text);
    const fits = (error: Error) => {
      assert.ok(error.message.includes(message), `${error.message}\n${message}`);
      return true;
    };
    await assert.rejects(lock.read("s"), fits);
    await assert.rejects(lock.write("s", await pinsOf(["t"])), fits);
    assert.equal(await Deno.readTextFile(path), text);
  }
});

Deno.test("LockFile.write() says what it could not write", async () => {
  await using dir = await folder();
  const lock = new LockFile(`${dir.path}/none/mcp.lock`);
  await Deno.symlink(`${dir.path}/nowhere/at/all`, `${dir.path}/none`);
  await assert.rejects(lock.write("s", await pinsOf([])), /Cannot write ".*none\/mcp.lock"/);
  await Deno.remove(`${dir.path}/none`);
  await lock.write("s", await pinsOf([]));
  assert.notEqual(await lock.read("s"), undefined, "its folder is made");
});

Deno.test("hashDefinition() is the same for members in another order, and another for every value", async () => {
  const base = { name: "a", inputSchema: { type: "object", required: ["x", "y"] } };
  const { hash } = await hashDefinition(base);
  const same = { inputSchema: { required: ["x", "y"], type: "object" }, name: "a" };
  assert.equal((await hashDefinition(same)).hash, hash);
  for (
    const other of [
      { ...base, title: "A" },
      { ...base, inputSchema: { type: "object", required: ["y", "x"] } },
      { ...base, annotations: { readOnlyHint: true } },
      { ...base, description: "\u200B" },
      { ...base, outputSchema: {} },
    ]
  ) assert.notEqual((await hashDefinition(other)).hash, hash);
  // printf '{"name":"a"}' | sha256sum
  assert.equal(
    (await hashDefinition({ name: "a" })).hash,
    "d9d719b27480b55cd4918020e7473e716ed3569c8adafe926cf9b10b4f8ef064",
  );
});

Deno.test("comparePins() pins everything on first sight, and only what is new later", async () => {
  const [a, b, c] = [await defined("a"), await defined("b"), await defined("c")];
  const first = comparePins(undefined, "x", new Map([["a", a], ["b", b]]));
  assert.deepEqual([first.isFirst, first.isNews, first.added], [true, true, ["a", "b"]]);
  const same = comparePins(first.next, "x", new Map([["b", b], ["a", a]]));
  assert.deepEqual([same.isFirst, same.isNews, same.added, same.vanished], [false, false, [], []]);
  const moved = comparePins(first.next, "y", new Map([["a", a], ["b", b]]));
  assert.deepEqual([moved.isNews, moved.next.launch], [true, "y"]);
  const renamed = comparePins(first.next, "x", new Map([["a", a], ["c", c]]));
  assert.deepEqual([renamed.added, renamed.vanished], [["c"], ["b"]]);
  assert.deepEqual(renamed.next.tools.get("b"), { ...b, listed: false });
});

Deno.test("comparePins() keeps the pin of a tool that vanished, so that it cannot come back as another", async () => {
  const pins = await pinsOf(["a", "b"]);
  const gone = comparePins(pins, pins.launch, new Map([["a", await defined("a")]]));
  const other = await defined("b", "Does something else.");
  const back = comparePins(
    gone.next,
    pins.launch,
    new Map([["a", await defined("a")], ["b", other]]),
  );
  assert.deepEqual([...back.changed.keys()], ["b"]);
  assert.equal(back.next.tools.get("b")!.hash, pins.tools.get("b")!.hash);
  assert.equal(back.next.tools.get("b")!.listed, true);
});

Deno.test("acceptChanged() pins one tool or all, and forgets what vanished only with all", async () => {
  const pins = await pinsOf(["a", "b", "c"]);
  const [a, b] = [await defined("a", "New."), await defined("b", "New.")];
  const { next, changed } = comparePins(pins, pins.launch, new Map([["a", a], ["b", b]]));
  const one = acceptChanged(next, changed, "a");
  assert.deepEqual(one.accepted, ["a"]);
  assert.deepEqual(one.pins.tools.get("a"), { ...a, listed: true });
  assert.notEqual(one.pins.tools.get("b")!.hash, b.hash);
  assert.equal(one.pins.tools.has("c"), true);
  const all = acceptChanged(next, changed);
  assert.deepEqual(all.accepted, ["a", "b"]);
  assert.deepEqual([...all.pins.tools.keys()].sort(), ["a", "b"]);
});
