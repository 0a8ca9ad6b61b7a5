/**
 * Admission: two views of a closure must agree before its copy may run.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Closure } from "./closure.ts";
import type { AdmittedModule } from "./discovery_types.ts";
import { diagnosticAt, FILE_START, hasError } from "./findings.ts";
import { compareViews, type GraphRequest, type GraphView, type ModuleGraph } from "./graph.ts";
import { hashClosure } from "./hash.ts";
import { inParallel } from "./in_parallel.ts";
import type { ImportMap } from "./resolve.ts";
import type { ModuleStore } from "./store.ts";
import { folderOfCopies } from "./store_files.ts";

/** A closure that asks to be admitted. */
export interface AdmissionRequest {
  /** The module's absolute path, as people know it. */
  readonly path: string;
  /** The root's path as it was given. */
  readonly dir: string;
  /** The closure. */
  readonly closure: Closure;
}

/** What admission works with. */
export interface AdmissionOptions {
  /** The names that may be imported. */
  readonly importMap: ImportMap;
  /** The second view. */
  readonly graph: ModuleGraph;
  /** Where the copies go. */
  readonly store: ModuleStore;
}

/** What became of a closure. */
export type Admission =
  | { readonly ok: true; readonly admitted: AdmittedModule }
  | {
    readonly ok: false;
    /** Why not. */
    readonly diagnostics: readonly Diagnostic[];
    /** Whether another run may say something else about the same bytes. */
    readonly passing: boolean;
  };

interface Staged {
  readonly request: AdmissionRequest;
  readonly outcome: Admission;
}

/**
 * Most closures that are looked at together. Fewer would be ready sooner, but on two cores the view's process
 * then takes from the scan what it wins (measured with batches of 32 and 48 among 80 files).
 */
const BATCH = 256;

/**
 * Copies closures into the store and has the copies looked at by the second view. The view reads the copies,
 * not the originals: what it sees is what was scanned and what will run. It works while the next files are
 * scanned.
 */
export class AdmissionLine {
  readonly #options: AdmissionOptions;
  #waiting: Waiting[] = [];

  /**
   * Starts with none.
   *
   * @param options What to work with.
   */
  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * Takes a closure.
   *
   * @param request The closure, without an error.
   * @returns What became of it; once enough have come or after {@linkcode AdmissionLine.flush}. Never rejects.
   */
  add(request: AdmissionRequest): Promise<Admission> {
    const { promise, resolve } = Promise.withResolvers<Admission>();
    this.#waiting.push({ request, resolve });
    return promise;
  }

  /** Whether enough closures wait to be looked at. */
  get full(): boolean {
    return this.#waiting.length >= BATCH;
  }

  /** Copies the closures that wait, and has the view begin with them. */
  async flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    const staged = await inParallel(batch, ({ request }) => stage(request, this.#options.store));
    void this.#settle(batch, staged);
  }

  async #settle(batch: readonly Waiting[], staged: readonly Staged[]): Promise<void> {
    const views = await readViews(staged, this.#options);
    for (const [index, item] of staged.entries()) {
      batch[index]?.resolve(settle(item, views.get(item), this.#options.store));
    }
  }
}

interface Waiting {
  readonly request: AdmissionRequest;
  readonly resolve: (admission: Admission) => void;
}

async function stage(request: AdmissionRequest, store: ModuleStore): Promise<Staged> {
  const { path, closure } = request;
  try {
    const integrity = await hashClosure(closure.files[0]?.relative ?? "", closure.files);
    const admitted = await store.admit({ path, integrity, files: closure.files });
    return { request, outcome: { ok: true, admitted } };
  } catch (error) {
    const message = `Cannot copy the module into the store: ${(error as Error).message}`;
    const diagnostic = diagnosticAt(path, FILE_START, { code: "store_unavailable", message });
    return { request, outcome: { ok: false, diagnostics: [diagnostic], passing: true } };
  }
}

async function readViews(
  staged: readonly Staged[],
  options: AdmissionOptions,
): Promise<ReadonlyMap<Staged, GraphView>> {
  const ready = staged.filter((item) => item.outcome.ok);
  const views = await askGraph(
    options.graph,
    ready.map(({ request, outcome }) => ({
      root: outcome.ok ? folderOfCopies(outcome.admitted) : "",
      entry: request.closure.files[0]?.relative ?? "",
      files: new Map(request.closure.files.map((file) => [file.relative, file.bytes])),
      importMap: options.importMap,
    })),
  );
  return new Map(ready.flatMap((item, index) => {
    const view = views[index];
    return view === undefined ? [] : [[item, view] as const];
  }));
}

async function askGraph(
  graph: ModuleGraph,
  requests: readonly GraphRequest[],
): Promise<readonly GraphView[]> {
  try {
    return await graph.read(requests);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return requests.map(() => ({ ok: false, reason, passing: true }));
  }
}

function settle(item: Staged, view: GraphView | undefined, store: ModuleStore): Admission {
  const { request, outcome } = item;
  if (!outcome.ok) return outcome;
  const missing: GraphView = { ok: false, reason: "the graph gave no answer", passing: true };
  const seen = view ?? missing;
  const diagnostics = compareViews(request.dir, request.closure, seen);
  if (!hasError(diagnostics)) return outcome;
  store.discard(outcome.admitted);
  return { ok: false, diagnostics, passing: !seen.ok && seen.passing };
}
