/**
 * Starting the process of a server, again and again over the life of a runtime.
 * @module
 */
import type { ProtectedPlaces } from "../../runtime/protected_places.ts";
import type { Ceiling } from "../../runtime/grants/mod.ts";
import type { HostEnvironment } from "../../runtime/host_environment.ts";
import type { StdioLaunch } from "../client/connection_services.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import { AuditFile } from "./audit_file.ts";
import { childEnvironment } from "./child_env.ts";
import { type Judgement, OF_A_PACKAGE } from "./judge_want.ts";
import { npmLaunch, refuseUnsafeNames } from "./npm_launch.ts";
import { type NpmLaunch, planServer } from "./plan_server.ts";
import { refuseCommand } from "./refuse_command.ts";
import { restoreLock } from "./prepare_package.ts";
import { type ServerPlaces, serverPlaces } from "./server_places.ts";
import { ServerRefused } from "./server_refused.ts";
import { DenialWatch, describeProposal } from "./watch_denials.ts";

/** What starting servers works with. */
export interface ServerLauncherOptions {
  /** The command that starts Deno; absent where no process may be started. */
  readonly deno?: string;
  /** The folder for what is kept between runs, absolute. */
  readonly cacheDir: string;
  /** What `$WORKSPACE` stands for, absolute; unsandboxed servers start there. */
  readonly workspace: string;
  /** Reads variables of the operator. */
  readonly environment: HostEnvironment;
  /** The operator's ceilings for the server. @default {none} */
  readonly ceilings?: readonly Ceiling[];
  /** Where nobody writes. @default {nowhere} */
  readonly protectedPlaces?: ProtectedPlaces;
  /** Takes what there is to say, a line each. Must not throw. */
  readonly log: (level: "info" | "warning", message: string) => void;
  /** Hears what the server asked for and was not given, each once. Must not throw. */
  readonly onProposal?: (proposal: Judgement) => void;
}

/** Says how to start one server's process. */
export class ServerLauncher implements AsyncDisposable {
  readonly #spec: McpServerSpec;
  readonly #options: ServerLauncherOptions;
  readonly #proposed = new Map<string, Judgement>();
  readonly #known = new Set<string>();
  #watch: DenialWatch | undefined;

  /**
   * Takes a server; nothing is started.
   *
   * @param spec The server; not one of the network.
   * @param options What starting works with.
   */
  constructor(spec: McpServerSpec, options: ServerLauncherOptions) {
    this.#spec = spec;
    this.#options = options;
  }

  /**
   * Says how to start the process; to be called before each start.
   *
   * @returns The program, its arguments, its whole environment, the folder it starts in.
   * @throws {ServerRefused} If it must not be started.
   */
  async launch(): Promise<StdioLaunch> {
    const { name, launch } = this.#spec;
    if (launch.kind === "http") throw new RangeError(`MCP server "${name}" has no process`);
    if (launch.kind === "npm") return await this.#sandboxed(launch);
    const { workspace, environment } = this.#options;
    const reasons = refuseCommand(launch.command, launch.args);
    if (reasons.length > 0) throw new ServerRefused(name, reasons);
    return {
      command: launch.command,
      args: launch.args,
      env: childEnvironment(launch.env, environment),
      cwd: launch.cwd ?? workspace,
    };
  }

  /**
   * What the server asked for so far and was not given.
   *
   * @returns The proposals, in the order of the first time.
   */
  async proposals(): Promise<readonly Judgement[]> {
    await this.#watch?.look();
    return [...this.#proposed.values()];
  }

  /** Looks a last time at what the server asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.[Symbol.asyncDispose]();
  }

  async #sandboxed(launch: NpmLaunch): Promise<StdioLaunch> {
    const { name, origin } = this.#spec;
    const { deno, environment, ceilings = [], log } = this.#options;
    if (deno === undefined) {
      throw new ServerRefused(name, ["this process may not start Deno (--allow-run=deno)"]);
    }
    const places = serverPlaces({ server: name, ...this.#options });
    const path = environment("PATH");
    const plan = planServer(launch, {
      server: name,
      origin,
      places,
      ceilings,
      protectedPlaces: this.#options.protectedPlaces,
      path,
    });
    await refuseUnsafeNames(name, { deno, plan, environment });
    for (const cut of plan.cut) log("warning", cut);
    for (const program of plan.missing) log("warning", `the program "${program}" is not installed`);
    // It lies in the cache folder, which may be emptied at any time.
    if (await restoreLock(launch.package, { deno, places })) {
      log("info", `the lock file of "${launch.package}" was gone; Deno's cache gave it again`);
    }
    const auditFile = await this.#startWatch(launch, places, plan.grants);
    return npmLaunch(launch, {
      deno,
      plan,
      places,
      environment,
      ...(auditFile === undefined ? {} : { auditFile }),
    });
  }

  async #startWatch(
    launch: NpmLaunch,
    places: ServerPlaces,
    grants: ReturnType<typeof planServer>["grants"],
  ): Promise<string | undefined> {
    await this[Symbol.asyncDispose]();
    const audit = await AuditFile.create(places.audit, grants);
    if (audit === undefined) return undefined;
    this.#watch = new DenialWatch({
      audit,
      grants,
      context: { places, texts: [...launch.args, ...Object.values(launch.env)] },
      known: this.#known,
      onProposal: (proposal) => this.#propose(proposal),
    });
    return audit.path;
  }

  #propose(proposal: Judgement): void {
    this.#proposed.set(`${proposal.kind} ${proposal.grant}`, proposal);
    const level = proposal.reason === OF_A_PACKAGE ? "info" : "warning";
    this.#options.log(level, describeProposal(this.#spec.name, proposal));
    this.#options.onProposal?.(proposal);
  }
}
