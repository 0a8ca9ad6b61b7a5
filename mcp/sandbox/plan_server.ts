/**
 * What a sandboxed server gets.
 * @module
 */
import type { Permissions } from "../../core/permissions.ts";
import {
  type Ceiling,
  type GrantContext,
  type GrantPlan,
  planGrants,
} from "../../runtime/grants/mod.ts";
import { contains, expandPath } from "../../runtime/grants/paths.ts";
import { ceilingsFor, type Config } from "../../runtime/config.ts";
import type { ProtectedPlaces } from "../../runtime/protected_places.ts";
import type { McpServerSpec, ServerLaunch } from "../config/server_config.ts";
import type { ServerPlaces } from "./server_places.ts";
import { ServerRefused } from "./server_refused.ts";

/** A launch of a package. */
export type NpmLaunch = Extract<ServerLaunch, { readonly kind: "npm" }>;

/** What a server gets. */
export interface ServerPlan extends GrantPlan {
  /** Paths inside its grants that are closed: by the operator's ceilings, and because they decide what runs. */
  readonly denyPaths: { readonly read: readonly string[]; readonly write: readonly string[] };
}

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
  /** Where nobody writes. @default {nowhere} */
  readonly protectedPlaces?: ProtectedPlaces;
  /** The PATH that programs are looked up in. */
  readonly path: string | undefined;
}

// What these hold is read by the loader or by Deno itself, before any permission counts.
const STEERS_THE_SANDBOX =
  /^(?:LD_|DYLD_|DENO_|GLIBC_|MALLOC_|RES_OPTIONS$|LOCALDOMAIN$|HOSTALIASES$|NODE_OPTIONS$|NODE_CHANNEL_FD$|PATH$)/i;
const HARMLESS: ReadonlySet<string> = new Set(["DENO_CERT", "DENO_TLS_CA_STORE"]);

/**
 * Whether a variable decides about the process of a server, whatever it is granted.
 *
 * @param name The variable.
 * @returns True when no server may be given it.
 */
export function steersTheSandbox(name: string): boolean {
  return STEERS_THE_SANDBOX.test(name) && !HARMLESS.has(name);
}

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
export function planServer(launch: NpmLaunch, options: PlanServerOptions): ServerPlan {
  const { server, origin, places, protectedPlaces, ceilings = [] } = options;
  const steering = Object.keys(launch.env).filter(steersTheSandbox);
  if (steering.length > 0) {
    const names = steering.map((name) => `"${name}"`).join(", ");
    throw new ServerRefused(server, [`its env sets ${names}, which would steer its sandbox`]);
  }
  // What is set for the server it may read.
  const env = [...launch.permissions.env || [], ...Object.keys(launch.env)];
  const permissions = { ...launch.permissions, env: [...new Set(env)] };
  const word: Ceiling = { allow: permissions, source: `mcpServers.${server}.permissions` };
  const context = {
    ...contextOf(options),
    // The process is the server's own, and its environment holds what is set for it and nothing else.
    harmlessVariables: permissions.env.filter((variable) => !steersTheSandbox(variable)),
  };
  const inner = innerDenials(permissions, ceilings, context);
  const plan = planGrants(permissions, {
    ...context,
    ceilings: [...ceilings.map(inner.without), ...(origin === "config" ? [word] : [])],
  });
  const { write } = plan.grants;
  const closed = protectedPlaces?.refusals(write, [places.data, places.tmp]) ?? [];
  const refused = [...plan.refused, ...closed];
  if (refused.length > 0) throw new ServerRefused(server, refused);
  const denied = protectedPlaces?.denials(write) ?? [];
  const { denyPaths } = inner;
  return Object.freeze({
    ...plan,
    denyPaths: { ...denyPaths, write: [...denyPaths.write, ...denied] },
  });
}

function contextOf({ places, path }: PlanServerOptions): GrantContext {
  return {
    workspace: places.workspace,
    // No variable for it is accepted; a folder must be named all the same.
    toolDir: places.neutral,
    dataDir: places.data,
    tmpDir: places.tmp,
    ...(path === undefined ? {} : { path }),
    ceilings: [],
  };
}

interface InnerDenials {
  readonly denyPaths: ServerPlan["denyPaths"];
  readonly without: (ceiling: Ceiling) => Ceiling;
}

// A worker cannot have a hole in a granted folder, so that tools lose the folder; a process can.
function innerDenials(
  permissions: Permissions,
  ceilings: readonly Ceiling[],
  context: GrantContext,
): InnerDenials {
  const real = (text: string): string | undefined => {
    const expanded = expandPath(text, context);
    return typeof expanded === "string" ? undefined : expanded.path;
  };
  const isInner = (kind: "read" | "write", text: string): boolean => {
    const path = real(text);
    const granted = (permissions[kind] || []).map(real).filter((grant) => grant !== undefined);
    return path !== undefined && granted.every((grant) => !contains(path, grant));
  };
  const pathsOf = (kind: "read" | "write"): readonly string[] =>
    ceilings.flatMap(({ deny }) => deny?.[kind] || []).filter((text) => isInner(kind, text))
      .map((text) => real(text)!);
  return {
    denyPaths: { read: pathsOf("read"), write: pathsOf("write") },
    without: (ceiling) => ({
      ...ceiling,
      ...(ceiling.deny === undefined ? {} : {
        deny: {
          ...ceiling.deny,
          ...keptOf("read", ceiling.deny.read, isInner),
          ...keptOf("write", ceiling.deny.write, isInner),
        },
      }),
    }),
  };
}

function keptOf(
  kind: "read" | "write",
  list: Permissions["read"],
  isInner: (kind: "read" | "write", text: string) => boolean,
): Partial<Permissions> {
  return list ? { [kind]: list.filter((text) => !isInner(kind, text)) } : {};
}
