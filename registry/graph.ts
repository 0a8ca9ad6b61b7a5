/**
 * A second, independent view of what a module imports.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Closure, ClosureFile } from "./closure.ts";
import { diagnosticAt, FILE_START } from "./findings.ts";
import { joinPath } from "./paths.ts";
import type { ImportMap } from "./resolve.ts";

/** A closure as it lies in the store, to be looked at. */
export interface GraphRequest {
  /** The copy's root, an absolute real path. */
  readonly root: string;
  /** The module's path below it. */
  readonly entry: string;
  /** The bytes of every file, by path below the root. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** The names that may be imported. */
  readonly importMap: ImportMap;
}

/** What a file imports when it runs: the specifier, and the local file it leads to (`""` for others). */
export type GraphEdges = ReadonlyMap<string, string>;

/** What the view of one closure is. */
export type GraphView =
  | {
    readonly ok: true;
    /** The imports of each file reached, by path below the root. */
    readonly files: ReadonlyMap<string, GraphEdges>;
  }
  | {
    readonly ok: false;
    /** Why there is no view. */
    readonly reason: string;
    /** Whether another run may have one: the verdict is not kept. */
    readonly passing: boolean;
  };

/** Reads what modules import, without running them and without the network. */
export interface ModuleGraph {
  /** Which kind of view it is; verdicts of one kind do not stand for another. */
  readonly name: string;
  /** Gets ready to be asked soon; resolves when it is. */
  prepare?(): Promise<void>;
  /**
   * Reads several closures at once.
   *
   * @param requests The closures.
   * @returns A view for each, in their order. Never rejects.
   */
  read(requests: readonly GraphRequest[]): Promise<readonly GraphView[]>;
}

/**
 * Compares the view of a graph with what the syntax trees say.
 *
 * @param dir The root's path as it was given; diagnostics speak of it.
 * @param closure What the syntax trees say.
 * @param view What the graph says.
 * @returns Where they differ; empty when they agree.
 */
export function compareViews(dir: string, closure: Closure, view: GraphView): Diagnostic[] {
  const entry = closure.files[0]?.relative ?? "";
  if (!view.ok) {
    return [diagnosticAt(joinPath(dir, entry), FILE_START, {
      code: "graph_unavailable",
      message: `Cannot read the imports of "${entry}": ${view.reason}`,
    })];
  }
  // A file that only the graph reaches shows as an import that only the graph sees.
  return closure.files.flatMap((file) => compareFile(dir, file, view.files.get(file.relative)));
}

function compareFile(dir: string, file: ClosureFile, edges: GraphEdges | undefined): Diagnostic[] {
  const path = joinPath(dir, file.relative);
  if (edges === undefined) return [differs(path, FILE_START, "of this file as a whole")];
  const specifiers = new Set([...file.edges.keys(), ...edges.keys()]);
  return [...specifiers]
    .filter((specifier) => file.edges.get(specifier) !== edges.get(specifier))
    .map((specifier) =>
      differs(path, file.places.get(specifier) ?? FILE_START, `of "${specifier}"`)
    );
}

function differs(path: string, place: { line: number; column: number }, what: string): Diagnostic {
  return diagnosticAt(path, place, {
    code: "graph_disagreement",
    message:
      `Cannot admit the import ${what}: the resolver and the syntax tree read it differently`,
    hint: "Write the import as a plain import statement with a literal path",
  });
}
