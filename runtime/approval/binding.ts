/**
 * What an approval is bound to.
 * @module
 */
import { createHash } from "node:crypto";
import type { JsonObject } from "../../core/json.ts";

/** What an approval holds for. */
export interface BoundCall {
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly args: JsonObject;
  /** What the tool may touch. */
  readonly grants: unknown;
  /** The generation of the table. */
  readonly generation: number;
}

/**
 * The hash of what an approval holds for. The order of members does not matter; every value does.
 *
 * @param call What would be approved.
 * @returns SHA-256, hexadecimal.
 */
export function bindCall({ name, args, grants, generation }: BoundCall): string {
  const text = canonical([name, args, grants, generation]);
  return createHash("sha256").update(text).digest("hex");
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
