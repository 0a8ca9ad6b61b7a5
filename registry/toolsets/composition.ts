/**
 * Toolsets that list tools, whatever toolsets the tools were registered in.
 * @module
 */
import { BUILTIN_TOOLSETS } from "./builtin_toolsets.ts";

/** A list of tools under one name. */
export interface ToolsetComposition {
  /** What it is for. */
  readonly description: string;
  /** Names of its tools; those that the table does not have are passed over. */
  readonly tools: readonly string[];
  /** Toolsets whose tools it lists too. */
  readonly includes: readonly string[];
  /** Whether disabling it keeps the tools that all bundles share. */
  readonly isBundle: boolean;
}

/** A composition as the operator writes it. */
export interface OwnToolset {
  /** What it is for. */
  readonly description?: string;
  /** Its tools. */
  readonly tools?: readonly string[];
  /** Toolsets whose tools it lists too. */
  readonly includes?: readonly string[];
}

/**
 * All compositions: the built-in ones and the operator's, whose word goes before on the same name.
 *
 * @param own The operator's.
 * @returns Name to composition.
 */
export function compositionsWith(
  own: { readonly [name: string]: OwnToolset } = {},
): ReadonlyMap<string, ToolsetComposition> {
  const compositions = new Map(BUILTIN_TOOLSETS);
  for (const [name, toolset] of Object.entries(own)) {
    const { description = "", tools = [], includes = [] } = toolset;
    compositions.set(name, { description, tools, includes, isBundle: false });
  }
  return compositions;
}
