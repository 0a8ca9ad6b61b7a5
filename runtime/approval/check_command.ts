/**
 * What is found out about a shell command before it runs outside of a container.
 * @module
 */
import { findAccident } from "./accidents.ts";
import { writeHarmless, writeRedirect } from "./harmless_command.ts";
import { parseCommand } from "./parse_command.ts";
import { type PlainCommand, quote, readCommand, Unclear } from "./read_command.ts";
import { WorkspacePaths } from "./workspace_paths.ts";

export { WorkspacePaths };

/** What is known of a command. */
export interface CheckedCommand {
  /** What it does that is refused whoever approves. */
  readonly accident?: string;
  /** The text that does the same and runs unasked; absent where a person is asked. */
  readonly harmless?: string;
  /** Why a person is asked. */
  readonly reason?: string;
  /** What an approval is remembered by, and what runs once it was; absent where only the very text counts. */
  readonly remembered?: RememberedCommand;
}

/** A command of plain words. */
export interface RememberedCommand {
  /** The words of each of its programs that is not harmless. */
  readonly words: readonly (readonly string[])[];
  /** The text that does what the words say and nothing else. */
  readonly text: string;
}

// Each program and each path is looked up.
const MAX_COMMANDS = 50;
const MAX_WORDS = 500;

/** `PATH` of a command that runs unasked: a program of the list may start another of the system. */
const SYSTEM_PATH = "PATH=/usr/bin:/bin; export PATH; ";

/**
 * Checks a command. Takes 50 ms at most.
 *
 * @param text The command.
 * @param paths Says what is in the workspace.
 * @returns What is known.
 */
export function checkCommand(text: string, paths: WorkspacePaths): CheckedCommand {
  const parsed = parseCommand(text);
  if (!parsed.ok) return { reason: parsed.reason };
  const accident = findAccident(text, parsed.script);
  if (accident !== undefined) return { accident };
  try {
    paths.assertReadable(".");
    return judge(readCommand(parsed.script), paths);
  } catch (error) {
    if (error instanceof Unclear) return { reason: error.message };
    throw error;
  }
}

/**
 * Looks for an accident in a command that runs in a container, where nothing else needs to be known.
 *
 * @param text The command.
 * @returns What it does that is refused; `undefined` when none was found.
 */
export function accidentIn(text: string): string | undefined {
  const parsed = parseCommand(text);
  return parsed.ok ? findAccident(text, parsed.script) : undefined;
}

function judge(commands: readonly PlainCommand[], paths: WorkspacePaths): CheckedCommand {
  const size = commands.reduce((sum, { words }) => sum + words.length, 0);
  if (commands.length > MAX_COMMANDS || size > MAX_WORDS) {
    return { reason: "it is too long to be judged" };
  }
  const written: string[] = [];
  const words: string[][] = [];
  let reason: string | undefined;
  for (const command of commands) {
    const { joint } = command;
    try {
      written.push(`${joint} ${writeHarmless(command, paths)}`);
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      reason ??= error.message;
      const plain = plainWords(command);
      if (plain === undefined) return { reason };
      words.push(plain);
      written.push(`${joint} ${writePlain(plain, command, paths)}`);
    }
  }
  const text = written.join(" ").trim();
  return reason === undefined
    ? { harmless: `${SYSTEM_PATH}${text}` }
    : { reason, remembered: { words, text } };
}

function plainWords({ words }: PlainCommand): string[] | undefined {
  return words.some(({ pattern, isHome }) => pattern || isHome)
    ? undefined
    : words.map(({ text }) => text);
}

// A redirect is no part of what is remembered, so that it must be harmless by itself.
function writePlain(
  words: readonly string[],
  command: PlainCommand,
  paths: WorkspacePaths,
): string {
  return [
    ...words.map(quote),
    ...command.redirects.map((redirect) => writeRedirect(redirect, paths)),
  ].join(" ");
}
