/** What the attack tests share: a runtime over hostile tool files, canaries, and what "contained" means. */
import assert from "node:assert/strict";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ErrorCode } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import type { DispatchOptions, ModuleReport, Runtime } from "../../runtime/runtime_types.ts";

/** Where the hostile tool files are. */
export const FIXTURES: string = fileURLToPath(new URL("../fixtures/attacks/", import.meta.url));
/** What no tool without a grant may ever learn. */
export const SECRET = "canary-4f1c9a-must-not-leave";
/** How much later than its deadline a contained call may end, in milliseconds. */
const GRACE_MS = 1_000;
/** How long a process that was ended may still be seen, in milliseconds. */
const GONE_MS = 1_000;

/** A loopback server that only counts: it should never be reached. */
export interface Canary extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** Its port. */
  readonly port: number;
  /** First lines of what was sent, one for each connection. */
  readonly heard: readonly string[];
}

/** Starts a canary: answers every connection as HTTP, and remembers it. */
export function startCanary(hostname = "127.0.0.1"): Canary {
  const listener = Deno.listen({ hostname, port: 0 });
  const heard: string[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      const at = heard.push("(nothing)") - 1;
      const bytes = new Uint8Array(4096);
      const size = await connection.read(bytes).catch(() => 0) ?? 0;
      heard[at] = new TextDecoder().decode(bytes.subarray(0, size)).split("\r\n")[0]!;
      const answer = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 6\r\n\r\ncanary";
      await connection.write(new TextEncoder().encode(answer)).catch(() => {});
      connection.close();
    }
  })();
  const { port } = listener.addr as Deno.NetAddr;
  return {
    host: `${hostname}:${port}`,
    port,
    heard,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await serving;
    },
  };
}

/** How an arena differs from the usual one. */
export interface ArenaOptions {
  /** The configuration. */
  readonly config?: JsonObject | ((arena: ArenaPlaces) => JsonObject);
  /** Texts to replace in the copied files, such as `__OUTSIDE__`. */
  readonly replace?: (arena: ArenaPlaces) => Readonly<Record<string, string>>;
  /** Environment variables as the front sees them, beside its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Writes further files before discovery. */
  readonly prepare?: (arena: ArenaPlaces) => void | Promise<void>;
}

/** The folders of an arena. */
export interface ArenaPlaces {
  /** Holds everything else. */
  readonly base: string;
  /** The tool root. */
  readonly root: string;
  /** The workspace. */
  readonly workspace: string;
  /** A folder that no tool is granted; holds `secret.txt`. */
  readonly outside: string;
  /** A server that no tool is granted. */
  readonly canary: Canary;
}

/** One log record of a runtime. */
export interface Logged {
  readonly level: string;
  readonly message: string;
  readonly name?: string;
  readonly cell?: string;
}

/** A runtime with hostile tools. */
export interface Arena extends ArenaPlaces, AsyncDisposable {
  readonly runtime: Runtime;
  /** What tools and cells wrote. */
  readonly logs: readonly Logged[];
  /** Calls a tool. */
  call(name: string, args?: JsonObject, options?: DispatchOptions): Promise<ToolResult>;
  /** Calls a hostile tool, and asserts that it is contained. */
  contain(name: string, args: JsonObject, end: ExpectedEnd): Promise<Contained>;
  /** Asserts that the front and the other tools go on. */
  goesOn(): Promise<void>;
  /** Asserts that nothing outside the grants was read, written or sent. */
  isUntouched(): void;
  /** The report on one file of the root. */
  report(file: string): ModuleReport;
}

/** How a contained call ends. */
export interface ExpectedEnd {
  /** The code, or what the code is one of. */
  readonly code: ErrorCode | readonly ErrorCode[];
  /** The deadline in milliseconds. @default {5_000} */
  readonly timeoutMs?: number;
  /** What the error's message says. */
  readonly says?: RegExp;
}

/** What a contained call left. */
export interface Contained {
  readonly result: ToolResult & { readonly ok: false };
  /** What the tool reported as progress before it misbehaved: usually the process id of its cell. */
  readonly values: readonly number[];
}

function copyFixtures(id: string, to: string, replace: Readonly<Record<string, string>>): void {
  for (const folder of [`${FIXTURES}_common`, `${FIXTURES}${id}`]) {
    for (const { name, isFile } of Deno.readDirSync(folder)) {
      if (!isFile) continue;
      let text = Deno.readTextFileSync(`${folder}/${name}`);
      for (const [from, into] of Object.entries(replace)) text = text.replaceAll(from, into);
      Deno.writeTextFileSync(`${to}/${name}`, text);
    }
  }
}

function makePlaces(): ArenaPlaces {
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-attack-" }));
  const places = { base, root: `${base}/tools`, workspace: `${base}/work`, outside: `${base}/out` };
  for (const dir of [places.root, places.workspace, places.outside]) Deno.mkdirSync(dir);
  Deno.writeTextFileSync(`${places.outside}/secret.txt`, SECRET);
  Deno.writeTextFileSync(`${places.outside}/secret.json`, JSON.stringify({ secret: SECRET }));
  Deno.writeTextFileSync(`${places.outside}/secret.ts`, `export default "${SECRET}";\n`);
  Deno.writeTextFileSync(`${places.outside}/.env`, `ATTACK_CANARY=${SECRET}\n`);
  Deno.writeTextFileSync(`${places.workspace}/mine.txt`, "inside");
  return { ...places, canary: startCanary() };
}

