/**
 * What the configuration offers, and what a caller or a session takes of it.
 * @module
 */
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import { ToolsetCatalogue } from "../registry/toolsets/toolset_catalogue.ts";
import type { Config } from "./config.ts";
import type { Explanation, Selection } from "./runtime_types.ts";

/** The fields of a selection. */
const FIELDS: readonly string[] = ["toolsets", "disabledToolsets", "names"];

/** Binds selections to the toolsets of a table and a configuration. */
export class ToolSelector {
  /** What the names of toolsets stand for. */
  readonly catalogue: ToolsetCatalogue;
  /** What the configuration offers: nothing beyond it is ever offered. */
  readonly configured: BoundSelection;

  /**
   * Makes a selector.
   *
   * @param registry The table.
   * @param config The configuration.
   */
  constructor(registry: ToolRegistry, config: Config) {
    this.catalogue = new ToolsetCatalogue({ own: config.toolsets, aliases: registry });
    const selection = configuredSelection(config);
    this.configured = new BoundSelection(this.catalogue, [{
      source: "the configuration",
      selection,
    }]);
  }

  /**
   * Says of a tool whether the configuration offers it, and which toolsets list it.
   *
   * @param snapshot The table.
   * @param name The tool's name.
   * @returns The selection's part of an explanation.
   */
  explain(snapshot: RegistrySnapshot, name: string): NonNullable<Explanation["selection"]> {
    const reason = this.configured.whyNot(snapshot, name);
    return {
      enabled: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      listedBy: [...this.catalogue.listing(snapshot, name)],
    };
  }
}

/**
 * What the configuration offers.
 *
 * @param config The configuration.
 * @returns The selection, with names as they were written.
 */
export function configuredSelection({ enabledToolsets, disabledToolsets }: Config): Selection {
  return {
    ...(enabledToolsets && { toolsets: enabledToolsets }),
    ...(disabledToolsets && { disabledToolsets }),
  };
}

/**
 * Checks a selection of the embedding program's. A field that does not count would mean every tool.
 *
 * @param selection The selection.
 * @param known Fields that may be there beside those of a selection.
 * @throws {TypeError} If it has another field, or a field is no list of texts.
 */
export function assertSelection(selection: Selection, known: readonly string[] = []): void {
  if (typeof selection !== "object" || selection === null || Array.isArray(selection)) {
    throw new TypeError(`Cannot select tools: expected an object with ${FIELDS.join(", ")}`);
  }
  for (const [field, value] of Object.entries(selection)) {
    if (known.includes(field) || value === undefined) continue;
    if (!FIELDS.includes(field)) {
      throw new TypeError(
        `Cannot select tools by "${field}": expected ${[...FIELDS, ...known].join(", ")}`,
      );
    }
    if (Array.isArray(value) && value.every((name) => typeof name === "string")) continue;
    throw new TypeError(`Cannot select tools: "${field}" must be a list of names`);
  }
}
