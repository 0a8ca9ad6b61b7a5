/**
 * Starts `deno` as a child with a bound, for facts that can end or wedge a process.
 * @module
 */
import { fileURLToPath } from "node:url";

/** Options of {@linkcode runDeno}. */
export interface RunDenoOptions {
  /** Variables beside PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** After this many milliseconds the child is killed. @default {10_000} */
  readonly timeoutMs?: number;
  /** The child's working folder. @default {the current one} */
  readonly cwd?: string;
  /** Text on the child's stdin, which is closed after it; without it stdin is null. */
  readonly stdin?: string;
}

/** How the child ended and what it printed. */
export interface RunDenoResult {
  /** The exit code. */
  readonly code: number;
  /** The signal that ended the child, if one did. */
  readonly signal: Deno.Signal | null;
  /** Its standard output. */
  readonly stdout: string;
  /** Its standard error. */
  readonly stderr: string;
  /** Whether the child had to be killed at the deadline. */
  readonly timedOut: boolean;
}

/** Flags with which fixtures run: no prompt, no network, no configuration of this project. */
export const ISOLATED_FLAGS: readonly string[] = Object.freeze([
  "run",
  "--quiet",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--cached-only",
]);

/** {@linkcode ISOLATED_FLAGS} with workers that may carry permissions of their own. */
export const WORKER_FLAGS: readonly string[] = Object.freeze([
  ...ISOLATED_FLAGS,
  "--unstable-worker-options",
]);

/**
 * The absolute path of a fixture of the platform tests.
 *
 * @param name The file's name in `tests/fixtures/platform/`.
 * @returns Its path.
 */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/platform/${name}`, import.meta.url));
}

function childEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = { NO_COLOR: "1" };
  for (const name of ["PATH", "HOME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return { ...env, ...extra };
}

/**
 * Starts a `deno` child of this version, which is not awaited; the caller ends it.
 *
 * @param args Its arguments.
 * @param options Environment and working folder.
 * @returns The child, with piped stdout and stderr.
 */
export function spawnDeno(
  args: readonly string[],
  { env = {}, cwd, stdin }: Omit<RunDenoOptions, "timeoutMs"> = {},
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...args],
    clearEnv: true,
    env: childEnvironment(env),
    cwd,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function feed(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text)).catch(() => {});
  await writer.close().catch(() => {});
}

/**
 * Runs `deno` to its end, or kills it at the deadline.
 *
 * @param args Its arguments, for example `[...WORKER_FLAGS, "--allow-read", fixture("a.ts")]`.
 * @param options Environment, deadline, working folder, stdin.
 * @returns How it ended and what it printed.
 */
export async function runDeno(
  args: readonly string[],
  { timeoutMs = 10_000, ...options }: RunDenoOptions = {},
): Promise<RunDenoResult> {
  const child = spawnDeno(args, options);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  try {
    if (options.stdin !== undefined) await feed(child, options.stdin);
    const [status, stdout, stderr] = await Promise.all([
      child.status,
      child.stdout.text(),
      child.stderr.text(),
    ]);
    return { code: status.code, signal: status.signal, stdout, stderr, timedOut };
  } finally {
    clearTimeout(timer);
  }
}
