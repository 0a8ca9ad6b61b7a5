/**
 * What `cloister mcp add` was asked to add.
 * @module
 */
import type { Permissions } from "../core/permissions.ts";
import { SERVER_NAME } from "../mcp/config/read_servers.ts";
import { parsePackage } from "../mcp/config/package_spec.ts";
import { contains, realPath } from "../runtime/grants/paths.ts";
import { resolve } from "../runtime/paths.ts";
import { type CommandContext, type ParsedOptions, UsageError } from "./command.ts";

/** What is to be added. */
export interface AddTarget {
  /** The server's name. */
  readonly name: string;
  /** What it is. */
  readonly kind: "npm" | "http" | "command";
  /** `npm:<package>`, an address, or a program. */
  readonly target: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its variables. */
  readonly env: Readonly<Record<string, string>>;
  /** What is granted without a question. */
  readonly permissions: Permissions;
}

const GRANTS = ["read", "write", "net", "env", "sys", "run"] as const;

/**
 * Where the configuration is.
 *
 * @param context What was typed.
 * @returns Its absolute path; the file may not exist.
 */
export function configPath({ options, environment }: CommandContext): string {
  return resolve(environment.cwd, options.text("config") ?? "cloister.json");
}

/**
 * The folder that tools work in.
 *
 * @param context What was typed.
 * @returns Its absolute path.
 */
export function workspacePath({ options, environment }: CommandContext): string {
  return resolve(environment.cwd, options.text("workspace") ?? ".");
}

/**
 * Reads what stands behind `add`.
 *
 * @param context What was typed.
 * @param words The name, what it is, its arguments.
 * @returns What is to be added.
 * @throws {UsageError} If it makes no sense.
 */
export function readTarget(context: CommandContext, words: readonly string[]): AddTarget {
  const [name, target, ...args] = words;
  if (name === undefined || target === undefined) {
    throw new UsageError(
      'Say what to add: "cloister mcp add NAME npm:PACKAGE", "… NAME URL" or "… NAME -- COMMAND"',
    );
  }
  if (!SERVER_NAME.test(name)) {
    throw new UsageError(
      `The name ${JSON.stringify(name)} cannot be a server's: expected a letter or digit, ` +
        'then up to 63 letters, digits, "_", "." or "-"',
    );
  }
  const { options } = context;
  const kind = kindOf(target);
  const [env, permissions] = [readVariables(options), readGrants(options, context)];
  if (kind !== "npm" && Object.keys(permissions).length > 0) {
    throw new UsageError(`Only a package of npm has grants: "${target}" is none`);
  }
  if (kind === "http" && (args.length > 0 || Object.keys(env).length > 0)) {
    throw new UsageError("A remote server takes neither arguments nor variables");
  }
  return { name, kind, target, args: args.map((arg) => absolute(arg, context)), env, permissions };
}

function kindOf(target: string): AddTarget["kind"] {
  if (target.startsWith("npm:")) {
    if (parsePackage(target) !== undefined) return "npm";
    throw new UsageError(`${JSON.stringify(target)} names no package: expected npm:NAME[@VERSION]`);
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) {
    if (/^https?:/i.test(target) && URL.canParse(target)) return "http";
    throw new UsageError(`${JSON.stringify(target)} is not an http: or https: address`);
  }
  return "command";
}

// A server starts in another folder: what is meant from here must not be meant from there.
function absolute(arg: string, context: CommandContext): string {
  if (!/^\.{1,2}(?:$|[/\\])/.test(arg)) return arg;
  return withWorkspace(resolve(context.environment.cwd, arg), context);
}

function withWorkspace(path: string, context: CommandContext): string {
  const workspace = realPath(workspacePath(context));
  const real = realPath(path);
  if (!contains(workspace, real)) return real;
  const rest = real.slice(workspace.length).replaceAll("\\", "/").replace(/^\//, "");
  return rest === "" ? "$WORKSPACE" : `$WORKSPACE/${rest}`;
}

function readVariables(options: ParsedOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    options.texts("env").map((text) => {
      const found = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(text);
      if (found) return [found[1]!, found[2]!];
      throw new UsageError(`--env=${JSON.stringify(text)} is not of the form NAME=VALUE`);
    }),
  );
}

function readGrants(options: ParsedOptions, context: CommandContext): Permissions {
  const lists = GRANTS.map((kind) => {
    const values = options.texts(`allow-${kind}`).flatMap((text) => text.split(","));
    const isPath = kind === "read" || kind === "write";
    return [kind, isPath ? values.map((text) => grantedPath(text, context)) : values] as const;
  });
  return Object.fromEntries(lists.filter(([, values]) => values.length > 0)) as Permissions;
}

function grantedPath(text: string, context: CommandContext): string {
  return text.startsWith("$")
    ? text
    : withWorkspace(resolve(context.environment.cwd, text), context);
}
