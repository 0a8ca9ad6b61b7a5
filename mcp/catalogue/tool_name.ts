/**
 * Names of the tools of MCP servers in the table.
 * @module
 */
import { hashText } from "../../registry/hash.ts";

/** Longest name that every provider takes. */
const MAX_CHARS = 64;
const HASH_CHARS = 8;

/**
 * The name of a server's tool in the table: `mcp__<server>__<tool>`, with `_` for every character outside
 * `[A-Za-z0-9_]`, none merged and none trimmed. Over 64 characters it is cut and ends with `_` and eight hexadecimal
 * digits of its SHA-256. Different tools may get the same name: nothing can be read back from it.
 *
 * @param server The server's name in the configuration.
 * @param tool The server's own name for the tool.
 * @returns The name.
 *
 * @example Hyphens become underscores
 * ```ts
 * import { registeredToolName } from "./tool_name.ts";
 *
 * console.log(await registeredToolName("my-srv", "read.file")); // mcp__my_srv__read_file
 * ```
 */
export async function registeredToolName(server: string, tool: string): Promise<string> {
  const name = `mcp__${plainPart(server)}__${plainPart(tool)}`;
  if (name.length <= MAX_CHARS) return name;
  const hash = (await hashText(name)).slice(0, HASH_CHARS);
  return `${name.slice(0, MAX_CHARS - HASH_CHARS - 1)}_${hash}`;
}

/**
 * The toolset of a server's tools; the server's name is its alias.
 *
 * @param server The server's name in the configuration.
 * @returns The toolset's name.
 */
export function serverToolset(server: string): string {
  return `mcp-${server}`;
}

function plainPart(text: string): string {
  return text.replace(/[^A-Za-z0-9_]/gu, "_");
}
