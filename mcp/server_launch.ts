/**
 * How the servers of a runtime are started.
 * @module
 */
import type { Permissions } from "../core/permissions.ts";
import { readPermissions } from "../registry/permission_fields.ts";
import type { ExtensionHost } from "../runtime/extension.ts";
import type { GrantPlan } from "../runtime/grants/mod.ts";
import type { McpServerSpec } from "./config/server_config.ts";
import { type NpmLaunch, planServer, serverCeilings } from "./sandbox/plan_server.ts";
import { ServerLauncher } from "./sandbox/server_launcher.ts";
import { type ServerPlaces, serverPlaces } from "./sandbox/server_places.ts";

/**
 * Makes what starts a server: anew each time, because files and programs may have changed. It also hears what a
 * sandboxed server asks for and is not given.
 *
 * @param spec The server.
 * @param host What the runtime lends.
 * @param log Takes what there is to say of the server.
 * @returns The launcher; to be disposed of when the server is over.
 */
export function launcherOf(
  spec: McpServerSpec,
  { deno, cacheDir, runtime, environment, config, protectedPlaces }: ExtensionHost,
  log: (level: "info" | "warning", message: string) => void,
): ServerLauncher {
  return new ServerLauncher(spec, {
    ...(deno === undefined ? {} : { deno }),
    cacheDir,
    workspace: runtime.workspace,
    environment,
    ceilings: serverCeilings(config, spec),
    protectedPlaces,
    log,
  });
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
