/**
 * Shell commands before they run: contained, or asked about.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { CommandContainer } from "../container/command_container.ts";
import { resolve } from "../paths.ts";
import type { CheckedCommand } from "./check_command.ts";
import { commandOf, readsPosix, startsContained } from "./shell_tools.ts";

/** How a tool starts the command of one call. */
export interface CommandLaunch {
  /** Program and arguments that stand before its shell's. */
  readonly prefix?: readonly string[];
  /** The command that takes the place of the call's. */
  readonly command?: JsonValue;
  /** Says what a command in a container left where it must not, once it has ended. */
  readonly settle?: () => Promise<readonly string[]>;
}

/** What is decided about a command. */
export interface CommandVerdict {
  /** What it does that is refused whoever approves. */
  readonly accident?: string;
  /** Why a person is asked; absent where it runs unasked. */
  readonly reason?: string;
  /** Words of programs that an approval is remembered by. */
  readonly words?: readonly (readonly string[])[];
  /** Gets it ready; told whether the words were approved, and not the text. */
  readonly launch: (byWords: boolean) => Promise<CommandLaunch>;
}

const NETWORK =
  "The command asks for the network: the internet, and what listens on this machine's own addresses";

/** Decides about commands. */
export class CommandGate {
  readonly #workspace: string;
  readonly #container: () => Promise<CommandContainer>;

  /**
   * Makes a gate.
   *
   * @param workspace The workspace, a real path.
   * @param container Gives where commands run.
   */
  constructor(workspace: string, container: () => Promise<CommandContainer>) {
    this.#workspace = workspace;
    this.#container = container;
  }

  /**
   * Decides about a call of a tool that runs commands.
   *
   * @param entry The tool.
   * @param args The call's arguments, checked.
   * @returns What is decided; `undefined` where the call has no command.
   */
  async check(entry: ToolEntry, args: JsonObject): Promise<CommandVerdict | undefined> {
    const command = commandOf(args);
    if (command === undefined) return undefined;
    const isOwn = startsContained(entry);
    const network = isOwn && args.network === true;
    // Loaded with the first command, as is the container: most programs never call a shell.
    const { accidentIn, checkCommand, WorkspacePaths } = await import("./check_command.ts");
    const container = await this.#container();
    const mode = isOwn ? await container.mode() : undefined;
    if (mode?.mode === "contained") {
      return {
        accident: accidentIn(command),
        ...(network ? { reason: NETWORK } : {}),
        launch: () => Promise.resolve(container.contained(network)),
      };
    }
    const folder = typeof args.workdir === "string" ? args.workdir : ".";
    const paths = new WorkspacePaths(
      this.#workspace,
      resolve(this.#workspace, folder),
      container.places,
    );
    const read: CheckedCommand = checkCommand(command, paths);
    const checked: CheckedCommand = readsPosix(entry)
      ? read
      : { accident: read.accident, reason: "the shell of this tool is not one that can be read" };
    const reason = network ? NETWORK : reasonOf(checked);
    return {
      accident: checked.accident,
      ...(reason === undefined ? {} : { reason }),
      words: network ? undefined : checked.remembered?.words,
      launch: async (byWords) => ({
        ...(isOwn ? await container.uncontained() : {}),
        ...rewritten(
          args,
          reason === undefined ? checked.harmless : byWords ? checked.remembered?.text : undefined,
        ),
      }),
    };
  }
}

function reasonOf({ harmless, reason }: CheckedCommand): string | undefined {
  return harmless === undefined
    ? `The command may do whatever you may: ${reason ?? "it cannot be told what it does"}`
    : undefined;
}

// A list of words is started without a shell: there is nothing to rewrite.
function rewritten(args: JsonObject, text: string | undefined): Pick<CommandLaunch, "command"> {
  return text === undefined || typeof args.command !== "string" ? {} : { command: text };
}
