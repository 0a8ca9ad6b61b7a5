/**
 * Looking through the commands of a script, and through those inside them.
 * @module
 */
import type { DangerRule } from "./danger_rule.ts";
import type { DangerFinding } from "./danger_types.ts";
import { HARDLINE_RULES } from "./hardline_rules.ts";
import { FILE_RULES } from "./file_rules.ts";
import { codeOf, scriptsOf } from "./payloads.ts";
import { isKept, isRawDevice } from "./places.ts";
import { type ProgramCall, programCall } from "./program_call.ts";
import { RuleIndex } from "./rule_index.ts";
import { parseScript } from "./shell_parser.ts";
import type { ShellCommand, ShellVariables, ShellWord } from "./shell_types.ts";
import { VariableExpander } from "./shell_variables.ts";
import { SYSTEM_RULES } from "./system_rules.ts";
import { TOOL_RULES } from "./tool_rules.ts";
import { unwrap } from "./unwrap.ts";

const MAX_DEPTH = 8;
const MAX_WRAPPERS = 16;
const WRITING: ReadonlySet<string> = new Set([">", ">>", ">|", "<>", ">&"]);
const RULES = new RuleIndex([...HARDLINE_RULES, ...FILE_RULES, ...SYSTEM_RULES, ...TOOL_RULES]);

/** Every rule. */
export const DANGER_RULES: readonly DangerRule[] = RULES.rules;

/** Looks through one command of a tool. */
export class CommandAnalysis {
  readonly #found = new Map<string, DangerFinding>();
  readonly #variables: ShellVariables = new Map();
  readonly #rules: readonly RuleIndex[];
  #folder: string | undefined;
  #budget: number;
  #isRemote = false;
  /** Whether part of the text cannot be told for sure. */
  isUnclear = false;

  /**
   * Begins.
   *
   * @param chars How long the command is; bounds the work.
   * @param more Rules beside the usual ones.
   */
  constructor(chars: number, more?: RuleIndex) {
    this.#budget = 16 * chars + 10_000;
    this.#rules = more === undefined ? [RULES] : [RULES, more];
  }

  /** What was found. */
  get findings(): readonly DangerFinding[] {
    return [...this.#found.values()];
  }

  /**
   * Looks through a script.
   *
   * @param text The script.
   * @param hasArithmetic Whether `((` begins arithmetic.
   * @param depth How deep it is inside others.
   */
  script(text: string, hasArithmetic = true, depth = 0): void {
    this.#budget -= text.length + 1;
    if (depth > MAX_DEPTH || this.#budget < 0) {
      this.isUnclear = true;
      return;
    }
    const variables = this.#variables;
    const { commands, isUnclear } = parseScript(text, { variables, hasArithmetic });
    if (isUnclear) this.isUnclear = true;
    for (const command of commands) this.#command(command, depth);
  }

  #command(command: ShellCommand, depth: number): void {
    for (const { operator, target } of command.redirects) {
      if (WRITING.has(operator)) this.#write(target.text);
      else if (/^\/dev\/(?:tcp|udp)\//.test(target.text)) this.#connects();
    }
    for (const { text } of command.assignments) {
      if (/^(?:DOCKER_HOST|LD_PRELOAD|BASH_ENV)=./.test(text)) {
        this.#add("environment", "dangerous", "changes which code other programs load or talk to");
      }
    }
    this.#forks(command);
    this.#program(command.words, command, depth, 0);
  }

  #program(
    words: readonly ShellWord[],
    command: ShellCommand,
    depth: number,
    wrappers: number,
  ): void {
    if (words.length === 0) return;
    const call = programCall(words, command, this.#folder);
    this.#judge(call);
    this.#inside(call, words, command, depth);
    const inner = unwrap(words);
    if (!inner) return;
    if (wrappers >= MAX_WRAPPERS) {
      this.isUnclear = true;
      return;
    }
    const more = call.program === "xargs" && call.input !== undefined ? wordsOf(call.input) : [];
    this.#program([...inner.words, ...more], command, depth, wrappers + 1);
    // Once is enough: two readings of each option would double the work with every wrapper.
    if (inner.other && wrappers < 2) this.#program(inner.other, command, depth, wrappers + 1);
  }

  #judge(call: ProgramCall): void {
    if (call.program === "cd" || call.program === "pushd") this.#move(call.operands[0] ?? "~");
    for (const rules of this.#rules) {
      for (const { id, level, what } of rules.matching(call)) this.#add(id, level, what);
    }
  }

