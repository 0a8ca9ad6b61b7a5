/**
 * Runs shell commands in the workspace.
 * @module
 */
import { registry, type ToolContext, ToolError, type ToolReturn } from "@cloister/cloister/tool";
import { runShell, type ShellOutcome } from "./_shell.ts";

const DEFAULT_TIMEOUT_SECONDS = 180;
const PASSED_VARIABLES = ["PATH", "HOME", "LANG", "TERM"];

interface TerminalArguments {
  readonly command: string;
  readonly timeout?: number;
  readonly workdir?: string;
  /** Read by the front, which asks. */
  readonly network?: boolean;
}

async function workingFolder(workdir: string, context: ToolContext): Promise<string> {
  const path = context.resolve(workdir);
  const info = await Deno.stat(path).catch((cause) => {
    throw new ToolError(`Cannot run in "${workdir}": no such folder in the workspace`, { cause });
  });
  if (!info.isDirectory) throw new ToolError(`Cannot run in "${workdir}": it is not a folder`);
  return path;
}

function environment(context: ToolContext): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of PASSED_VARIABLES) {
    const value = context.env(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function headline(outcome: ShellOutcome, timeout: number): string {
  const took = `${(outcome.durationMs / 1000).toFixed(2)} s`;
  if (outcome.reason === "timeout") {
    return `timed out after ${timeout} s; the command and all processes of its group were ended; ` +
      `output so far:`;
  }
  if (outcome.reason === "cancel") return `cancelled after ${took}; output so far:`;
  if (outcome.signal !== null) return `ended by ${outcome.signal} after ${took}`;
  return `exit_code ${outcome.exitCode}, ${took}`;
}

function notes(outcome: ShellOutcome): string[] {
  const lines: string[] = [];
  if (outcome.droppedBytes > 0) {
    lines.push(
      `[the first 50 MB of output are kept; ${outcome.droppedBytes} more bytes were dropped: ` +
        `send output of this size to a file]`,
    );
  }
  if (outcome.leftovers && outcome.reason === "exit") {
    lines.push(
      "[processes that the command had left in the background were ended with it]",
    );
  }
  return lines;
}

function toAnswer(outcome: ShellOutcome, timeout: number): ToolReturn {
  const head = [`[${headline(outcome, timeout)}]`, ...notes(outcome)].join("\n");
  return {
    content: [{ type: "text", text: `${head}\n${outcome.output || "(no output)"}` }],
    structuredContent: {
      exit_code: outcome.exitCode,
      signal: outcome.signal,
      timed_out: outcome.reason === "timeout",
      duration_ms: outcome.durationMs,
      output_chars: outcome.output.length,
      dropped_bytes: outcome.droppedBytes,
    },
  };
}

async function run(args: TerminalArguments, context: ToolContext): Promise<ToolReturn> {
  const { command, timeout = DEFAULT_TIMEOUT_SECONDS, workdir = "." } = args;
  if (command.includes("\0")) {
    throw new ToolError("Cannot run a command that holds a NUL character");
  }
  const outcome = await runShell({
    command,
    prefix: context.commandPrefix ?? [],
    cwd: await workingFolder(workdir, context),
    env: environment(context),
    signal: context.signal,
    timeoutMs: timeout * 1000,
  });
  return toAnswer(outcome, timeout);
}

registry.register({
  name: "terminal",
  title: "Terminal",
  toolset: "terminal",
  description:
    "Run a shell command (bash, or sh where there is no bash) in the workspace and wait for its end. Returns the exit code and everything it printed, standard output and standard error in the order in which they were written. There is no terminal and no input: use flags that answer questions. Nothing stays behind: processes left in the background end with the command.",
  emoji: "💻",
  schema: {
    type: "object",
    properties: {
      command: {
        type: "string",
        minLength: 1,
        description: "The command, as typed into a shell. May span lines.",
      },
      timeout: {
        type: "integer",
        minimum: 1,
        maximum: 600,
        default: 180,
        description: "Seconds after which the command and everything it started is ended.",
      },
      network: {
        type: "boolean",
        default: false,
        description: "Whether the command needs the network. A person is asked first.",
      },
      workdir: {
        type: "string",
        minLength: 1,
        description: "Folder to run in, inside the workspace. Default: the workspace itself.",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
  permissions: {
    read: ["$WORKSPACE"],
    run: ["bash", "sh"],
    env: ["PATH", "HOME", "LANG", "TERM"],
  },
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  timeoutMs: 610_000,
  memoryMb: 1024,
  handler: (args, context) => run(args, context),
});
