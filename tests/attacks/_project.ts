/** What the tests of protected places share: a project in which workspace, tool files and settings are one folder. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import type { Runtime, RuntimeOptions } from "../../runtime/runtime_types.ts";
import { FIXTURES } from "./_arena.ts";

/** A project with a runtime over it. */
export interface Project extends AsyncDisposable {
  readonly runtime: Runtime;
  /** The workspace. */
  readonly dir: string;
  /** Calls a tool. */
  call(name: string, args?: JsonObject): Promise<ToolResult>;
  /** The text of a file of the project; `undefined` when there is none. */
  read(path: string): string | undefined;
  /** Starts another runtime over the same folders. */
  start(options?: Partial<RuntimeOptions>): Promise<Runtime>;
  /** Ends the runtime and starts another one over the same folders. */
  restart(options?: Partial<RuntimeOptions>): Promise<void>;
}

/** How a project differs from the usual one. */
export interface ProjectOptions extends Partial<Omit<RuntimeOptions, "roots" | "config">> {
  /** Folders with tool files below the project. @default {["tools"]} */
  readonly roots?: readonly string[];
  /** The configuration, which is written to `cloister.json`. */
  readonly config?: JsonObject;
  /** Further files by their paths below the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Does more before discovery. */
  readonly prepare?: (dir: string) => void;
}

/** Opens a project whose first root holds the tools of `tests/fixtures/attacks/a30`. */
export async function openProject(options: ProjectOptions = {}): Promise<Project> {
  const { roots = ["tools"], config = {}, files = {}, prepare, ...rest } = options;
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-project-" }));
  const dir = `${base}/work`;
  const write = (path: string, text: string): void => {
    Deno.mkdirSync(`${dir}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(`${dir}/${path}`, text);
  };
  write("cloister.json", JSON.stringify(config));
  write("mine.txt", "inside");
  write(`${roots[0]}/writes.ts`, Deno.readTextFileSync(`${FIXTURES}a30/writes.ts`));
  for (const [path, text] of Object.entries(files)) write(path, text);
  prepare?.(dir);
  const start = (more: Partial<RuntimeOptions> = {}): Promise<Runtime> =>
    createRuntime({
      registry: new ToolRegistry(),
      roots: roots.map((root) => `${dir}/${root}`),
      pluginFolder: `${dir}/plugins`,
      builtins: false,
      workspace: dir,
      cacheDir: `${base}/cache`,
      config: `${dir}/cloister.json`,
      environment: (name) => name === "HOME" ? `${base}/home` : Deno.env.get(name),
      ...rest,
      ...more,
    });
  let runtime = await start();
  return {
    get runtime() {
      return runtime;
    },
    dir,
    start,
    call: (name, args = {}) => runtime.dispatch(name, args, { timeoutMs: 10_000 }),
    read: (path) => {
      try {
        return Deno.readTextFileSync(`${dir}/${path}`);
      } catch (error) {
        assert.ok(error instanceof Deno.errors.NotFound, String(error));
        return undefined;
      }
    },
    restart: async (more) => {
      await runtime[Symbol.asyncDispose]();
      runtime = await start(more);
    },
    [Symbol.asyncDispose]: async () => {
      await runtime[Symbol.asyncDispose]();
      await Deno.remove(base, { recursive: true });
    },
  };
}

/** The text of a tool file whose tool runs a shell. */
export function shellTool(name: string, command = "id"): string {
  return `import { registry } from "@cloister/cloister/tool";
registry.register({
  name: "${name}", toolset: "t", description: "p", schema: { type: "object" },
  permissions: { run: ["sh"] },
  handler: async () =>
    new TextDecoder().decode((await new Deno.Command("sh", { args: ["-c", "${command}"] }).output()).stdout),
});
`;
}
