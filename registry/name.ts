/**
 * Which owners there are, and which names and toolsets each may use.
 * @module
 */
import type { Owner } from "../core/entry.ts";
import { PermissionError } from "../core/errors.ts";

const FILE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const WIDE_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const ID = "[a-z][a-z0-9-]*(?:/[a-z0-9-]+)*";
// A server keeps the name that the operator gave it, capitals and underscores too.
const SERVER = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}";
const OWNER = new RegExp(`^(?:builtin|program|user|plugin:${ID}|mcp:${SERVER})$`);
const PLUGIN = new RegExp(`^(?:plugin:)?(${ID})$`);

/**
 * Whether a text names an owner.
 *
 * @param text For example `"plugin:acme"`.
 * @returns True for an owner.
 */
export function isOwner(text: unknown): text is Owner {
  return typeof text === "string" && OWNER.test(text);
}

/**
 * Refuses what is no owner.
 *
 * @param owner What was given.
 * @throws {TypeError} If it is none.
 */
export function assertOwner(owner: unknown): asserts owner is Owner {
  if (isOwner(owner)) return;
  throw new TypeError(
    `Cannot use owner "${String(owner)}": expected "builtin", "program", "user", ` +
      `"plugin:<id>" with an id of a-z, 0-9, "-" and "/", or "mcp:<server>" with a name of 1 to 64 ` +
      `letters, digits, "_", "." or "-"`,
  );
}

/**
 * The namespace of a plugin, written `plugin:<id>`.
 *
 * @param namespace An id, with or without `plugin:`.
 * @returns The namespace.
 * @throws {TypeError} If it is no plugin's id.
 */
export function pluginNamespace(namespace: unknown): string {
  const match = typeof namespace === "string" ? PLUGIN.exec(namespace) : null;
  if (match) return `plugin:${match[1]}`;
  throw new TypeError(
    `Cannot use plugin namespace "${String(namespace)}": expected "plugin:<id>", with ids of ` +
      `a-z, 0-9, "-" and "/"`,
  );
}

/**
 * Whether an owner may use a name: `mcp:` servers and the program have the wider alphabet.
 *
 * @param name The name.
 * @param owner Who wants it.
 * @returns True for a name that may be used.
 */
export function isToolName(name: string, owner: Owner): boolean {
  return (isWide(owner) ? WIDE_NAME : FILE_NAME).test(name);
}

/**
 * What a name of this owner must look like, for messages.
 *
 * @param owner Who wants the name.
 * @returns Words to follow "expected".
 */
export function expectedToolName(owner: Owner): string {
  return isWide(owner)
    ? `1 to 128 letters, digits, "_", "." or "-"`
    : `1 to 64 letters, digits, "_" or "-", not starting with a digit or "-"`;
}

/**
 * Refuses a toolset that belongs to an MCP server when somebody else asks for it.
 *
 * @param name The tool's name.
 * @param toolset The toolset.
 * @param owner Who wants it.
 * @throws {PermissionError} If the toolset starts with `mcp-` and is not the owner's own.
 */
export function assertToolset(name: string, toolset: string, owner: Owner): void {
  if (!toolset.toLowerCase().startsWith("mcp-")) return;
  if (owner.startsWith("mcp:") && toolset === `mcp-${owner.slice(4)}`) return;
  throw new PermissionError(
    `Cannot register tool "${name}" of ${owner} in toolset "${toolset}": toolsets that start ` +
      `with "mcp-" belong to the MCP server of that name`,
  );
}

function isWide(owner: Owner): boolean {
  return owner === "program" || owner.startsWith("mcp:");
}
