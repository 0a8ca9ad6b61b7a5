/** What the tests of the runtime share: a runtime over fixture folders, with folders of its own. */
import type { ToolResult } from "../../core/result.ts";
import type { Clock } from "../../registry/availability/clock.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { buildRuntime } from "../../runtime/build_runtime.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import type { Runtime, RuntimeOptions } from "../../runtime/runtime_types.ts";

/** The folder of a set of fixture tools. */
export function fixtureRoot(name: string): string {
  return new URL(`../fixtures/runtime/${name}`, import.meta.url).pathname;
}

/** A runtime with the folders that it works in. */
export interface TestRuntime extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly base: string;
  readonly workspace: string;
  /** The folder of the test's own tool files; a root when `files` were given. */
  readonly tools: string;
  readonly logs: { readonly level: string; readonly message: string }[];
  call: Runtime["dispatch"];
  /** Writes a tool file; the time of its last change always differs from the one before. */
  write(name: string, text: string): Promise<string>;
}

/** Options of {@linkcode startRuntime}. */
export interface TestRuntimeOptions extends RuntimeOptions {
  /** Names of fixture folders that are roots. */
  readonly fixtures?: readonly string[];
  /** Tool files of the test's own. */
  readonly files?: { readonly [name: string]: string };
  /** A clock that the test moves, for what the runtime remembers. */
  readonly clock?: Clock;
}

/** Makes a runtime that is removed with everything it wrote. */
export async function startRuntime(options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-runtime-" }));
  const workspace = `${base}/space`, tools = `${base}/tools`;
  await Deno.mkdir(workspace);
  await Deno.mkdir(tools);
  let changes = 0;
  const write = async (name: string, text: string): Promise<string> => {
    const path = `${tools}/${name}`;
    await Deno.writeTextFile(path, text);
    const time = Date.now() + ++changes * 1_000;
    await Deno.utime(path, time / 1_000, time / 1_000);
    return path;
  };
  const { fixtures = [], files, clock, ...rest } = options;
  for (const [name, text] of Object.entries(files ?? {})) await write(name, text);
  const logs: TestRuntime["logs"] = [];
  const settings: RuntimeOptions = {
    registry: new ToolRegistry(),
    roots: [...fixtures.map(fixtureRoot), ...files ? [tools] : []],
    builtins: false,
    workspace,
    cacheDir: `${base}/cache`,
    config: {},
    environment: (name) => name === "XDG_CONFIG_HOME" ? `${base}/config` : Deno.env.get(name),
    logger: { log: (level, message) => void logs.push({ level, message }) },
    ...rest,
  };
  const runtime = await (clock ? buildRuntime(settings, clock) : createRuntime(settings));
  return {
    runtime,
    base,
    workspace,
    tools,
    logs,
    write,
    call: (name, args, more) => runtime.dispatch(name, args, more),
    [Symbol.asyncDispose]: async () => {
      await runtime[Symbol.asyncDispose]();
      await Deno.remove(base, { recursive: true });
    },
  };
}

/** The parts of a result that a test can know by heart. */
export function known(result: ToolResult): unknown {
  const { timing: _, callId: _id, generation: _generation, ...rest } = result;
  return JSON.parse(JSON.stringify(rest));
}

/** The text of a tool file that returns a text. */
export function toolFile(
  name: string,
  answer: string,
  more: { readonly description?: string; readonly rest?: string } = {},
): string {
  return `import { registry } from "@cloister/cloister/tool";

registry.register({
  name: ${JSON.stringify(name)},
  toolset: "own",
  description: ${JSON.stringify(more.description ?? "A tool of a test.")},
  schema: { type: "object" },
  ${more.rest ?? ""}
  handler: () => ${JSON.stringify(answer)},
});
`;
}
