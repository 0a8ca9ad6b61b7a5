/**
 * What discovery takes and gives.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Owner, ToolDeclaration } from "../core/entry.ts";

/** A folder with tool files, and whose they are. */
export interface ToolRoot {
  /** The folder, absolute. */
  readonly dir: string;
  /** Who owns what is registered there. */
  readonly owner: Owner;
}

/** A tool found in a module, with its place. */
export interface DiscoveredTool {
  /** The declaration, checked. */
  readonly declaration: ToolDeclaration;
  /** The line of the registration, from 1. */
  readonly line: number;
  /** The column of the registration, from 1. */
  readonly column: number;
}

/** A file of an admitted closure: where it was read, and where its checked copy is. */
export interface AdmittedFile {
  /** The original's absolute real path. */
  readonly path: string;
  /** The copy's absolute real path in the store. */
  readonly stored: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
}

/** A module whose imports were admitted and whose bytes are in the store. */
export interface AdmittedModule {
  /** The module file's absolute path. */
  readonly path: string;
  /** Where its admitted copy is, as a `file:` URL. */
  readonly url: string;
  /** Hash of the module and everything it imports. */
  readonly integrity: string;
  /** The folder in the store that holds the copies, a real path. */
  readonly folder: string;
  /** The module itself first, then every local file it imports. */
  readonly files: readonly AdmittedFile[];
}

/**
 * What became of a file: `registered` its tools are good; `failed` it registers tools but one of them, or
 * the module, has an error, and none is taken; `no_tools` it registers nothing.
 */
export type ModuleStatus = "registered" | "failed" | "no_tools";

/** One candidate file after discovery. */
export interface DiscoveredModule {
  /** The file's absolute path. */
  readonly path: string;
  /** The root it was found in. */
  readonly root: ToolRoot;
  /** What became of it. */
  readonly status: ModuleStatus;
  /** Its tools; empty unless `registered`. */
  readonly tools: readonly DiscoveredTool[];
  /** The admitted closure; absent unless `registered`. */
  readonly admitted?: AdmittedModule;
  /** Whether loading it is certain to succeed, by what its files say; else somebody has to try. */
  readonly safe?: boolean;
  /** Findings, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a discovery of all roots gave. */
export interface DiscoveryOutcome {
  /** Every candidate, sorted by root order and then by path. */
  readonly modules: readonly DiscoveredModule[];
  /** How many files the manifest knew (`hits`) and how many were read anew (`misses`). */
  readonly cache: { readonly hits: number; readonly misses: number };
  /** Milliseconds it took. */
  readonly durationMs: number;
}

/** What evaluating a module without permissions gave. */
export type EvaluationOutcome =
  | {
    readonly ok: true;
    /** The registrations as plain data, unchecked; `line` and `column` are not known. */
    readonly declarations: readonly unknown[];
  }
  | {
    readonly ok: false;
    /** Why the module could not be evaluated. */
    readonly reason: string;
  };

/**
 * Evaluates a module whose declarations are not literal, in a worker without permissions and with a
 * deadline. The registry does not know how; the runtime injects it.
 */
export interface DeclarationEvaluator {
  /** Evaluates an admitted module. Never rejects. */
  evaluate(module: AdmittedModule): Promise<EvaluationOutcome>;
}
