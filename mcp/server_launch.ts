/**
 * How the servers of a runtime are started.
 * @module
 */
import type { Permissions } from "../core/permissions.ts";
import { readPermissions } from "../registry/permission_fields.ts";
import type { ExtensionHost } from "../runtime/extension.ts";
import type { GrantPlan } from "../runtime/grants/mod.ts";
import type { StdioLaunch } from "./client/connection_services.ts";
import type { McpServerSpec, ServerLaunch } from "./config/server_config.ts";
import { childEnvironment } from "./sandbox/child_env.ts";
import { npmLaunch } from "./sandbox/npm_launch.ts";
import { type NpmLaunch, planServer, serverCeilings } from "./sandbox/plan_server.ts";
import { refuseCommand } from "./sandbox/refuse_command.ts";
import { type ServerPlaces, serverPlaces } from "./sandbox/server_places.ts";
import { ServerRefused } from "./sandbox/server_refused.ts";

/**
 * Works out how a server is started, each time that it is: files and programs may have changed.
 *
 * @param spec The server.
 * @param host What the runtime lends.
 * @returns Its command line and its whole environment.
 * @throws {ServerRefused} If its entry asks for what cannot be granted, or its command is no server's.
 * @throws {Error} If no process may be started here, or its folders cannot be made.
 */
export function launchOf(
  { name, launch, origin }: McpServerSpec,
  host: ExtensionHost,
): StdioLaunch {
  switch (launch.kind) {
    case "npm":
      return packageLaunch(launch, { name, origin }, host);
    case "command":
      return commandLaunch(launch, name, host);
    case "http":
      throw new TypeError(`Cannot start MCP server "${name}": it is reached by its address`);
    default:
      return launch satisfies never;
  }
}

/**
 * What a sandboxed server may touch, after the operator's ceilings, for people to see.
 *
 * @param spec The server.
 * @param host What the runtime lends.
 * @returns Its permissions; `undefined` for a server that nothing holds, or that cannot be started.
 */
export function shownPermissions(
  { name, launch, origin }: McpServerSpec,
  host: ExtensionHost,
): Permissions | undefined {
  if (launch.kind !== "npm") return undefined;
  try {
    const { grants } = planOf(launch, { name, origin }, host).plan;
    const lists = Object.entries(grants).filter(([, list]) => list.length > 0);
    return readPermissions(Object.fromEntries(lists), { type: "object" }, "");
  } catch {
    // Its start tells why.
    return undefined;
  }
}

type Named = Pick<McpServerSpec, "name" | "origin">;

function packageLaunch(launch: NpmLaunch, named: Named, host: ExtensionHost): StdioLaunch {
  const { deno, environment } = host;
  if (deno === undefined) {
    throw new Error(
      `Cannot start MCP server "${named.name}": no process may be started here (grant --allow-run=deno)`,
    );
  }
  const { plan, places } = planOf(launch, named, host);
  return npmLaunch(launch, { deno, plan, places, environment });
}

function planOf(
  launch: NpmLaunch,
  { name, origin }: Named,
  { cacheDir, runtime, environment, config }: ExtensionHost,
): { readonly plan: GrantPlan; readonly places: ServerPlaces } {
  const { workspace } = runtime;
  const places = serverPlaces({ server: name, cacheDir, workspace, environment });
  const plan = planServer(launch, {
    server: name,
    origin,
    places,
    ceilings: serverCeilings(config, { name, origin }),
    path: environment("PATH"),
  });
  return { plan, places };
}

function commandLaunch(
  { command, args, env, cwd }: Extract<ServerLaunch, { readonly kind: "command" }>,
  name: string,
  { environment }: ExtensionHost,
): StdioLaunch {
  const reasons = refuseCommand(command, args);
  if (reasons.length > 0) throw new ServerRefused(name, reasons);
  return {
    command,
    args,
    env: childEnvironment(env, environment),
    ...(cwd === undefined ? {} : { cwd }),
  };
}
