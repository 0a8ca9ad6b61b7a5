/**
 * What a server says of a tool, as it is pinned and compared.
 * @module
 */
import type { JsonValue } from "../../core/json.ts";
import { hashText } from "../../registry/hash.ts";

/** The fields of a tool that a model or an approval goes by. */
export const DEFINITION_FIELDS: readonly [
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];

/** A tool as the server sent it, less what nobody goes by. */
export type ToolDefinition = {
  readonly [field in (typeof DEFINITION_FIELDS)[number]]?: JsonValue;
};

/** A definition and what it is compared by. */
export interface HashedDefinition {
  /** SHA-256 of the definition's canonical JSON, hexadecimal. */
  readonly hash: string;
  /** The definition. */
  readonly definition: ToolDefinition;
}

/**
 * Takes the definition out of what a server sent.
 *
 * @param tool The tool; plain JSON.
 * @returns The fields that count.
 */
export function definitionOf(tool: { readonly [field: string]: unknown }): ToolDefinition {
  return Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => tool[field] !== undefined)
      .map((field) => [field, tool[field]]),
  ) as ToolDefinition;
}

/**
 * Hashes a definition. The order of members does not matter; every value does.
 *
 * @param definition The definition.
 * @returns The definition with its hash.
 */
export async function hashDefinition(definition: ToolDefinition): Promise<HashedDefinition> {
  return { hash: await hashText(canonicalJson(definition)), definition };
}

/**
 * JSON text in which equal values are equal texts: members are sorted by their names.
 *
 * @param value Plain JSON.
 * @param indent How many spaces to indent by. @default {0, all in one line}
 * @returns The text.
 */
export function canonicalJson(value: unknown, indent = 0): string {
  return JSON.stringify(sortMembers(value), null, indent) ?? "null";
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortMembers);
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  return Object.fromEntries(members.map(([key, item]) => [key, sortMembers(item)]));
}
