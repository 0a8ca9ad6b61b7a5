/**
 * What a sandboxed server gets.
 * @module
 */
import type { Permissions } from "../../core/permissions.ts";
import { type Ceiling, type GrantPlan, planGrants } from "../../runtime/grants/mod.ts";
import { ceilingsFor, type Config } from "../../runtime/config.ts";
import type { McpServerSpec, ServerLaunch } from "../config/server_config.ts";
import type { ServerPlaces } from "./server_places.ts";
import { ServerRefused } from "./server_refused.ts";

/** A launch of a package. */
export type NpmLaunch = Extract<ServerLaunch, { readonly kind: "npm" }>;

/** What planning needs beside the launch. */
export interface PlanServerOptions {
  /** The server's name. */
  readonly server: string;
  /** Who brought it. */
  readonly origin: McpServerSpec["origin"];
  /** Its folders. */
  readonly places: ServerPlaces;
  /** The operator's ceilings for it. @default {none} */
  readonly ceilings?: readonly Ceiling[];
  /** The PATH that programs are looked up in. */
  readonly path: string | undefined;
}

// What these hold is read by the loader or by Deno itself, before any permission counts.
const STEERS_THE_SANDBOX =
  /^(?:LD_|DYLD_|DENO_|GLIBC_|MALLOC_|NODE_OPTIONS$|NODE_CHANNEL_FD$|PATH$)/i;
const HARMLESS: ReadonlySet<string> = new Set(["DENO_CERT", "DENO_TLS_CA_STORE"]);

/**
 * The ceilings of the configuration that hold for a server: by its owner `mcp:<server>`, its toolset, and its plugin.
 *
 * @param config The configuration.
 * @param spec The server.
 * @returns The ceilings; each one caps.
 */
export function serverCeilings(
  config: Config,
  { name, origin }: Pick<McpServerSpec, "name" | "origin">,
): readonly Ceiling[] {
  const own = ceilingsFor(config, { name: "", toolset: `mcp-${name}`, owner: `mcp:${name}` });
  if (origin === "config") return own;
  return [...own, ...ceilingsFor(config, { name: "", toolset: "", owner: origin })];
}

/**
 * Works out what a server gets. The operator's own entry is the word that the system's folders, this machine and
 * private networks need; a plugin's is not.
 *
 * @param launch The package with its permissions.
 * @param options Where its variables point, and what the operator says.
 * @returns The plan.
 * @throws {ServerRefused} If something in it cannot be granted.
 */
export function planServer(launch: NpmLaunch, options: PlanServerOptions): GrantPlan {
  const { server, origin, places, ceilings = [], path } = options;
  const steering = Object.keys(launch.env).filter((name) =>
    STEERS_THE_SANDBOX.test(name) && !HARMLESS.has(name)
  );
  if (steering.length > 0) {
    const names = steering.map((name) => `"${name}"`).join(", ");
    throw new ServerRefused(server, [`its env sets ${names}, which would steer its sandbox`]);
  }
  // What is set for the server it may read.
  const env = [...launch.permissions.env || [], ...Object.keys(launch.env)];
  const permissions: Permissions = { ...launch.permissions, env: [...new Set(env)] };
  const word: Ceiling = { allow: permissions, source: `mcpServers.${server}.permissions` };
  const plan = planGrants(permissions, {
    workspace: places.workspace,
    // No variable for it is accepted; a folder must be named all the same.
    toolDir: places.neutral,
    dataDir: places.data,
    tmpDir: places.tmp,
    ...(path === undefined ? {} : { path }),
    ceilings: origin === "config" ? [...ceilings, word] : ceilings,
  });
  if (plan.refused.length > 0) throw new ServerRefused(server, plan.refused);
  return plan;
}
