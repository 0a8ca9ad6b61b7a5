/**
 * The dialects by name.
 * @module
 */
import type { Dialect } from "./definition_types.ts";

/** The dialects that there are. */
export const DIALECTS: readonly Dialect[] = Object.freeze(
  ["openai", "openai-strict", "anthropic", "gemini", "mcp"] as const,
);
