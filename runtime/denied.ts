/**
 * Tells the person who wrote a tool what it asked for without a grant, and which line to change.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonValue } from "../core/json.ts";
import type { Permissions } from "../core/permissions.ts";

/** What was asked for without a grant. */
export interface DeniedAccess {
  /** The kind of access. */
  readonly kind: string;
  /** What it was asked for, when known. */
  readonly what?: string;
}

/**
 * Explains a denied access.
 *
 * @param entry The tool.
 * @param denied What was asked for.
 * @param original What Deno said.
 * @param closedBecause Why a path is closed to it although it lies in its grants.
 * @returns The message, and the same as data.
 */
export function explainDenied(
  entry: ToolEntry,
  denied: DeniedAccess,
  original: string,
  closedBecause: (path: string) => string | undefined = () => undefined,
): { readonly message: string; readonly details: JsonValue } {
  const { kind, what } = denied;
  const declared = entry.permissions[kind as keyof Permissions] || [];
  const asked = what === undefined ? `${kind} access` : `${kind} access to "${what}"`;
  const has = declared.length === 0
    ? `declares no ${kind} permission`
    : `declares ${kind}: ${JSON.stringify(declared)}`;
  const details = { kind, ...(what === undefined ? {} : { what }), declared: [...declared] };
  const closed = kind === "write" && what !== undefined ? closedBecause(what) : undefined;
  if (closed !== undefined) {
    return { message: `Tool "${entry.name}" may not write there: ${closed}`, details };
  }
  const message = `Tool "${entry.name}" asked for ${asked}, but it ${has}${place(entry)}. ${
    advice(kind, what, original)
  }`;
  return { message, details };
}

function place(entry: ToolEntry): string {
  const { path, line } = entry.source;
  return path === undefined ? "" : ` (${path}${line === undefined ? "" : `:${line}`})`;
}

function advice(kind: string, what: string | undefined, original: string): string {
  if (kind === "import") return "Tools cannot import code from the network";
  if (original.includes("requires unscoped")) return "No tool can be granted this: it makes links";
  // An address that is closed to every tool cannot be opened by the tool's own declaration.
  if (/\bdenied\b|deny-/.test(original)) return "The operator's settings keep it closed";
  const wanted = what === undefined || what.startsWith("<") ? "…" : what;
  return `To allow it, change its registration to permissions: { ${kind}: [${
    JSON.stringify(wanted)
  }] }, unless the operator's ceiling forbids it`;
}
