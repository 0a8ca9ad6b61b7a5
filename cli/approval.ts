/**
 * Asking the person at the terminal whether a call may run.
 * @module
 */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  ApprovalSurface,
} from "../runtime/approval/approval_types.ts";
import type { CommandContext } from "./command.ts";
import type { Output } from "./output.ts";

/** Where a person can be asked. */
export interface Prompt {
  /** Whether somebody is there to answer. */
  readonly isTerminal: boolean;
  /** Reads a line; `undefined` at the end of the input, and when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
}

/** How a command wants calls approved. */
export interface ApprovalOptions {
  /** Whether `--yes` was given. */
  readonly yes: boolean;
  /** Where to ask. */
  readonly prompt: Prompt;
}

/**
 * The surface of a command: `--yes` approves once; a terminal is asked; elsewhere nobody can be.
 *
 * @param output Where the question goes.
 * @param options How calls are approved.
 * @returns The surface; `undefined` where nobody can be asked.
 */
export function approvalSurface(
  output: Output,
  { yes, prompt }: ApprovalOptions,
): ApprovalSurface | undefined {
  if (yes) return () => "once";
  return prompt.isTerminal && output.interactive
    ? (request) => ask(output, prompt, request)
    : undefined;
}

/**
 * The terminal of this process.
 *
 * @returns The prompt.
 */
export function terminalPrompt(): Prompt {
  return {
    isTerminal: Deno.stdin.isTerminal(),
    readLine: async (signal) => {
      const reader = Deno.stdin.readable.getReader();
      const stop = () => void reader.cancel().catch(() => {});
      signal.addEventListener("abort", stop);
      try {
        // A terminal gives a line at a time.
        const { value } = await reader.read();
        return value === undefined ? undefined : new TextDecoder().decode(value);
      } finally {
        signal.removeEventListener("abort", stop);
        reader.releaseLock();
      }
    },
  };
}

async function ask(
  output: Output,
  prompt: Prompt,
  { name, args, grants, reasons, commands, signal }: ApprovalRequest,
): Promise<ApprovalAnswer> {
  // All of them: what is approved unseen could stand at the end.
  output.ask(
    [
      `${name} ${JSON.stringify(args)}`,
      ...reasons.map((reason) => `  ${reason}`),
      ...grants.length > 0 ? [`  It may touch: ${grants.join(" ")}`] : [],
      `  "always" holds for ${alwaysFor(commands)}, in this workspace`,
      "Run it? [y/N/always] ",
    ].join("\n"),
  );
  const answer = await prompt.readLine(signal);
  if (/^\s*always\s*$/i.test(answer ?? "")) return "always";
  return isYes(answer) ? "once" : "deny";
}

function alwaysFor(commands: ApprovalRequest["commands"]): string {
  return commands
    ? commands.map((words) => JSON.stringify(words.join(" "))).join(" and ")
    : "the same arguments";
}

/**
 * Whether a person said yes, and nothing else.
 *
 * @param line The line that was typed; `undefined` where the input ended.
 * @returns True for `y` and `yes`.
 */
export function isYes(line: string | undefined): boolean {
  return /^\s*(?:y|yes)\s*$/i.test(line ?? "");
}

/**
 * Asks whether what was shown is accepted; `--yes` says so beforehand.
 *
 * @param context What was typed, and where to print.
 * @returns The answer; no where nobody can be asked.
 */
export async function isAccepted({ output, options }: CommandContext): Promise<boolean> {
  if (options.flag("yes")) return true;
  const prompt = terminalPrompt();
  if (!prompt.isTerminal || !output.interactive) {
    output.error("Nothing was accepted, because nobody can be asked here: say --yes to accept");
    return false;
  }
  output.ask("Accept? [y/N] ");
  return isYes(await prompt.readLine(new AbortController().signal));
}
