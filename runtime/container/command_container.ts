/**
 * Where shell commands run: in a container where one holds, else beside everything else.
 * @module
 */
import { UNSHARE_ARGS } from "../../workers/containment.ts";
import type { Containment } from "../../workers/containment.ts";
import { join } from "../paths.ts";
import { isBelow } from "../approval/workspace_paths.ts";
import { containerCommand } from "./container_command.ts";
import { PlaceWatch } from "./place_watch.ts";
import { probeContainer } from "./probe_container.ts";
import { protectedPlaces } from "./protected_places.ts";

/** What a container is made for. */
export interface CommandContainerOptions {
  /** The workspace, a real path. */
  readonly workspace: string;
  /** Tool roots, plugin folders, configuration and locks, absolute. */
  readonly configured: readonly string[];
  /** The data folder of the tool whose commands run in it. */
  readonly data: string;
  /** HOME of whoever runs the front. */
  readonly home: string | undefined;
  /** Whether the operator allows it at all. */
  readonly isAllowed: boolean;
  /** How programs are made to end with their cell. */
  readonly containment: () => Promise<Containment>;
}

/** Where commands run, and why not in a container. */
export type CommandMode = {
  /** What the model is told. */
  readonly told: string;
} & ({ readonly mode: "contained" } | { readonly mode: "asked"; readonly reason: string });

const TOLD_CONTAINED =
  "Commands run in a container: they can write the workspace (not tools, configuration or the hooks and configuration " +
  "of git) and a HOME of their own, see nothing else of the machine, and have no network unless `network` is true.";
const TOLD_ASKED =
  "A person approves each command first, except for plain reading ones (ls, cat, grep, find and the like) inside the " +
  "workspace, without variables or substitutions.";

/** How one command is started. */
export interface CommandStart {
  /** Program and arguments that stand before the shell's. */
  readonly prefix: readonly string[];
  /** Looks what appeared once the command has ended; absent outside of a container. */
  readonly settle?: () => Promise<readonly string[]>;
}

/** A workspace in one of these is none. */
const SYSTEM: readonly string[] = ["/boot", "/dev", "/etc", "/proc", "/run", "/sys"];
/** And none may hold one of these. */
const MORE: readonly string[] = [...SYSTEM, "/bin", "/lib", "/sbin", "/usr", "/var"];

/** Starts commands. */
export class CommandContainer {
  /** Places of the workspace that commands must not write. */
  readonly places: readonly string[];
  readonly #options: CommandContainerOptions;
  #mode: Promise<CommandMode> | undefined;
  #isNested = false;

  /**
   * Makes one; nothing is tried yet.
   *
   * @param options What it is made for.
   */
  constructor(options: CommandContainerOptions) {
    this.#options = options;
    this.places = protectedPlaces(options.workspace, options.configured);
  }

  /**
   * Finds out, once, where commands run.
   *
   * @returns Where, and why.
   */
  mode(): Promise<CommandMode> {
    return this.#mode ??= this.#find();
  }

  /**
   * Gets a container for one command ready, where {@linkcode mode} says that one holds.
   *
   * @param network Whether it has the machine's network.
   * @returns How the command is started.
   */
  contained(network: boolean): CommandStart {
    const { workspace } = this.#options;
    const home = this.#home();
    Deno.mkdirSync(home, { recursive: true, mode: 0o700 });
    const watch = new PlaceWatch(workspace, this.places);
    const prefix = containerCommand({
      workspace,
      home: Deno.realPathSync(home),
      pinned: watch.pinned,
      readOnly: watch.existing,
      isNested: this.#isNested,
      network,
    });
    return { prefix, settle: () => watch.settle() };
  }

  /**
   * How a command is started outside of a container: what it starts ends with it, where that can be had.
   *
   * @returns How.
   */
  async uncontained(): Promise<CommandStart> {
    if (await this.#options.containment() !== "namespace") return { prefix: [] };
    // The shell must not be the namespace's first process, which no signal ends.
    return { prefix: ["unshare", ...UNSHARE_ARGS, "sh", "-c", '"$@"; exit $?', "sh"] };
  }

  async #find(): Promise<CommandMode> {
    const { isAllowed, containment, data } = this.#options;
    if (!isAllowed) return asked("the configuration turns it off (approval.containCommands)");
    const place = this.#placeFault();
    if (place !== undefined) return asked(place);
    this.#isNested = await containment() === "namespace";
    const fault = await probeContainer({ folder: data, isNested: this.#isNested });
    return fault === undefined ? { mode: "contained", told: TOLD_CONTAINED } : asked(fault);
  }

  #placeFault(): string | undefined {
    const { workspace, home, data } = this.#options;
    if (home && isBelow(home, workspace)) return "the workspace holds the home folder";
    if (isBelow(data, workspace)) return "the workspace holds the cache folder";
    const system = SYSTEM.find((path) => isBelow(workspace, path)) ??
      MORE.find((path) => isBelow(path, workspace));
    return system && `the workspace holds, or is in, the system folder ${system}`;
  }

  #home(): string {
    return join(this.#options.data, "home");
  }
}

function asked(reason: string): CommandMode {
  return { mode: "asked", reason, told: TOLD_ASKED };
}
