/**
 * How long a tool's result may be.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import { fromJsonLimit } from "../../core/json_limit.ts";
import { DEFAULT_RESULT_SIZE_CHARS } from "../../core/limits.ts";
import type { Config } from "../config.ts";
import { isSpillReader } from "../spill_reader.ts";
import { isReadResult } from "./read_result_name.ts";

/** The longest result of an MCP server's tool. */
export const MCP_RESULT_SIZE_CHARS = 50_000;

/** What is looked at of an entry. */
export type LimitedEntry = Pick<ToolEntry, "name" | "owner" | "maxResultSizeChars">;

/**
 * The limit of a tool's results. What reads spilled results back has none, else they would be spilled
 * again. Then the operator's word for the tool counts; then 50,000 for a tool of an MCP server; then the
 * tool's own limit; then the default. The last three never exceed the default, which shrinks with a model's
 * context; a tool without a limit of its own choosing (`Infinity`) keeps none.
 *
 * @param entry The tool.
 * @param config The operator's configuration.
 * @param budget What the model's context leaves for one result. @default {100_000}
 * @returns The limit in characters.
 */
export function resultLimitOf(
  entry: LimitedEntry,
  config: Pick<Config, "limits" | "results">,
  budget: number = Infinity,
): number {
  if (isSpillReader(entry) || isReadResult(entry)) return Infinity;
  const override = own(config.results?.maxChars, entry.name);
  if (override !== undefined) return fromJsonLimit(override);
  const preset = config.limits?.maxResultSizeChars;
  const most = Math.min(
    budget,
    preset === undefined ? DEFAULT_RESULT_SIZE_CHARS : fromJsonLimit(preset),
  );
  if (entry.owner.startsWith("mcp:")) return Math.min(MCP_RESULT_SIZE_CHARS, most);
  const { maxResultSizeChars: chosen = most } = entry;
  return chosen === Infinity ? chosen : Math.min(chosen, most);
}

function own<T>(record: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
