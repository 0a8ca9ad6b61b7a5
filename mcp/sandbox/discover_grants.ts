/**
 * Finding the smallest grants with which a server works, from what Deno itself writes down about it.
 * @module
 */
import type { Permissions } from "../../core/permissions.ts";
import type { HostEnvironment } from "../../runtime/host_environment.ts";
import { AuditFile } from "./audit_file.ts";
import { type Judgement, judgeWant, withGrants } from "./judge_want.ts";
import { npmLaunch, refuseUnsafeNames } from "./npm_launch.ts";
import { type NpmLaunch, planServer } from "./plan_server.ts";
import type { ServerPlaces } from "./server_places.ts";
import { ServerRefused } from "./server_refused.ts";
import { findWants } from "./wants.ts";

/** How often a server is started at most. */
export const MAX_ROUNDS = 10;
const ROUND_MS = 30_000;

/** What discovery works with. */
export interface DiscoverOptions {
  /** The server's name. */
  readonly server: string;
  /** The package, its arguments and variables, and what is granted already. */
  readonly launch: NpmLaunch;
  /** The command that starts Deno. */
  readonly deno: string;
  /** The server's folders. */
  readonly places: ServerPlaces;
  /** Reads variables of the operator. */
  readonly environment: HostEnvironment;
  /** Hears of each start. */
  readonly onRound?: (round: number) => void;
  /** Deadline of each start in milliseconds. @default {30_000} */
  readonly roundMs?: number;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

/** A grant that was found. */
export interface FoundGrant extends Judgement {
  /** Whether the server gave no list of tools without it, or it is not known. */
  readonly isNeeded: boolean;
}

/** What discovery found. */
export interface Discovery {
  /** Everything that is granted: what was before, and what is harmless. */
  readonly granted: Permissions;
  /** The harmless ones that were added, with why. */
  readonly added: readonly FoundGrant[];
  /** What somebody must decide; none of it is granted. */
  readonly questions: readonly FoundGrant[];
  /** The names of the server's tools; absent when it gave no list. */
  readonly tools?: readonly string[];
  /** Why it gave none. */
  readonly failure?: string;
  /** How often it was started. */
  readonly rounds: number;
}

/**
 * Starts a server with what is granted already, again and again: after each time what it asked for and was refused is
 * looked up in Deno's audit file, never in what the server prints, and what is harmless is added. Ends when nothing
 * harmless is left to add.
 *
 * @param options The server.
 * @returns What was found.
 * @throws {ServerRefused} If the server could write to the audit file, or its entry asks for what cannot be granted.
 */
export async function discoverGrants(options: DiscoverOptions): Promise<Discovery> {
  const added: FoundGrant[] = [...ownFolders(options.launch)];
  let granted = withGrants(options.launch.permissions, added);
  for (let round = 1;; round++) {
    options.signal?.throwIfAborted();
    options.onRound?.(round);
    const { tools, failure, judgements } = await tryOnce(options, granted);
    // A variable that is not granted looks as if it were not set, which no package fails for.
    const found = judgements.map((judgement) => ({
      ...judgement,
      isNeeded: tools === undefined && judgement.kind !== "env",
    }));
    const harmless = found.filter(({ isQuestion }) => !isQuestion);
    if (harmless.length === 0 || round === MAX_ROUNDS) {
      return {
        granted,
        added,
        questions: found.filter(({ isQuestion }) => isQuestion),
        ...(tools === undefined ? {} : { tools }),
        ...(failure === undefined ? {} : { failure }),
        rounds: round,
      };
    }
    granted = withGrants(granted, harmless);
    added.push(...harmless);
  }
}

/** Folders of its own that its arguments or variables name. */
function ownFolders({ args, env }: NpmLaunch): readonly FoundGrant[] {
  const texts = [...args, ...Object.values(env)];
  return ["$DATA", "$TMP"].filter((variable) => texts.some((text) => text.startsWith(variable)))
    .flatMap((grant) =>
      (["read", "write"] as const).map((kind) => ({
        kind,
        grant,
        reason: "a folder of its own, named in its arguments or variables",
        isQuestion: false,
        isNeeded: false,
      }))
    );
}

interface Round {
  readonly tools?: readonly string[];
  readonly failure?: string;
  readonly judgements: readonly Judgement[];
}

async function tryOnce(options: DiscoverOptions, permissions: Permissions): Promise<Round> {
  const { server, deno, places, environment, signal, roundMs = ROUND_MS } = options;
  const launch = { ...options.launch, permissions };
  const plan = planServer(launch, { server, origin: "config", places, path: environment("PATH") });
  await refuseUnsafeNames(server, { deno, plan, environment });
  await using audit = await AuditFile.create(places.audit, plan.grants);
  if (audit === undefined) {
    throw new ServerRefused(server, [
      "its grants let it write to the file that says what it touches, or start programs that nothing holds: " +
      "grant these by hand, in the configuration",
    ]);
  }
  const command = npmLaunch(launch, { deno, plan, places, environment, auditFile: audit.path });
  const { driveServer } = await import("./drive_server.ts");
  const result = await driveServer(command, {
    timeoutMs: roundMs,
    ...(signal === undefined ? {} : { signal }),
  });
  const texts = [...launch.args, ...Object.values(launch.env)];
  const wants = findWants(await audit.read(), plan.grants, places.neutral);
  return {
    ...result,
    judgements: distinct(wants.map((want) => judgeWant(want, { places, texts }))),
  };
}

// Several wants may come to one grant.
function distinct(judgements: readonly (Judgement | undefined)[]): readonly Judgement[] {
  const known = judgements.filter((judgement) => judgement !== undefined);
  return [
    ...new Map(known.map((judgement) => [`${judgement.kind} ${judgement.grant}`, judgement]))
      .values(),
  ];
}