function fingerprint(dir: string): string {
  return [...Deno.readDirSync(dir)].map(({ name }) => {
    const { size, mtime, isFile } = Deno.lstatSync(`${dir}/${name}`);
    return `${name} ${size} ${mtime?.getTime()} ${isFile}`;
  }).toSorted().join("\n");
}

/** Opens an arena over the files of `tests/fixtures/attacks/<id>/`. */
export async function openArena(id: string, options: ArenaOptions = {}): Promise<Arena> {
  const places = makePlaces();
  const { base, root, workspace, outside } = places;
  copyFixtures(id, root, options.replace?.(places) ?? {});
  await options.prepare?.(places);
  const { config = {} } = options;
  const runtime = await createRuntime({
    registry: new ToolRegistry(),
    roots: [root],
    builtins: false,
    workspace,
    cacheDir: `${base}/cache`,
    // What contains a command is tested here, not the floor that asks before it runs.
    config: {
      approval: { dangerousCommands: "allow" },
      ...(typeof config === "function" ? config(places) : config),
    },
    environment: (name) =>
      name === "XDG_CONFIG_HOME" ? `${base}/config` : options.env?.[name] ?? Deno.env.get(name),
  });
  const logs: Logged[] = [];
  runtime.on("tool-log", (record) => logs.push(record));
  return makeArena(places, runtime, logs, fingerprint(outside));
}

function makeArena(
  places: ArenaPlaces,
  runtime: Runtime,
  logs: Logged[],
  before: string,
): Arena {
  const { root, outside, canary, base } = places;
  const call: Arena["call"] = (name, args = {}, options = {}) =>
    runtime.dispatch(name, args, { timeoutMs: 5_000, ...options });
  const goesOn = async (): Promise<void> => {
    const n = Math.random();
    const result = await call("neighbour", { n }, { timeoutMs: 10_000 });
    assert.ok(result.ok, `The neighbour failed: ${result.content}`);
    assert.deepEqual(result.structured, { n });
  };
  const isUntouched = (): void => {
    assert.equal(fingerprint(outside), before, "Something outside the grants was written");
    assert.deepEqual(canary.heard, [], "Something was sent to the canary");
    assert.ok(!JSON.stringify(logs).includes(SECRET), "The secret is in the log");
  };
  return {
    ...places,
    runtime,
    logs,
    call,
    goesOn,
    isUntouched,
    contain: (name, args, end) => contain({ call, goesOn, isUntouched }, name, args, end),
    report: (file) => {
      const report = runtime.lastDiscovery?.modules.find(({ path }) => path === `${root}/${file}`);
      assert.ok(report, `No report on ${file}`);
      return report;
    },
    [Symbol.asyncDispose]: async () => {
      await runtime[Symbol.asyncDispose]();
      await canary[Symbol.asyncDispose]();
      await Deno.remove(base, { recursive: true });
    },
  };
}

async function contain(
  arena: Pick<Arena, "call" | "goesOn" | "isUntouched">,
  name: string,
  args: JsonObject,
  end: ExpectedEnd,
): Promise<Contained> {
  const values: number[] = [];
  const timeoutMs = end.timeoutMs ?? 5_000;
  // Its cell is there before the clock starts: what is measured is the end, not the start.
  await arena.goesOn();
  const startedAt = performance.now();
  const attack = arena.call(name, args, {
    timeoutMs,
    onProgress: ({ value }) => values.push(value),
  });
  const meanwhile = arena.goesOn();
  const result = await attack;
  const tookMs = performance.now() - startedAt;
  await meanwhile;
  await arena.goesOn();
  assert.ok(!result.ok, `It was not contained: ${result.content.slice(0, 500)}`);
  const codes = [end.code].flat();
  const { code, message } = result.error;
  assert.ok(codes.includes(code), `It ended as ${code}, not ${codes.join(" or ")}: ${message}`);
  if (end.says) assert.match(message, end.says);
  assert.ok(tookMs <= timeoutMs + GRACE_MS, `It took ${tookMs} ms, its deadline was ${timeoutMs}`);
  assert.ok(!JSON.stringify(result).includes(SECRET), "The secret is in the result");
  arena.isUntouched();
  return { result, values };
}

/** Asserts that a call succeeded, and gives its result. */
export function succeeded(result: ToolResult): ToolResult & { readonly ok: true } {
  assert.ok(result.ok, `It failed: ${result.content.slice(0, 500)}`);
  return result;
}

/** Whether a process is there. A reaped one is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Asserts that a process is gone within a second. */
export async function assertGone(pid: number | undefined): Promise<void> {
  assert.ok(pid !== undefined && pid > 1, "The tool did not report its process");
  await until(() => !isRunning(pid), `process ${pid} to be gone`, GONE_MS);
}

/** Waits until something holds; fails when it does not within a time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 5_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!await holds()) {
    assert.ok(performance.now() < end, `Waited ${withinMs} ms for ${what}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 10);
    await promise;
  }
}

/** Runs the tests of one file on one arena, which is opened before the first and closed after the last. */
export function shareArena(id: string, options: ArenaOptions = {}): () => Arena {
  let arena: Arena | undefined;
  Deno.test.beforeAll(async () => {
    arena = await openArena(id, options);
  });
  Deno.test.afterAll(async () => await arena?.[Symbol.asyncDispose]());
  return () => {
    assert.ok(arena, "The arena did not open");
    return arena;
  };
}