  #inside(
    call: ProgramCall,
    words: readonly ShellWord[],
    command: ShellCommand,
    depth: number,
  ): void {
    const wasRemote = this.#isRemote;
    if (call.program === "ssh") this.#isRemote = true;
    for (const { script, positional } of scriptsOf(call)) {
      if (positional) this.#position(positional);
      this.script(script, true, depth + 1);
    }
    this.#isRemote = wasRemote;
    const code = codeOf(call);
    if (code !== undefined) this.#code(code, depth);
    if (call.program === "find") this.#executed(words, command, depth);
  }

  // Texts in code that starts programs are looked at as commands.
  #code(code: string, depth: number): void {
    if (!/system|popen|subprocess|exec|spawn|`|Command|shell/i.test(code)) return;
    for (const [, double, single, back] of code.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g)) {
      this.script(double ?? single ?? back ?? "", true, depth + 1);
    }
  }

  #executed(words: readonly ShellWord[], command: ShellCommand, depth: number): void {
    let begin = -1;
    words.forEach(({ text }, index) => {
      if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) begin = index + 1;
      else if (begin >= 0 && (text === ";" || text === "+")) {
        this.#program(words.slice(begin, index), command, depth, 1);
        begin = -1;
      }
    });
    if (begin >= 0) this.#program(words.slice(begin), command, depth, 1);
  }

  #position([name = "sh", ...values]: readonly string[]): void {
    const variables = new VariableExpander(this.#variables);
    variables.set("0", name);
    variables.setPositional(values);
  }

  #move(folder: string): void {
    const isKnown = /^[~/]/.test(folder);
    if (isKnown) this.#folder = folder;
    else if (folder === "-" || this.#folder === undefined) this.#folder = undefined;
    else this.#folder = `${this.#folder}/${folder}`.slice(-1_000);
  }

  #write(path: string): void {
    if (isRawDevice(path, this.#folder)) {
      this.#add("wipe_device", "hardline", "writes over a disk or over memory");
    } else if (/^\/proc\/sysrq-trigger$/.test(path)) {
      this.#add("power", "hardline", "shuts the machine down, restarts it or puts it to sleep");
    } else if (/^\/dev\/(?:tcp|udp)\//.test(path)) this.#connects();
    else if (isKept(path, this.#folder)) {
      const what = "changes a file of the system, of a shell's start, or with credentials";
      this.#add("change_kept_file", "dangerous", what);
    }
  }

  #connects(): void {
    this.#add("remote_shell", "dangerous", "connects the shell to another machine");
  }

  #forks({ words, functions, isBackground, pipedFrom }: ShellCommand): void {
    const name = words[0]?.text;
    if (name === undefined || !functions.includes(name)) return;
    if (isBackground || pipedFrom?.words[0]?.text === name) {
      this.#add("fork_bomb", "hardline", "starts itself again and again until nothing else runs");
    }
  }

  #add(id: string, level: DangerFinding["level"], what: string): void {
    // What happens on another machine is not this one's end, yet somebody should know.
    const actual = this.#isRemote ? "dangerous" : level;
    this.#found.set(`${actual} ${id} ${what}`, Object.freeze({ id, level: actual, what }));
  }
}

function wordsOf(text: string): ShellWord[] {
  return text.split(/\s+/, 1_000).filter((word) => word !== "").map((word) => ({
    text: word,
    isPlain: false,
    isUnknown: false,
    substitutions: [],
  }));
}
