/**
 * The floor under shell commands: what never runs, and what a person must approve.
 * @module
 */
import { CommandAnalysis } from "./command_analysis.ts";
import { readingsOf, withoutQuotes } from "./command_text.ts";
import type { DangerFinding } from "./danger_types.ts";
import type { RuleIndex } from "./rule_index.ts";

const UNCLEAR: DangerFinding = Object.freeze({
  id: "unclear",
  level: "dangerous",
  what: "is written so that it cannot be told what it does",
});

/**
 * Looks for what may do damage in a shell command. Sees through quotes, variables that the command sets itself,
 * wrappers such as `sudo`, and scripts inside such as that of `sh -c`. Prose in quotes is not taken for a command.
 *
 * It is a floor against accidents and against the usual tricks, not a boundary: what a command may touch is decided by
 * the tool's grants. Its time grows with the length of the text. It never throws.
 *
 * @param command The command, as it is handed to a shell.
 * @returns What was found, the worst first; empty when nothing was.
 */
export function findDangers(command: string): readonly DangerFinding[] {
  return findDangersWith(command, undefined);
}

/**
 * Does what {@linkcode findDangers} does, with more rules.
 *
 * @param command The command, as it is handed to a shell.
 * @param more Rules beside the usual ones.
 * @returns What was found, the worst first; empty when nothing was.
 */
export function findDangersWith(
  command: string,
  more: RuleIndex | undefined,
): readonly DangerFinding[] {
  const all = readingsOf(command).flatMap((text) => [...lookThrough(text, more)]);
  const found = [...new Map(all.map((finding) => [JSON.stringify(finding), finding])).values()];
  return found.sort((a, b) => Number(b.level === "hardline") - Number(a.level === "hardline"));
}

function lookThrough(text: string, more: RuleIndex | undefined): readonly DangerFinding[] {
  const { findings, isUnclear } = analyse(text, true, more);
  // "((" may be two subshells after all, in which comments and here-documents hide what arithmetic does not.
  const others = text.includes("((") && /<<|#/.test(text)
    ? analyse(text, false, more).findings
    : [];
  const rest = isUnclear ? [UNCLEAR, ...analyse(withoutQuotes(text), true, more).findings] : [];
  return [...findings, ...others, ...rest];
}

function analyse(
  text: string,
  hasArithmetic: boolean,
  more: RuleIndex | undefined,
): CommandAnalysis {
  const analysis = new CommandAnalysis(text.length, more);
  analysis.script(text, hasArithmetic);
  return analysis;
}
