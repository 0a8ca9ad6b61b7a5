/**
 * `cloister mcp add`: writes an MCP server into the configuration, a package of npm with the smallest grants.
 * @module
 */
import type { JsonObject } from "../core/json.ts";
import { neutralise } from "../core/neutralise.ts";
import { type ConfigFile, readConfigFile, writeServer } from "../mcp/config/edit_config.ts";
import { refuseCommand } from "../mcp/sandbox/refuse_command.ts";
import { isYes, type Prompt, terminalPrompt } from "./approval.ts";
import { type CommandContext, EXIT } from "./command.ts";
import { shortPath } from "./diagnostics.ts";
import { watchInterrupt } from "./interrupt.ts";
import { addPackage } from "./mcp_add_package.ts";
import { type AddTarget, configPath, readTarget } from "./mcp_add_target.ts";

/** What adding found out, before anything is written. */
export interface AddPlan {
  /** The entry to write. */
  readonly entry: JsonObject;
  /** More for `--json`. */
  readonly facts: JsonObject;
  /** Whether the server was seen to work, or was not tried. */
  readonly works: boolean;
}

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @param args What stands behind `add`.
 * @param prompt Where a person is asked. @default {the terminal}
 * @returns The exit code: 1 when nothing was written, or a server was that did not work.
 * @throws {UsageError} If what was typed makes no sense.
 * @throws {Error} If the name is taken, the package cannot be got, or the configuration cannot be changed.
 */
export async function runAdd(
  context: CommandContext,
  args: readonly string[],
  prompt: Prompt = terminalPrompt(),
): Promise<number> {
  const target = readTarget(context, args);
  const file = await readConfigFile(configPath(context));
  refuseTaken(file, target.name, context);
  using interrupt = watchInterrupt();
  const { signal } = interrupt;
  const asker = new Asker(context, prompt, signal);
  const plan = target.kind === "npm"
    ? await addPackage(context, target, asker, signal)
    : addOther(context, target);
  const isWanted = await asker.confirm(target.name, plan.works);
  if (isWanted) await writeServer(file, target.name, plan.entry);
  report(context, file, target.name, plan, isWanted);
  return isWanted && plan.works ? EXIT.ok : EXIT.failed;
}

/** Asks the person, where there is one. */
export class Asker {
  readonly #context: CommandContext;
  readonly #prompt: Prompt;
  readonly #signal: AbortSignal;

  /**
   * Makes it.
   *
   * @param context Where to ask.
   * @param prompt Where answers come from.
   * @param signal Gives up.
   */
  constructor(context: CommandContext, prompt: Prompt, signal: AbortSignal) {
    this.#context = context;
    this.#prompt = prompt;
    this.#signal = signal;
  }

  /** Whether questions are asked: a person is there, and did not say yes to everything harmless. */
  get asks(): boolean {
    const { options, output } = this.#context;
    return !options.flag("yes") && this.#prompt.isTerminal && output.interactive;
  }

  /**
   * Asks a question.
   *
   * @param question The question; may be foreign.
   * @returns True for a plain yes.
   */
  async ask(question: string): Promise<boolean> {
    this.#context.output.ask(`${question} [y/N] `);
    const answer = await this.#prompt.readLine(this.#signal);
    this.#signal.throwIfAborted();
    return isYes(answer);
  }

  /**
   * Whether the entry is to be written.
   *
   * @param name The server.
   * @param works Whether it was seen to work.
   * @returns True when somebody said so.
   */
  async confirm(name: string, works: boolean): Promise<boolean> {
    if (this.#context.options.flag("yes")) return true;
    if (!this.asks) return false;
    return await this.ask(
      `Write the server "${name}"${works ? "" : ", although it did not work"}?`,
    );
  }
}

function refuseTaken({ servers, path }: ConfigFile, name: string, context: CommandContext): void {
  if (!Object.hasOwn(servers, name) || context.options.flag("force")) return;
  throw new Error(
    `Cannot add MCP server "${name}": "${path}" has one of that name; --force replaces it`,
  );
}

function addOther(
  { output }: CommandContext,
  { name, kind, target, args, env }: AddTarget,
): AddPlan {
  if (kind === "http") {
    output.info(`${name} is a remote server: what its tools are given leaves this machine.`);
    return { entry: { type: "http", url: target }, facts: { containment: "remote" }, works: true };
  }
  const reasons = refuseCommand(target, args);
  if (reasons.length > 0) {
    throw new Error(`Cannot add MCP server "${name}": ${reasons.join("; ")}`);
  }
  output.warn(
    `${name} runs unsandboxed: "${target}" may do everything that you may do. A package of npm can be held: ` +
      `cloister mcp add ${name} npm:PACKAGE`,
  );
  return {
    entry: {
      command: target,
      ...(args.length === 0 ? {} : { args: [...args] }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
    },
    facts: { containment: "unsandboxed" },
    works: true,
  };
}

function report(
  { output, environment }: CommandContext,
  file: ConfigFile,
  name: string,
  { entry, facts }: AddPlan,
  written: boolean,
): void {
  const path = shortPath(file.path, environment.cwd);
  if (output.json) output.value({ server: name, path: file.path, written, entry, ...facts });
  else if (written) output.line(`Wrote the server ${name} to ${path}`);
  else output.line(`Nothing was written to ${path}. The entry would be:\n${shown(entry)}`);
  if (!written) output.info("Say --yes to write it without a terminal.");
}

function shown(entry: JsonObject): string {
  return neutralise(JSON.stringify(entry, undefined, 2));
}
