/**
 * The command line of a package under Deno's permissions.
 * @module
 */
import { denoFlags } from "../../runtime/grants/mod.ts";
import type { HostEnvironment } from "../../runtime/host_environment.ts";
import type { StdioLaunch } from "../client/connection_services.ts";
import type { NpmLaunch, ServerPlan } from "./plan_server.ts";
import { hasNames, NAMES_UNSAFE, RESOLVER_ENV } from "../../core/host_names.ts";
import { areNamesSafe } from "../../workers/resolver_probe.ts";
import { ServerRefused } from "./server_refused.ts";
import { expandPlace, lockFile, type ServerPlaces } from "./server_places.ts";

/** What the command line needs beside the launch. */
export interface NpmLaunchOptions {
  /** The command that starts Deno. */
  readonly deno: string;
  /** What the server gets. */
  readonly plan: Pick<ServerPlan, "grants" | "denyNet"> & Partial<Pick<ServerPlan, "denyPaths">>;
  /** Its folders. */
  readonly places: ServerPlaces;
  /** Reads variables of the operator. */
  readonly environment: HostEnvironment;
  /** Where Deno writes down what the server touches. */
  readonly auditFile?: string;
}

/** What Deno needs to run at all on Windows. */
const WINDOWS_VARIABLES: readonly string[] = ["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR"];

/**
 * Makes the command line: nothing is granted but what the plan says, nothing is downloaded, no configuration is looked
 * for, and the environment holds what Deno itself needs and what is configured.
 *
 * Reading a variable that is not granted gives `undefined` instead of an error (`--ignore-env`): in an environment
 * that was cleared this is the truth, and packages that look through all variables go on.
 *
 * @param launch The package.
 * @param options What it gets, and where it is.
 * @returns The program, its arguments, its whole environment, the folder it starts in.
 */
export function npmLaunch(launch: NpmLaunch, options: NpmLaunchOptions): StdioLaunch {
  const { deno, plan, places } = options;
  return {
    command: deno,
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-config",
      "--cached-only",
      "--deny-import",
      "--ignore-env",
      ...lockFlags(lockFile(places, launch.package)),
      ...denoFlags(plan.grants, plan.denyNet),
      ...denyFlags(plan.denyPaths),
      `npm:${launch.package}`,
      ...launch.args.map((arg) => expandPlace(arg, places)),
    ],
    env: environmentOf(launch, options),
    cwd: places.neutral,
  };
}

/**
 * Looks whether hosts may be granted by name on this machine, where the plan does.
 *
 * @param server The server's name.
 * @param options The command that starts Deno, what the server gets, and the environment.
 * @throws {ServerRefused} If they may not.
 */
export async function refuseUnsafeNames(
  server: string,
  { deno, plan, environment }: Pick<NpmLaunchOptions, "deno" | "plan" | "environment">,
): Promise<void> {
  if (!hasNames(plan.grants.net) || await areNamesSafe(deno, environment("PATH") ?? "")) return;
  throw new ServerRefused(server, [NAMES_UNSAFE]);
}

// Without a lock file the package was prepared by other means, and its dependencies are those in Deno's cache.
function lockFlags(file: string): string[] {
  return exists(file) ? [`--lock=${file}`, "--frozen"] : ["--no-lock"];
}

// The operator's own paths: what cannot be taken away as a flag must not be granted either.
function denyFlags(paths: ServerPlan["denyPaths"] = { read: [], write: [] }): string[] {
  return (["read", "write"] as const).filter((kind) => paths[kind].length > 0)
    .map((kind) => `--deny-${kind}=${paths[kind].join(",")}`);
}

function environmentOf(
  launch: NpmLaunch,
  { plan, places, environment, auditFile }: NpmLaunchOptions,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {
    ...RESOLVER_ENV,
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
  };
  const copy = (name: string): void => {
    const value = environment(name);
    if (value !== undefined) env[name] = value;
  };
  if (Deno.build.os === "windows") WINDOWS_VARIABLES.forEach(copy);
  if (places.deno !== undefined) env.DENO_DIR = places.deno;
  // Deno keeps packages by the registry that they came from.
  copy("NPM_CONFIG_REGISTRY");
  // Programs are found by their names only where some may be started.
  if (plan.grants.run.length > 0) copy("PATH");
  if (auditFile !== undefined) env.DENO_AUDIT_PERMISSIONS = auditFile;
  for (const [name, value] of Object.entries(launch.env)) env[name] = expandPlace(value, places);
  return env;
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
