/**
 * Selections that hold together, each one narrowing what the one before left.
 * @module
 */
import type { RegistrySnapshot } from "../snapshot.ts";
import {
  isSelected,
  isUnlimited,
  type SelectedTools,
  selectTools,
  type ToolsetSelection,
} from "./tool_selection.ts";
import type { ToolsetCatalogue } from "./toolset_catalogue.ts";

/** A selection, and who made it. */
export interface SourcedSelection {
  /** Who made it, for sentences: `the configuration`, `this session`. */
  readonly source: string;
  /** The selection. */
  readonly selection: ToolsetSelection;
}

interface Lookup {
  readonly snapshot: RegistrySnapshot;
  readonly revision: number;
  readonly selected: readonly SelectedTools[];
}

/** Selections over the names of a catalogue. A tool is offered when every one of them holds it. */
export class BoundSelection {
  readonly #catalogue: ToolsetCatalogue;
  readonly #parts: readonly SourcedSelection[];
  #last: Lookup | undefined;

  /**
   * Binds selections.
   *
   * @param catalogue What the names of toolsets stand for.
   * @param parts The selections; such as leave nothing out are dropped.
   */
  constructor(catalogue: ToolsetCatalogue, parts: readonly SourcedSelection[]) {
    this.#catalogue = catalogue;
    this.#parts = parts.filter(({ selection }) => !isUnlimited(selection));
  }

  /** The selections that leave something out, in order. */
  get parts(): readonly SourcedSelection[] {
    return this.#parts;
  }

  /** Whether nothing is left out. */
  get isUnlimited(): boolean {
    return this.#parts.length === 0;
  }

  /** A text that is the same for the same selections while aliases stay as they are. */
  get key(): string {
    if (this.isUnlimited) return "";
    const lists = this.#parts.map(({ selection: { toolsets, disabledToolsets, names } }) => [
      toolsets ?? null,
      disabledToolsets ?? null,
      names ?? null,
    ]);
    return JSON.stringify([this.#catalogue.revision, lists]);
  }

  /**
   * The same selections and one more.
   *
   * @param source Who made it.
   * @param selection The selection.
   * @returns The narrower selection; this one when the other leaves nothing out.
   */
  narrowed(source: string, selection: ToolsetSelection): BoundSelection {
    if (isUnlimited(selection)) return this;
    return new BoundSelection(this.#catalogue, [...this.#parts, { source, selection }]);
  }

  /**
   * Whether a tool is offered.
   *
   * @param snapshot The table.
   * @param name The tool's name.
   * @returns True when every selection holds it.
   */
  has(snapshot: RegistrySnapshot, name: string): boolean {
    if (this.isUnlimited) return true;
    return this.#look(snapshot).every((selected) => isSelected(selected, name));
  }

  /**
   * The tools of a table that are offered.
   *
   * @param snapshot The table.
   * @returns Their names, sorted.
   */
  names(snapshot: RegistrySnapshot): readonly string[] {
    return snapshot.names().filter((name) => this.has(snapshot, name));
  }

  /**
   * Why a tool is not offered.
   *
   * @param snapshot The table.
   * @param name The tool's name.
   * @returns The reason, as a part of a sentence, or `undefined` when it is offered.
   */
  whyNot(snapshot: RegistrySnapshot, name: string): string | undefined {
    if (this.has(snapshot, name)) return undefined;
    const at = this.#look(snapshot).findIndex((selected) => !isSelected(selected, name));
    const { source, selection } = this.#parts[at]!;
    const { disabledToolsets = [] } = selection;
    const by = disabledToolsets.filter((toolset) =>
      this.#catalogue.removedBy(snapshot, toolset).has(name)
    );
    if (by.length > 0) return `${source} disables ${toolsetsText(by)}`;
    const toolset = snapshot.get(name)?.toolset;
    return `${source} does not select it${toolset === undefined ? "" : ` (toolset "${toolset}")`}`;
  }

  /**
   * The tools that the last selection asks for and an earlier one leaves out.
   *
   * @param snapshot The table.
   * @returns Their names, sorted, with the reasons.
   */
  refused(
    snapshot: RegistrySnapshot,
  ): readonly { readonly name: string; readonly reason: string }[] {
    if (this.#parts.length < 2) return [];
    const last = this.#look(snapshot).at(-1)!;
    if (!last.chosen) return [];
    return [...last.chosen].filter((name) =>
      snapshot.has(name) && isSelected(last, name) && !this.has(snapshot, name)
    ).sort().map((name) => Object.freeze({ name, reason: this.#reason(snapshot, name) }));
  }

  #reason(snapshot: RegistrySnapshot, name: string): string {
    const reason = this.whyNot(snapshot, name)!;
    return `${reason[0]!.toUpperCase()}${reason.slice(1)}`;
  }

  #look(snapshot: RegistrySnapshot): readonly SelectedTools[] {
    const { revision } = this.#catalogue;
    if (this.#last?.snapshot !== snapshot || this.#last.revision !== revision) {
      const selected = this.#parts.map(({ selection }) =>
        selectTools(selection, this.#catalogue, snapshot)
      );
      this.#last = { snapshot, revision, selected };
    }
    return this.#last.selected;
  }
}

const MOST_NAMED = 3;

function toolsetsText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name}"`).join(", ");
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return `${names.length === 1 ? "toolset" : "toolsets"} ${shown}${more}`;
}
