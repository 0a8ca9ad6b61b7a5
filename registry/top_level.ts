/**
 * What a module's top level does when the module is loaded, as far as the syntax tree is certain of it.
 * @module
 */

/** What a module takes from another one when it is loaded. */
export interface ImportNeed {
  /** The specifier as written. */
  readonly specifier: string;
  /** The names that the other one has to export; none for an import of the whole. */
  readonly names: readonly string[];
}

/** A module's top level. */
export interface TopLevel {
  /** Whether it neither throws nor waits nor does anything to others, once its imports are loaded. */
  readonly harmless: boolean;
  /** The values that it exports. */
  readonly exports: ReadonlySet<string>;
  /** What it takes from other modules. */
  readonly needs: readonly ImportNeed[];
}

/** A top level that says nothing for certain. */
export const UNCERTAIN: TopLevel = Object.freeze({
  harmless: false,
  exports: new Set<string>(),
  needs: Object.freeze([]),
});

/** The top level of a JSON file. */
export const JSON_MODULE: TopLevel = Object.freeze({
  harmless: true,
  exports: new Set(["default"]),
  needs: Object.freeze([]),
});
