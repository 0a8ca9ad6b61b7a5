/** What the tests of containers share. */
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import type { ApprovalAnswer } from "../../../runtime/approval/approval_types.ts";
import type { DispatchOptions, Runtime } from "../../../runtime/runtime_types.ts";
import { createRuntime } from "../../../runtime/create_runtime.ts";

/** Runs a test in a folder of its own. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-container-" }));
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Whether this machine has git, and a bubblewrap that starts. Asks not the product, so that one that is weaker fails. */
export async function holds(): Promise<boolean> {
  const flags =
    "--unshare-all --unshare-user --disable-userns --ro-bind / / --proc /proc --dev /dev true";
  try {
    const command = new Deno.Command("/usr/bin/bwrap", { args: flags.split(" "), stderr: "null" });
    const git = new Deno.Command("git", { args: ["--version"] });
    return (await command.output()).success && (await git.output()).success;
  } catch {
    return false;
  }
}

/** A runtime whose terminal works in a repository that is also where tools are read from. */
export interface Contained extends AsyncDisposable {
  /** The folder above the workspace; HOME and secrets are there. */
  readonly base: string;
  /** The workspace. */
  readonly space: string;
  /** Runs a command; gives what the model gets. */
  run(command: string, more?: JsonObject): Promise<string>;
  /** Calls the terminal. */
  call(args: JsonObject, options?: DispatchOptions): Promise<ToolResult>;
  /** The runtime. */
  readonly runtime: Runtime;
  /** What somebody was asked. */
  readonly asked: string[];
}

/** Starts one; `isAsked` hides the container. */
export async function startContained(
  { answer = "deny", isAsked = false }: {
    readonly answer?: ApprovalAnswer;
    readonly isAsked?: boolean;
  } = {},
): Promise<Contained> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-contained-" }));
  const space = `${base}/space`;
  for (const folder of ["space", "space/tools", "space/deep", "space/deep/roots", "home"]) {
    await Deno.mkdir(`${base}/${folder}`);
  }
  await Deno.writeTextFile(`${base}/home/secret`, "hunter2");
  await git(space, "init", "-q");
  await git(space, "config", "user.name", "Test");
  await git(space, "config", "user.email", "test@example.org");
  const asked: string[] = [];
  const runtime = await createRuntime({
    registry: new ToolRegistry(),
    builtins: true,
    roots: [`${space}/tools`, `${space}/deep/roots`],
    workspace: space,
    cacheDir: `${base}/cache`,
    config: { approval: { containCommands: !isAsked } },
    environment: (name) => name === "HOME" ? `${base}/home` : Deno.env.get(name),
    mcp: "off",
    onApproval: ({ reasons }) => {
      asked.push(...reasons);
      return answer;
    },
  });
  const call = (args: JsonObject, options?: DispatchOptions) =>
    runtime.dispatch("terminal", args, options);
  return {
    base,
    space,
    runtime,
    asked,
    call,
    run: async (command, more = {}) => (await call({ command, ...more })).content,
    [Symbol.asyncDispose]: async () => {
      await runtime[Symbol.asyncDispose]();
      await Deno.remove(base, { recursive: true });
    },
  };
}

/** Runs git outside of the container, as a person would. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  // Of nobody's configuration but the repository's.
  const env = { PATH: Deno.env.get("PATH") ?? "", HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };
  const command = new Deno.Command("git", { args: [...args], cwd, env, clearEnv: true });
  const { stdout, stderr } = await command.output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

/** Whether something is there, a link that leads nowhere included. */
export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** A server of the machine on a unix socket, such as that of docker. */
export async function listenOnSocket(path: string): Promise<AsyncDisposable> {
  const code = `Deno.listen({ transport: "unix", path: ${JSON.stringify(path)} }); console.log(1)`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", `${code}; await new Promise(() => setInterval(() => {}, 1000))`],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}
