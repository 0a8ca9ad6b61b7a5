import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ANY_HOST, NO_GRANTS } from "../../core/permissions.ts";
import type { CellSettings, CellSpec } from "../../workers/cell_command.ts";
import { type CellHandlers, CellHost } from "../../workers/cell_host.ts";
import type { WorkerMessage } from "../../workers/protocol.ts";
import type { CellEnd, WorkerEnd } from "../../workers/worker_link.ts";
import { testSettings } from "./_pool.ts";
import { isRunning, soon } from "./_wait.ts";

const fixtures = new URL("../fixtures/workers/", import.meta.url);
const modules = new URL("../fixtures/modules/", import.meta.url);
const hasShell = Deno.build.os !== "windows";

const SPEC: CellSpec = {
  grants: { ...NO_GRANTS, read: [fileURLToPath(modules)] },
  denyNet: [],
  denyWrite: [],
  memoryMb: 512,
  startsPrograms: false,
  env: {},
};

async function withSettings(
  deno: string | undefined,
  work: (settings: CellSettings) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-cell-" }));
  try {
    const settings = await testSettings(folder, "none");
    const command = deno && fileURLToPath(new URL(deno, fixtures));
    await work(command ? { ...settings, deno: command } : settings);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function handlers(): CellHandlers & {
  readonly lines: string[];
  readonly ends: CellEnd[];
  readonly ended: Promise<CellEnd>;
} {
  const lines: string[] = [];
  const ends: CellEnd[] = [];
  const ended = Promise.withResolvers<CellEnd>();
  return {
    lines,
    ends,
    ended: ended.promise,
    onOutput: (stream, line) => lines.push(`${stream}: ${line}`),
    onDropped: () => {},
    onMemory: () => {},
    onEnd: (end) => {
      ends.push(end);
      ended.resolve(end);
    },
  };
}

Deno.test("CellHost.start() gives a cell with a process of its own, and kill() ends it once", () =>
  withSettings(undefined, async (settings) => {
    const heard = handlers();
    const cell = await CellHost.start(SPEC, settings, heard);
    assert.ok(cell.alive && isRunning(cell.pid!));
    assert.notEqual(cell.pid, Deno.pid);
    // 96 for itself, 512 for calls; 12 more for each worker.
    assert.equal(cell.memoryLimit, 608 * 1024 * 1024);
    await cell.kill({ how: "closed", message: "Enough" });
    assert.equal(cell.alive, false);
    assert.equal(isRunning(cell.pid!), false);
    await cell.kill({ how: "crashed", message: "Again" });
    assert.deepEqual(heard.ends, [{ how: "closed", message: "Enough" }]);
  }));

Deno.test("CellHost tells workers and handlers when its process is killed from outside", () =>
  withSettings(undefined, async (settings) => {
    const heard = handlers();
    const cell = await CellHost.start(SPEC, settings, heard);
    const workerEnd = Promise.withResolvers<WorkerEnd>();
    cell.startWorker(NO_GRANTS, { onMessage: () => {}, onEnd: workerEnd.resolve }, "file:///m.ts");
    Deno.kill(cell.pid!, "SIGKILL");
    const message = "Its process ended with signal SIGKILL";
    assert.deepEqual(await soon("the cell's end", heard.ended), { how: "crashed", message });
    assert.deepEqual(await workerEnd.promise, { how: "cell-ended", message, cell: "crashed" });
  }));

Deno.test("CellHost.startWorker() refuses a worker more than the cell itself has", () =>
  withSettings(undefined, async (settings) => {
    const cell = await CellHost.start(SPEC, settings, handlers());
    const end = Promise.withResolvers<WorkerEnd>();
    const grants = { ...NO_GRANTS, net: ["example.com:443"] };
    cell.startWorker(grants, { onMessage: () => {}, onEnd: end.resolve }, "file:///m.ts");
    const { how, message } = await soon("the refusal", end.promise);
    assert.equal(how, "refused");
    assert.match(message, /Can't escalate parent thread permissions/);
    assert.ok(cell.alive);
    await cell.kill({ how: "closed", message: "Enough" });
  }));

Deno.test("CellHost.startWorker() keeps its workers apart, and drop() ends one only", () =>
  withSettings(undefined, async (settings) => {
    const cell = await CellHost.start(SPEC, settings, handlers());
    const start = () => {
      const pong = Promise.withResolvers<WorkerMessage>();
      const ended = Promise.withResolvers<WorkerEnd>();
      const handlers = { onMessage: pong.resolve, onEnd: ended.resolve };
      const link = cell.startWorker(NO_GRANTS, handlers, "file:///m.ts");
      return { link, pong: pong.promise, ended: ended.promise };
    };
    const first = start(), second = start();
    first.link.send({ type: "ping", id: 1 });
    second.link.send({ type: "ping", id: 2 });
    assert.deepEqual(await soon("first", first.pong), { type: "pong", id: 1 });
    assert.deepEqual(await soon("second", second.pong), { type: "pong", id: 2 });
    assert.equal(await first.link.drop(), true);
    assert.deepEqual(await first.ended, { how: "dropped", message: "It was dropped" });
    assert.equal(await first.link.drop(), true);
    assert.ok(cell.alive);
    await cell.kill({ how: "closed", message: "Enough" });
    assert.deepEqual(await second.ended, {
      how: "cell-ended",
      message: "Enough",
      cell: "closed",
    });
  }));

Deno.test({
  name: "CellHost.start() tells what was printed when the program fails",
  ignore: !hasShell,
  fn: () =>
    withSettings("prints_and_fails.sh", async (settings) => {
      const heard = handlers();
      await assert.rejects(CellHost.start(SPEC, settings, heard), {
        message:
          "Cannot start a cell: Its process ended with exit code 3\nthis machine has no cells",
      });
      assert.deepEqual(heard.lines.toSorted(), [
        "stderr: this machine has no cells",
        "stdout: said before",
      ]);
    }),
});

Deno.test("CellHost.start() refuses a grant by name where names are not safe, and takes one by address", () =>
  withSettings(undefined, async (settings) => {
    const unsafe = { ...settings, namesSafe: () => Promise.resolve(false) };
    for (const net of [["example.com:443"], ["8.8.8.8", "localhost"], [ANY_HOST]]) {
      const spec = { ...SPEC, grants: { ...NO_GRANTS, net } };
      await assert.rejects(CellHost.start(spec, unsafe, handlers()), {
        message: /^Cannot start a cell: Hosts can be granted by address only here/,
      });
    }
    const literal = { ...SPEC, grants: { ...NO_GRANTS, net: ["8.8.8.8:53", "[2001:db8::1]"] } };
    const cell = await CellHost.start(literal, unsafe, handlers());
    await cell.kill({ how: "closed", message: "Enough" });
  }));

Deno.test("CellHost.start() tells when the program does not exist", () =>
  withSettings("no_such_program", async (settings) => {
    await assert.rejects(CellHost.start(SPEC, settings, handlers()), {
      message:
        `Cannot start a cell: the program "${settings.deno}" was not found, or may not be started`,
    });
  }));

Deno.test({
  name: "CellHost.start() refuses another version of Deno, and says what to do",
  ignore: !hasShell,
  fn: () =>
    withSettings("other_version.sh", async (settings) => {
      const heard = handlers();
      await assert.rejects(CellHost.start(SPEC, settings, heard), {
        message: `Cannot use "${settings.deno}" for cells: it is Deno 1.0.0, expected ` +
          `${Deno.version.deno}. Put the Deno that runs this program first on the PATH`,
      });
      assert.equal((await soon("its end", heard.ended)).how, "closed");
    }),
});

Deno.test({
  name: "CellHost.start() ends a program that writes on the channel what no key has sealed",
  ignore: !hasShell,
  fn: () =>
    withSettings("forges.sh", async (settings) => {
      const heard = handlers();
      await assert.rejects(CellHost.start(SPEC, settings, heard), {
        message: /A frame does not verify: it was forged, changed or stolen/,
      });
      assert.equal((await soon("its end", heard.ended)).how, "crashed");
    }),
});
