/**
 * What an approval is bound to.
 * @module
 */
import { createHash } from "node:crypto";
import type { ToolEntry } from "../../core/entry.ts";
import type { JsonObject } from "../../core/json.ts";

/** What an approval holds for. */
export interface BoundCall {
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly args: JsonObject;
  /** What the tool may touch. */
  readonly grants: unknown;
  /** What the tool is: see {@linkcode declarationOf}. */
  readonly declaration: unknown;
}

/**
 * The hash of what an approval holds for. The order of members does not matter; every value does.
 *
 * @param call What would be approved.
 * @returns SHA-256, hexadecimal.
 */
export function bindCall({ name, args, grants, declaration }: BoundCall): string {
  const text = canonical([name, args, grants, declaration]);
  return createHash("sha256").update(text).digest("hex");
}

/**
 * What a tool is, as far as an approval goes: who made it, what it says of itself, and its code.
 *
 * @param entry The tool.
 * @returns Plain data.
 */
export function declarationOf(entry: ToolEntry): unknown {
  const { name, owner, toolset, description, schema, permissions, annotations, handler } = entry;
  const code = handler.kind === "module" ? handler.integrity : handler.kind;
  return [name, owner, toolset, description, schema, permissions, annotations, code];
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
