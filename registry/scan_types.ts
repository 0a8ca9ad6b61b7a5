/**
 * What reading a module's syntax tree gives.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { JsonObject } from "../core/json.ts";
import type { TopLevel } from "./top_level.ts";

/** A module as it was read from the disk. */
export interface ModuleSource {
  /** The file's absolute path. */
  readonly path: string;
  /** Its content. */
  readonly bytes: Uint8Array;
}

/** A registration that the rule accepts. */
export interface ScannedTool {
  /** The line of the call, from 1. */
  readonly line: number;
  /** The column of the call, from 1. */
  readonly column: number;
  /** The tool's name, where the tree tells it. */
  readonly name?: string;
  /**
   * The registration in the shape of `ToolDeclaration`, unchecked; functions are flags. Absent when the
   * registration is legal but not literal, so that the module has to be evaluated.
   */
  readonly declaration?: JsonObject;
}

/** How a module names another one. `type` imports are gone when the module runs. */
export type ImportKind = "static" | "export" | "dynamic" | "type";

/** One place where a module names another one. */
export interface ImportReference {
  /** The specifier as written. */
  readonly specifier: string;
  /** The line of the import, from 1. */
  readonly line: number;
  /** The column of the import, from 1. */
  readonly column: number;
  /** How it is imported. */
  readonly kind: ImportKind;
  /** The import attributes; absent when there are none. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** What the import pass found in a module. */
export interface ImportScan {
  /** Every import with a literal specifier, in source order. */
  readonly imports: readonly ImportReference[];
  /** What cannot be admitted, in source order. */
  readonly diagnostics: readonly Diagnostic[];
  /** What happens when it is loaded. */
  readonly topLevel: TopLevel;
}

/** What a candidate tool file holds. */
export interface ModuleScan extends ImportScan {
  /** The registrations that the rule accepts, in source order. */
  readonly tools: readonly ScannedTool[];
}
