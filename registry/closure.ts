/**
 * A module with every local file it imports, read once and checked on the way.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { FileReader } from "./candidate_reader.ts";
import { findCommentReferences } from "./comment_references.ts";
import { diagnosticAt, type Finding, type Place } from "./findings.ts";
import { checkCommentReference, checkReference } from "./import_rules.ts";
import { joinPath } from "./paths.ts";
import type { ImportMap } from "./resolve.ts";
import { scanImports } from "./scan.ts";
import type { ImportReference, ImportScan } from "./scan_types.ts";
import { JSON_MODULE, type TopLevel } from "./top_level.ts";

/** Most files of one closure. */
const MAX_FILES = 256;

/** A file of a closure. */
export interface ClosureFile {
  /** Its path below the root. */
  readonly relative: string;
  /** Its absolute real path. */
  readonly real: string;
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of them, hexadecimal. */
  readonly hash: string;
  /** What it imports when it runs: the specifier, and the local file it leads to (`""` for others). */
  readonly edges: ReadonlyMap<string, string>;
  /** Where each specifier stands. */
  readonly places: ReadonlyMap<string, Place>;
  /** What happens when it is loaded. */
  readonly topLevel: TopLevel;
}

/** What was looked at for a verdict: the same look gives the same verdict. */
export interface ClosureInput {
  /** The path below the root. */
  readonly relative: string;
  /** The bytes' hash, or why the file was not read. */
  readonly state: string;
}

/** A module with what it imports. */
export interface Closure {
  /** The module first, then the files in the order they were met. */
  readonly files: readonly ClosureFile[];
  /** Everything that was looked at. */
  readonly inputs: readonly ClosureInput[];
  /** Imports that are refused, each at its place. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The module to start from. */
export interface ClosureRequest {
  /** The root's absolute real path. */
  readonly root: string;
  /** The root's path as it was given; diagnostics speak of it. */
  readonly dir: string;
  /** The module's path below the root. */
  readonly entry: string;
  /** The module's absolute real path. */
  readonly real: string;
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of them. */
  readonly hash: string;
  /** Its imports. */
  readonly imports: readonly ImportReference[];
  /** What happens when it is loaded. */
  readonly topLevel: TopLevel;
  /** The names that may be imported. */
  readonly importMap: ImportMap;
  /** Reads the files. */
  readonly reader: FileReader;
}

interface Source {
  readonly relative: string;
  readonly real: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: string;
  readonly scan?: KnownScan;
}

type KnownScan = Pick<ImportScan, "imports" | "topLevel">;

/**
 * Reads a module's closure.
 *
 * @param request The module.
 * @returns Its files, and the imports that are refused.
 */
export async function collectClosure(request: ClosureRequest): Promise<Closure> {
  const walk = new ClosureWalk(request);
  await walk.run();
  return { files: walk.files, inputs: walk.inputs, diagnostics: walk.diagnostics };
}

class ClosureWalk {
  readonly files: ClosureFile[] = [];
  readonly inputs: ClosureInput[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #request: ClosureRequest;
  readonly #queue: Source[];
  readonly #met: Set<string>;

  constructor(request: ClosureRequest) {
    this.#request = request;
    const { entry: relative, real, bytes, hash, imports, topLevel } = request;
    this.#queue = [{ relative, real, bytes, hash, scan: { imports, topLevel } }];
    this.#met = new Set([relative]);
    this.inputs.push({ relative, state: hash });
  }

  async run(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      await this.#visit(next);
    }
  }

  async #visit(source: Source): Promise<void> {
    const { scan, ...file } = source;
    const { imports, topLevel } = scan ?? await this.#scan(source);
    const edges = new Map<string, string>();
    const places = new Map<string, Place>();
    for (const reference of imports) {
      const target = await this.#follow(source, reference);
      if (target === undefined) continue;
      if (edges.has(reference.specifier)) continue;
      edges.set(reference.specifier, target);
      places.set(reference.specifier, { line: reference.line, column: reference.column });
    }
    this.#checkComments(source);
    this.files.push({ ...file, edges, places, topLevel });
  }

  #checkComments(source: Source): void {
    if (source.relative.endsWith(".json")) return;
    const { root, importMap } = this.#request;
    for (const found of findCommentReferences(decode(source.bytes), source.relative)) {
      const context = { root, from: source.relative, importMap };
      const finding = checkCommentReference(found.specifier, context);
      if (finding !== undefined) this.#report(source, found, finding);
    }
  }

  async #scan(source: Source): Promise<KnownScan> {
    if (source.relative.endsWith(".json")) return this.#checkJson(source);
    const path = this.#pathOf(source.relative);
    const scan = await scanImports({ path, bytes: source.bytes });
    this.diagnostics.push(...scan.diagnostics);
    return scan;
  }

  #checkJson(source: Source): KnownScan {
    try {
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(source.bytes));
    } catch (error) {
      const message = `Cannot read "${source.relative}" as JSON: ${(error as Error).message}`;
      this.#report(source, { line: 1, column: 1 }, { code: "invalid_json", message });
    }
    return { imports: [], topLevel: JSON_MODULE };
  }

  /** Gives the local file an import leads to, `""` for others, `undefined` when it does not count. */
  async #follow(source: Source, reference: ImportReference): Promise<string | undefined> {
    const { root, importMap } = this.#request;
    const checked = checkReference(reference, { root, from: source.relative, importMap });
    if (!checked.ok) {
      this.#report(source, reference, checked.finding);
      return undefined;
    }
    if (reference.kind === "type" && !isJavaScript(source.relative)) return undefined;
    if (checked.relative === undefined) return "";
    await this.#read(source, reference, checked.relative);
    return checked.relative;
  }

  async #read(source: Source, reference: ImportReference, relative: string): Promise<void> {
    if (this.#met.has(relative)) return;
    this.#met.add(relative);
    const file = await this.#request.reader.read(this.#request.root, relative);
    const state = file.ok ? file.hash : file.fault;
    this.inputs.push({ relative, state });
    if (!file.ok) {
      const message = `Cannot import "${reference.specifier}": ${file.reason}`;
      this.#report(source, reference, { code: file.fault, message });
    } else if (this.#met.size > MAX_FILES) {
      const message = `Cannot import more than ${MAX_FILES} local files from one tool module`;
      this.#report(source, reference, { code: "closure_too_large", message });
    } else {
      this.#queue.push({ relative, real: file.real, bytes: file.bytes, hash: state });
    }
  }

  #report(source: Source, place: Place, finding: Finding): void {
    this.diagnostics.push(diagnosticAt(this.#pathOf(source.relative), place, finding));
  }

  #pathOf(relative: string): string {
    return joinPath(this.#request.dir, relative);
  }
}

/** In JavaScript there are no types: every import takes place. */
function isJavaScript(relative: string): boolean {
  return /\.m?js$/.test(relative);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
