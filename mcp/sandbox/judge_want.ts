/**
 * Which of a server's wants may be proposed without a question.
 * @module
 */
import type { Permissions } from "../../core/permissions.ts";
import { parseNetEntry, reachOfHost } from "../../runtime/grants/net_entry.ts";
import { contains, realPath } from "../../runtime/grants/paths.ts";
import { isAbsolute, resolve } from "../../runtime/paths.ts";
import { isReservedVariable } from "../../runtime/grants/reserved_variables.ts";
import { steersTheSandbox } from "./plan_server.ts";
import { isSecretPath, isSecretVariable } from "./secret_names.ts";
import { expandPlace, type ServerPlaces } from "./server_places.ts";
import type { Want } from "./wants.ts";

/** The reason for files in Deno's own folder: many packages look for one of theirs and go on without it. */
export const OF_A_PACKAGE = "a file of its own package, or of another one";

/** What judging works with. */
export interface JudgeContext {
  /** The server's folders. */
  readonly places: ServerPlaces;
  /** The server's arguments, and the values of its variables. */
  readonly texts: readonly string[];
}

/** What a want comes to. */
export interface Judgement {
  /** The kind of permission. */
  readonly kind: Want["kind"];
  /** The entry for `permissions`. */
  readonly grant: string;
  /** Why it is asked for, or why somebody must decide. */
  readonly reason: string;
  /** Whether somebody must decide. */
  readonly isQuestion: boolean;
}

/**
 * Judges a want. Names of variables that do not sound secret, and paths in the workspace or in the server's own folders,
 * are harmless; everything else somebody must decide.
 *
 * @param want What was asked for.
 * @param context The server's folders and arguments.
 * @returns The judgement; `undefined` for what is not worth a word.
 */
export function judgeWant(want: Want, context: JudgeContext): Judgement | undefined {
  const { kind, value } = want;
  switch (kind) {
    case "read":
    case "write":
      return judgePath(kind, value, context);
    case "env":
      return judgeVariable(value);
    case "net":
      return question(kind, value, describeAddress(value));
    case "sys":
      return question(kind, value, "tells of this machine or of who you are");
    case "run":
      return question(kind, value, "a program that it starts is not sandboxed");
    case "ffi":
      return question(kind, value, "native code that it loads is not sandboxed");
    default:
      return kind satisfies never;
  }
}

/**
 * Adds judged grants to permissions.
 *
 * @param permissions The permissions so far.
 * @param judgements What to add.
 * @returns The permissions, each list sorted and without repeats.
 */
export function withGrants(
  permissions: Permissions,
  judgements: readonly Pick<Judgement, "kind" | "grant">[],
): Permissions {
  const lists = new Map<string, Set<string>>();
  for (const [key, list] of Object.entries(permissions)) lists.set(key, new Set(list || []));
  for (const { kind, grant } of judgements) {
    if (!lists.has(kind)) lists.set(kind, new Set());
    lists.get(kind)!.add(grant);
  }
  const entries = [...lists].filter(([, list]) => list.size > 0)
    .map(([key, list]) => [key, [...list].toSorted()]);
  return Object.fromEntries(entries);
}

function question(kind: Want["kind"], grant: string, reason: string): Judgement {
  return { kind, grant, reason, isQuestion: true };
}

function judgeVariable(name: string): Judgement | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) return undefined;
  if (isReservedVariable(name) && steersTheSandbox(name)) return undefined;
  if (isSecretVariable(name)) return question("env", name, "its name says that it may be secret");
  return {
    kind: "env",
    grant: name,
    reason: "it looks whether this variable is set",
    isQuestion: false,
  };
}

function describeAddress(value: string): string {
  const reach = reachOfHost(parseNetEntry(value)?.host ?? "");
  if (reach === "public") return "what it reads can leave this machine";
  return reach === "loopback" ? "this is this machine itself" : "this is no public address";
}

function judgePath(
  kind: "read" | "write",
  path: string,
  context: JudgeContext,
): Judgement | undefined {
  const { places } = context;
  // An empty folder of ours: nothing is there, and nothing is to be put there.
  if (contains(real(places.neutral), path)) return undefined;
  for (const [variable, folder] of [["$DATA", places.data], ["$TMP", places.tmp]] as const) {
    if (contains(real(folder), path)) return harmless(kind, variable, "a folder of its own");
  }
  const workspace = real(places.workspace);
  if (!contains(workspace, path)) return question(kind, path, describeOutside(path, places));
  const named = namedPaths(context).filter((root) => contains(root, path))
    .toSorted((a, b) => a.length - b.length)[0];
  if (named !== undefined) {
    return harmless(
      kind,
      withVariable(named, workspace),
      "named in its arguments, in the workspace",
    );
  }
  const grant = withVariable(path, workspace);
  return isSecretPath(path.slice(workspace.length))
    ? question(kind, grant, "its name says that it may hold secrets")
    : harmless(kind, grant, "in the workspace");
}

function harmless(kind: "read" | "write", grant: string, reason: string): Judgement {
  return { kind, grant, reason, isQuestion: false };
}

function describeOutside(path: string, { deno }: ServerPlaces): string {
  return deno !== undefined && contains(real(deno), path) ? OF_A_PACKAGE : "outside the workspace";
}

/** Paths that arguments and variables name, in the workspace. */
function namedPaths({ places, texts }: JudgeContext): readonly string[] {
  const workspace = real(places.workspace);
  return texts.flatMap((text) => [text, text.slice(text.indexOf("=") + 1)])
    .map((text) => text.startsWith("file://") ? text.slice(7) : expandPlace(text, places))
    .filter(isAbsolute).map((path) => real(resolve(path)))
    .filter((path) => contains(workspace, path));
}

function withVariable(path: string, workspace: string): string {
  const rest = path.slice(workspace.length).replaceAll("\\", "/").replace(/^\//, "");
  return rest === "" ? "$WORKSPACE" : `$WORKSPACE/${rest}`;
}

function real(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path;
  }
}
