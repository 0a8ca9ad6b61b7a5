/**
 * Which tools hand a text to a shell, and which text.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { JsonObject } from "../../core/json.ts";

/** Programs that run their input as commands. */
const SHELLS: ReadonlySet<string> = new Set([
  "ash",
  "bash",
  "busybox",
  "cmd",
  "csh",
  "dash",
  "fish",
  "ksh",
  "powershell",
  "pwsh",
  "sh",
  "ssh",
  "tcsh",
  "zsh",
]);

/** Those of them that read quotes in another way than a POSIX shell, or somewhere else. */
const OTHER_SHELLS: ReadonlySet<string> = new Set(
  ["cmd", "csh", "fish", "powershell", "pwsh", "ssh", "tcsh"],
);

/** What is looked at. */
export type ShellSubject = Pick<ToolEntry, "permissions" | "schema" | "owner" | "name">;

/**
 * Whether a tool hands its argument `command` to a shell: it declares `run` of one, and has such a parameter.
 *
 * @param entry The tool.
 * @returns True when it does.
 */
export function isShellTool(entry: ShellSubject): boolean {
  if (startsContained(entry)) return true;
  const run = entry.permissions.run || [];
  return run.some((program) => SHELLS.has(programName(program))) && hasCommand(entry.schema);
}

/**
 * Whether every shell that a tool may start reads a command as a POSIX shell does.
 *
 * @param entry The tool.
 * @returns False when one of them reads it in another way.
 */
export function readsPosix({ permissions }: Pick<ToolEntry, "permissions">): boolean {
  return !(permissions.run || []).some((program) => OTHER_SHELLS.has(programName(program)));
}

/**
 * Whether a tool starts its commands behind what it is told to, such as a container. Others cannot be made to.
 *
 * @param entry The tool.
 * @returns True for the terminal of this package.
 */
export function startsContained(entry: Pick<ToolEntry, "owner" | "name">): boolean {
  return entry.owner === "builtin" && entry.name === "terminal";
}

/**
 * The command of a call of a shell tool.
 *
 * @param args The arguments.
 * @returns The command's text; words of a list are quoted; `undefined` when there is none.
 */
export function commandOf(args: JsonObject): string | undefined {
  const command = Object.hasOwn(args, "command") ? args.command : undefined;
  if (typeof command === "string") return command;
  if (!Array.isArray(command)) return undefined;
  return command.map((word) => `'${String(word).replaceAll("'", `'\\''`)}'`).join(" ");
}

// A schema that does not list its parameters may have one of any name.
function hasCommand(schema: ToolEntry["schema"]): boolean {
  const { properties } = schema as { readonly properties?: unknown };
  if (typeof properties !== "object" || properties === null) return true;
  return Object.hasOwn(properties, "command") || "$ref" in schema || "allOf" in schema ||
    "anyOf" in schema || "oneOf" in schema;
}

function programName(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);
  return name.toLowerCase().replace(/\.exe$/, "");
}
