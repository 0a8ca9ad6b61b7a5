/**
 * Everything that has the name of a toolset.
 * @module
 */
import type { RegistrySnapshot } from "../snapshot.ts";
import { nearestWords } from "../nearest.ts";
import { CORE_TOOLS } from "./builtin_toolsets.ts";
import { compositionsWith, type OwnToolset, type ToolsetComposition } from "./composition.ts";
import { LEGACY_TOOLSETS } from "./legacy_toolsets.ts";
import {
  isEverything,
  type ResolvedToolset,
  resolveToolset,
  type ToolsetView,
} from "./resolve_toolset.ts";
import { registeredToolsets } from "./toolset_index.ts";

/** The aliases of a table. */
export interface AliasSource {
  /** How often aliases changed. */
  readonly aliasRevision: number;
  /** The toolset that an alias stands for. */
  getToolsetAliasTarget(alias: string): string | undefined;
  /** All aliases. */
  getRegisteredToolsetAliases(): ReadonlyMap<string, string>;
}

/** Options of {@linkcode ToolsetCatalogue}. */
export interface ToolsetCatalogueOptions {
  /** The operator's compositions. */
  readonly own?: { readonly [name: string]: OwnToolset };
  /** The aliases of the table. */
  readonly aliases: AliasSource;
}

interface Listings {
  readonly snapshot: RegistrySnapshot;
  readonly revision: number;
  readonly byTool: ReadonlyMap<string, readonly string[]>;
}

/** Answers what the names of toolsets stand for, over any snapshot of the table. */
export class ToolsetCatalogue {
  readonly #compositions: ReadonlyMap<string, ToolsetComposition>;
  readonly #own: readonly string[];
  readonly #aliases: AliasSource;
  #listings: Listings | undefined;

  /**
   * Makes a catalogue.
   *
   * @param options The operator's compositions, and the table's aliases.
   */
  constructor({ own = {}, aliases }: ToolsetCatalogueOptions) {
    this.#compositions = compositionsWith(own);
    this.#own = Object.freeze(Object.keys(own).sort());
    this.#aliases = aliases;
  }

  /** How often aliases changed: what was resolved holds for one snapshot and one revision. */
  get revision(): number {
    return this.#aliases.aliasRevision;
  }

  /** Names of the operator's compositions, sorted. */
  get ownNames(): readonly string[] {
    return this.#own;
  }

  /**
   * All names of toolsets, sorted: compositions, registered toolsets and aliases.
   *
   * @param snapshot The table.
   * @returns The names.
   */
  names(snapshot: RegistrySnapshot): readonly string[] {
    return [
      ...new Set([
        ...this.#compositions.keys(),
        ...registeredToolsets(snapshot).keys(),
        ...this.#aliases.getRegisteredToolsetAliases().keys(),
      ]),
    ].sort();
  }

  /**
   * The tools of a toolset.
   *
   * @param snapshot The table.
   * @param name A composition, a registered toolset, an alias, `all` or `*`.
   * @returns The tools; none, and `found` false, for a name that nothing has.
   */
  resolve(snapshot: RegistrySnapshot, name: string): ResolvedToolset {
    return resolveToolset(name, this.#view(snapshot));
  }

  /**
   * What disabling a toolset takes away. Bundles give up only what they do not share with others.
   *
   * @param snapshot The table.
   * @param name The toolset.
   * @returns Names of tools, also of such as the table does not have now.
   */
  removedBy(snapshot: RegistrySnapshot, name: string): ReadonlySet<string> {
    const target = this.#aliases.getToolsetAliasTarget(name);
    const view = this.#view(snapshot);
    const removed = new Set<string>();
    for (const part of target === undefined ? [name] : [name, target]) {
      const { tools } = resolveToolset(part, view, { followsAlias: false });
      const kept = this.isBundle(part) ? CORE_TOOLS : undefined;
      for (const tool of tools) if (!kept?.has(tool)) removed.add(tool);
    }
    return removed;
  }

  /**
   * Whether disabling a toolset keeps the shared tools.
   *
   * @param name The toolset; aliases do not count.
   * @returns True for a bundle.
   */
  isBundle(name: string): boolean {
    return this.#compositions.get(name)?.isBundle ?? false;
  }

  /**
   * The toolsets that list a tool, aliases included.
   *
   * @param snapshot The table.
   * @param tool The tool's name.
   * @returns Their names, sorted; bundles come last.
   */
  listing(snapshot: RegistrySnapshot, tool: string): readonly string[] {
    const { revision } = this;
    if (this.#listings?.snapshot !== snapshot || this.#listings.revision !== revision) {
      this.#listings = { snapshot, revision, byTool: this.#listAll(snapshot) };
    }
    return this.#listings.byTool.get(tool) ?? [];
  }

  /**
   * Names of toolsets that somebody may have meant.
   *
   * @param snapshot The table.
   * @param name What was written.
   * @returns The near names, nearest first.
   */
  nearToolsets(snapshot: RegistrySnapshot, name: string): readonly string[] {
    if (isEverything(name)) return [];
    return nearestWords(name, [...this.names(snapshot), ...LEGACY_TOOLSETS.keys()], 3);
  }

  // Lists of tools ask for one tool after another.
  #listAll(snapshot: RegistrySnapshot): ReadonlyMap<string, readonly string[]> {
    const byTool = new Map<string, string[]>();
    const names = this.names(snapshot);
    const isBundle = (name: string) => this.isBundle(name);
    for (const name of [...names.filter((one) => !isBundle(one)), ...names.filter(isBundle)]) {
      for (const tool of this.resolve(snapshot, name).tools) {
        const listing = byTool.get(tool);
        if (listing) listing.push(name);
        else byTool.set(tool, [name]);
      }
    }
    return byTool;
  }

  #view(snapshot: RegistrySnapshot): ToolsetView {
    return {
      snapshot,
      compositions: this.#compositions,
      alias: (name) => this.#aliases.getToolsetAliasTarget(name),
    };
  }
}
