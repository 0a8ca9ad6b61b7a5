/**
 * Commands inside the arguments and the input of other commands.
 * @module
 */
import type { ProgramCall } from "./program_call.ts";

/** Programs that run their input, or an argument, as a script. */
export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh ash mksh fish csh tcsh rbash".split(" "),
);
const WITH_COMMAND: ReadonlySet<string> = new Set(
  "su runuser script flock sg machinectl".split(" "),
);
const JOINED: ReadonlySet<string> = new Set("eval watch parallel".split(" "));
const READ_INPUT: ReadonlySet<string> = new Set("at batch ssh su".split(" "));
const VALUED_SHELL_OPTIONS: ReadonlySet<string> = new Set(
  "-o +o -O +O --rcfile --init-file".split(" "),
);
const SSH_VALUED = "bcDEeFIiJLlmOopQRSWw";
/** Interpreters of other languages, by the option that takes code. */
const CODE_OPTION: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(?:python|pypy)[0-9.]*$/, /^-[a-zA-Z]*c$/],
  [/^(?:perl|ruby)[0-9.]*$/, /^-[a-zA-Z0-9]*[eE]$/],
  [/^(?:node|nodejs|bun)$/, /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^deno$/, /^eval$/],
  [/^(?:php[0-9.]*|lua[0-9.]*|osascript|rscript)$/, /^-[er]$/],
  [/^(?:g|m|n)?awk$/, /^[^-]/],
];

/** A script inside a command. */
export interface Payload {
  /** The script. */
  readonly script: string;
  /** What its `$0`, `$1` … are. */
  readonly positional?: readonly string[];
}

/**
 * Scripts that a call hands to a shell.
 *
 * @param call The call.
 * @returns The scripts.
 */
export function scriptsOf(call: ProgramCall): readonly Payload[] {
  const { program, args } = call;
  if (SHELLS.has(program)) return shellScripts(call);
  if (JOINED.has(program)) return [{ script: args.join(" ") }];
  if (program === "trap") return [{ script: args.find((arg) => arg !== "--") ?? "" }];
  if (program === "ssh") return [{ script: remoteCommand(args) }, ...inputScript(call)];
  if (WITH_COMMAND.has(program)) return [...commandOption(args), ...inputScript(call)];
  if (program === "env") return splitString(args);
  if (program === "cmd") return afterOption(args, /^\/[ck]$/i);
  if (program === "powershell" || program === "pwsh") return afterOption(args, /^-c(?:ommand)?$/i);
  return inputScript(call);
}

/**
 * Code of another language that a call hands to its interpreter.
 *
 * @param call The call.
 * @returns The code; `undefined` when there is none.
 */
export function codeOf({ program, args, input }: ProgramCall): string | undefined {
  const known = CODE_OPTION.find(([pattern]) => pattern.test(program));
  if (!known) return undefined;
  const index = args.findIndex((arg) => known[1].test(arg));
  if (index >= 0) return args.slice(index).join("\n");
  return args.every((arg) => arg === "-") ? input : undefined;
}

/**
 * Whether a shell runs what it reads.
 *
 * @param call The call.
 * @returns True when it is given no script.
 */
export function readsScript({ program, args, has }: ProgramCall): boolean {
  if (!SHELLS.has(program) || findCommand(args) >= 0) return false;
  const operands = args.filter((arg, index) =>
    !/^[-+]./.test(arg) && !VALUED_SHELL_OPTIONS.has(args[index - 1] ?? "")
  );
  return has("s") || operands.length === 0 || operands[0] === "-" || operands[0] === "/dev/stdin";
}

function shellScripts(call: ProgramCall): Payload[] {
  const index = findCommand(call.args);
  if (index < 0) return readsScript(call) ? inputPayload(call) : [];
  const [script = "", ...positional] = call.args.slice(index);
  return [{ script, positional }];
}

// Options may stand between "-c" and the script.
function findCommand(args: readonly string[]): number {
  let isCommand = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    if (VALUED_SHELL_OPTIONS.has(arg)) index++;
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(arg)) isCommand = true;
    else if (!/^[-+]/.test(arg)) return isCommand ? index : -1;
    else if (arg === "--" || arg === "-") return isCommand ? index + 1 : -1;
  }
  return -1;
}

function remoteCommand(args: readonly string[]): string {
  let at = 0;
  while (at < args.length && args[at]!.startsWith("-")) {
    const takes = args[at]!.length === 2 && SSH_VALUED.includes(args[at]![1]!);
    at += takes ? 2 : 1;
  }
  return args.slice(at + 1).join(" ");
}

function commandOption(args: readonly string[]): Payload[] {
  return args.flatMap((arg, index) => {
    if (/^(?:-[a-zA-Z]*c|--(?:session-)?command)$/.test(arg)) {
      return [{ script: args[index + 1] ?? "" }];
    }
    return arg.startsWith("--command=") ? [{ script: arg.slice(10) }] : [];
  });
}

function splitString(args: readonly string[]): Payload[] {
  const index = args.findIndex((arg) => /^(?:-[a-zA-Z]*S|--split-string)/.test(arg));
  if (index < 0) return [];
  const first = args[index]!.replace(/^(?:-[a-zA-Z]*S|--split-string=?)/, "");
  return [{ script: [first, ...args.slice(index + 1)].join(" ") }];
}

function afterOption(args: readonly string[], option: RegExp): Payload[] {
  const index = args.findIndex((arg) => option.test(arg));
  return index < 0 ? [] : [{ script: args.slice(index + 1).join(" ") }];
}

function inputScript(call: ProgramCall): Payload[] {
  return READ_INPUT.has(call.program) ? inputPayload(call) : [];
}

function inputPayload({ input }: ProgramCall): Payload[] {
  return input === undefined ? [] : [{ script: input }];
}
