/**
 * Runs one shell command in a process group of its own and ends the whole group afterwards.
 * @module
 */
import { ToolError } from "@cloister/cloister/tool";
import { OutputCollector } from "./_output.ts";

/** A command and its surroundings. */
export interface ShellCommand {
  /** The text for the shell. */
  readonly command: string;
  /** Program and arguments that stand before the shell; none for a shell of its own. */
  readonly prefix: readonly string[];
  /** The folder it starts in. */
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the command at once. */
  readonly signal: AbortSignal;
  /** Milliseconds after which the command is ended. */
  readonly timeoutMs: number;
}

/** How a command ended. */
export interface ShellOutcome {
  /** Standard output and standard error, as they came. */
  readonly output: string;
  /** Bytes of output beyond the safety cap. */
  readonly droppedBytes: number;
  /** The exit code; `null` when a signal ended the shell. */
  readonly exitCode: number | null;
  /** The signal that ended the shell. */
  readonly signal: string | null;
  /** Why it ended. */
  readonly reason: "exit" | "timeout" | "cancel";
  /** Whether processes were still there after the shell had ended. */
  readonly leftovers: boolean;
  /** Milliseconds from start to end. */
  readonly durationMs: number;
}

const SHELLS = ["bash", "sh"];
// One pipe for both streams, so that lines keep the order in which they were written. The channel of the process that
// this tool runs in is descriptor 3, and would be handed on (measured on Deno 2.9.6); every shell closes one digit.
const MERGE_STREAMS = 'exec 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec "$@"';
const TERM_GRACE_SECONDS = "0.3";
const PIPE_GRACE_MS = 150;
// Only a process that left the group can make us wait this long.
const LAST_GRACE_MS = 500;

interface Started {
  readonly shell: string;
  readonly child: Deno.ChildProcess;
}

function start({ command, prefix, cwd, env }: ShellCommand): Started {
  for (const shell of SHELLS) {
    try {
      const child = new Deno.Command(shell, {
        args: ["-c", MERGE_STREAMS, shell, ...prefix, shell, "-c", "--", command],
        cwd,
        env: { ...env },
        clearEnv: true,
        stdin: "null",
        stdout: "piped",
        stderr: "null",
        // A session of its own makes the shell the leader of a group that can be ended as a whole.
        detached: true,
      }).spawn();
      return { shell, child };
    } catch (error) {
      if (!isMissing(error)) throw startError(command, error);
    }
  }
  throw new ToolError(
    `Cannot run a command: none of the shells ${SHELLS.join(", ")} can be started; ` +
      `one must be on the PATH and in the tool's "run" permission`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable ||
    error instanceof Deno.errors.PermissionDenied;
}

function startError(command: string, cause: unknown): ToolError {
  const size = new TextEncoder().encode(command).length;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ToolError(
    `Cannot start the command (${size} bytes): ${why}; a command of over 128 KB belongs into a script file`,
    { cause },
  );
}

/** Ends every process of the group; tells whether there was any. */
async function endGroup(started: Started, gently: boolean): Promise<boolean> {
  const group = `-- -${started.child.pid}`;
  const kill = `kill -s KILL ${group} 2>/dev/null`;
  const script = gently
    ? `kill -s TERM ${group} 2>/dev/null; sleep ${TERM_GRACE_SECONDS}; ${kill}`
    : kill;
  // A kill of the group by ourselves would need run permission for every program there is.
  const { success } = await new Deno.Command(started.shell, {
    args: ["-c", script],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

async function drain(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  into: OutputCollector,
): Promise<void> {
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    into.add(value);
  }
}

/** Waits for a promise, but not for ever. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const bound = Promise.withResolvers<void>();
  const timer = setTimeout(bound.resolve, ms);
  await Promise.race([promise, bound.promise]);
  clearTimeout(timer);
}

function watch(
  started: Started,
  { signal, timeoutMs }: ShellCommand,
): { ended(): Promise<ShellOutcome["reason"]> } {
  let reason: ShellOutcome["reason"] = "exit";
  let killing: Promise<unknown> | undefined;
  const end = (why: "timeout" | "cancel"): void => {
    if (why === "cancel" || killing === undefined) killing = endGroup(started, why === "timeout");
    reason = why;
  };
  const onAbort = (): void => end("cancel");
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return {
    async ended() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      await killing;
      return reason;
    },
  };
}

/**
 * Runs a command to its end, to its deadline, or to the abort signal. Afterwards no process of its group
 * is left, and nothing that holds its output open can delay the answer.
 *
 * @param command The command and its surroundings.
 * @returns How it ended and what it printed.
 * @throws {ToolError} If no shell can be started.
 */
export async function runShell(command: ShellCommand): Promise<ShellOutcome> {
  const begin = performance.now();
  const started = start(command);
  const collector = new OutputCollector();
  const reader = started.child.stdout.getReader();
  const drained = drain(reader, collector);
  const watcher = watch(started, command);

  const status = await started.child.status;
  const reason = await watcher.ended();
  await within(PIPE_GRACE_MS, drained);
  const leftovers = await endGroup(started, false);
  await within(LAST_GRACE_MS, drained);
  await reader.cancel();
  return {
    output: collector.finish(),
    droppedBytes: collector.dropped,
    exitCode: status.signal === null ? status.code : null,
    signal: status.signal,
    reason,
    leftovers,
    durationMs: Math.round(performance.now() - begin),
  };
}
