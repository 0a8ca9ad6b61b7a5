/**
 * Selections that hold together, each one narrowing what the one before left.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { RegistrySnapshot } from "../snapshot.ts";
import { withEntry } from "../snapshot_overlay.ts";
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

/** A tool that a selection offers beside those of the table. */
export interface AddedTool {
  /** The tool; nothing is added where the table holds its name. */
  readonly entry: ToolEntry;
  /** Whether a tool that is offered makes it needless. */
  readonly isNeedless: (offered: ToolEntry) => boolean;
}

/** An added tool belongs to the selections that were there when it was added. */
interface Addition extends AddedTool {
  readonly parts: number;
}

interface View {
  readonly snapshot: RegistrySnapshot;
  readonly revision: number;
  readonly view: RegistrySnapshot;
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
  readonly #addition: Addition | undefined;
  #last: Lookup | undefined;
  #view: View | undefined;

  /**
   * Binds selections.
   *
   * @param catalogue What the names of toolsets stand for.
   * @param parts The selections; such as leave nothing out are dropped.
   * @param addition A tool beside those of the table.
   */
  constructor(
    catalogue: ToolsetCatalogue,
    parts: readonly SourcedSelection[],
    addition?: AddedTool & { readonly parts: number },
  ) {
    this.#catalogue = catalogue;
    this.#addition = addition;
    this.#parts = parts.filter(({ selection }) => !isUnlimited(selection));
  }

  /** The selections that leave something out, in order. */
  get parts(): readonly SourcedSelection[] {
    return this.#parts;
  }

  /** Whether nothing is left out, and nothing added. */
  get isUnlimited(): boolean {
    return this.#parts.length === 0 && this.#addition === undefined;
  }

  /** A text that is the same for the same selections while aliases stay as they are. */
  get key(): string {
    if (this.isUnlimited) return "";
    const lists = this.#parts.map(({ selection: { toolsets, disabledToolsets, names } }) => [
      toolsets ?? null,
      disabledToolsets ?? null,
      names ?? null,
    ]);
    const added = this.#addition && [this.#addition.entry.name, this.#addition.parts];
    return JSON.stringify([this.#catalogue.revision, lists, added ?? null]);
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
    const parts = [...this.#parts, { source, selection }];
    return new BoundSelection(this.#catalogue, parts, this.#addition);
  }

  /**
   * The same selections and a tool beside those of the table. It is offered while they offer some tool, and none
   * that makes it needless; to disable its toolset takes it away.
   *
   * @param added The tool.
   * @returns The wider selection.
   */
  withTool(added: AddedTool): BoundSelection {
    const addition = { ...added, parts: this.#parts.length };
    return new BoundSelection(this.#catalogue, this.#parts, addition);
  }

  /**
   * The table as these selections see it.
   *
   * @param snapshot The table.
   * @returns The same one, with the added tool where it is offered.
   */
  view(snapshot: RegistrySnapshot): RegistrySnapshot {
    const added = this.#addition;
    if (!added || snapshot.has(added.entry.name)) return snapshot;
    const { revision } = this.#catalogue;
    if (this.#view?.snapshot !== snapshot || this.#view.revision !== revision) {
      const view = this.#needs(snapshot, added) ? withEntry(snapshot, added.entry) : snapshot;
      this.#view = { snapshot, revision, view };
    }
    return this.#view.view;
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
    return this.#firstAgainst(snapshot, name) === -1;
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
    const at = this.#firstAgainst(snapshot, name);
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

  // Selections that knew nothing of an added tool may only disable it.
  #firstAgainst(snapshot: RegistrySnapshot, name: string): number {
    const added = this.#addition;
    const exempt = added && snapshot.get(name) === added.entry ? added.parts : 0;
    return this.#look(snapshot).findIndex((selected, index) =>
      index < exempt ? selected.disabled.has(name) : !isSelected(selected, name)
    );
  }

  #needs(snapshot: RegistrySnapshot, { isNeedless, parts }: Addition): boolean {
    const looked = this.#look(snapshot).slice(0, parts);
    const offered = snapshot.entries().filter(({ name }) =>
      looked.every((selected) => isSelected(selected, name))
    );
    return offered.length > 0 && !offered.some(isNeedless);
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
