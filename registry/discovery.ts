/**
 * Discovery: from folders to checked declarations, without running a tool file.
 * @module
 */
import {
  type Candidate,
  candidateAt,
  candidatesOf,
  failedModule,
  FileReader,
} from "./candidate_reader.ts";
import { defaultGraph } from "./default_graph.ts";
import { discoveryKey } from "./discovery_key.ts";
import type {
  AdmittedModule,
  DeclarationEvaluator,
  DiscoveredModule,
  DiscoveryOutcome,
  ToolRoot,
} from "./discovery_types.ts";
import { settleDuplicates } from "./duplicate_names.ts";
import { diagnosticAt, FILE_START } from "./findings.ts";
import type { ModuleGraph } from "./graph.ts";
import { digestSeen } from "./input_digest.ts";
import { type Manifest, readManifest, verdictKey, writeManifest } from "./manifest.ts";
import { loadManifestKey } from "./manifest_key.ts";
import { relativeInside, trimSlash } from "./paths.ts";
import { DiscoveryRun, type Judged } from "./discovery_run.ts";
import type { ImportMap } from "./resolve.ts";
import { ModuleStore } from "./store.ts";
import type { Verdict } from "./verdict.ts";

/** What a discovery works with. */
export interface DiscoveryOptions {
  /** Where manifest and store are kept, an absolute path. It need not exist or be writable. */
  readonly cacheDir: string;
  /**
   * The file of the secret that the manifest is sealed with, outside of the cache folder; made when it is missing.
   * Without one there is no manifest, and every start scans anew.
   */
  readonly keyFile?: string;
  /** The names that tool files may import, with what they stand for: the tool module and the packages. */
  readonly importMap: ImportMap;
  /** The second view of imports. @default {`deno info` where `deno` may be started, else a lexer} */
  readonly graph?: ModuleGraph;
  /** Evaluates declarations that are not literal; without it they are errors. */
  readonly evaluator?: DeclarationEvaluator;
  /** The program that resolves imports, by name or absolute path. @default {"deno"} */
  readonly denoCommand?: string;
  /** Milliseconds after which the evaluation of one module is given up. @default {10_000} */
  readonly deadlineMs?: number;
}

/** Finds the tools of folders and keeps what it learned in a cache folder. */
export class Discovery implements Disposable {
  readonly #options: DiscoveryOptions;
  readonly #graph: ModuleGraph;
  readonly #store: ModuleStore;
  #key: string | undefined;
  #secret: Promise<CryptoKey | undefined> | undefined;

  /**
   * Makes a discovery; nothing is read yet.
   *
   * @param options What to work with.
   */
  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#graph = options.graph ?? defaultGraph(options.denoCommand ?? "deno");
    this.#store = new ModuleStore(options.cacheDir);
  }

  /** Whether copies are in a temporary folder, because the cache folder could not be written. */
  get hasTemporary(): boolean {
    return this.#store.hasTemporary;
  }

  /**
   * Discovers the tools of folders. A bad file costs its own tools and nothing else.
   *
   * @param roots The folders, in the order that counts when two files of an owner share a name.
   * @returns Every candidate with its tools or its faults. Never rejects because of a file.
   */
  async discover(roots: readonly ToolRoot[]): Promise<DiscoveryOutcome> {
    const start = performance.now();
    const listed = roots.map(candidatesOf);
    const candidates = listed.flatMap((item) => isList(item) ? item : []);
    const judged = await this.#judge(candidates, new Set(roots.map((root) => trimSlash(root.dir))));
    const found = judged.values();
    const modules = listed.flatMap((item) =>
      isList(item) ? item.map(() => found.next().value as Judged).map(({ module }) => module) : item
    );
    const hits = judged.filter((item) => item.hit).length;
    return {
      modules: settleDuplicates(this.#noteTemporaryStore(modules)),
      cache: { hits, misses: judged.length - hits },
      durationMs: performance.now() - start,
    };
  }

  /**
   * Looks at one file again, for example because it was edited. Names that other files hold are not
   * compared.
   *
   * @param module The file as it was discovered before.
   * @returns The file as it is now. Never rejects because of the file.
   */
  async rescan(module: DiscoveredModule): Promise<DiscoveredModule> {
    const { root, path, admitted } = module;
    if (admitted !== undefined) this.#store.forget(admitted);
    const relative = relativeInside(trimSlash(root.dir), path);
    try {
      const candidate = candidateAt(root, Deno.realPathSync(root.dir), relative ?? path);
      const [judged] = await this.#judge([candidate], new Set());
      if (judged !== undefined) return judged.module;
    } catch {
      // Without its folder the file is gone too.
    }
    const message = `Cannot read "${path}": there is no such file`;
    const diagnostic = diagnosticAt(path, FILE_START, { code: "import_not_found", message });
    return failedModule(root, path, diagnostic);
  }

  /**
   * Puts checked copies back that are gone, as when the cache folder was emptied.
   *
   * @param module The admitted module.
   * @returns Whether they are there again; false when its files are no longer what was admitted, or the copies
   * can only be put elsewhere.
   */
  restore(module: AdmittedModule): Promise<boolean> {
    return this.#store.restore(module);
  }

  /**
   * Removes from the temporary folder what no module uses any more.
   *
   * @param modules Every module that may still be run.
   */
  pruneTemporary(modules: readonly AdmittedModule[]): void {
    this.#store.pruneTemporary(modules);
  }

  /** Removes what lies in temporary folders; what is in the cache folder stays. */
  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }

  async #judge(candidates: readonly Candidate[], whole: ReadonlySet<string>): Promise<Judged[]> {
    const { cacheDir, importMap, keyFile } = this.#options;
    this.#key ??= await discoveryKey(importMap, this.#graph.name);
    const secret = keyFile === undefined
      ? undefined
      : await (this.#secret ??= loadManifestKey(keyFile));
    const known: Manifest = secret
      ? await readManifest(cacheDir, this.#key, secret)
      : { verdicts: new Map() };
    const reader = new FileReader();
    const run = new DiscoveryRun({
      ...this.#options,
      deadlineMs: this.#options.deadlineMs ?? 10_000,
      graph: this.#graph,
      store: this.#store,
      known,
      reader,
    });
    const judged = await run.judge(candidates);
    const verdicts = nextVerdicts(known.verdicts, judged, whole);
    const roots = new Map(candidates.map(({ dir, realRoot }) => [dir, realRoot]));
    const next = verdicts ?? [...known.verdicts.values()];
    if (!secret || (verdicts === undefined && known.bytes !== undefined)) return judged;
    const bytes = await digestSeen(next, { roots, reader });
    if (verdicts !== undefined || bytes !== undefined) {
      await this.#keep(this.#key, secret, { verdicts: next, bytes });
    }
    return judged;
  }

  async #keep(
    key: string,
    secret: CryptoKey,
    content: { readonly verdicts: readonly Verdict[]; readonly bytes?: string },
  ): Promise<void> {
    const { verdicts } = content;
    const written = await writeManifest(this.#options.cacheDir, key, secret, content);
    const used = verdicts.flatMap(({ closure }) => closure?.integrity ?? []);
    if (written) this.#store.prune(new Set(used));
  }

  #noteTemporaryStore(modules: readonly DiscoveredModule[]): readonly DiscoveredModule[] {
    const index = modules.findIndex(({ admitted }) =>
      admitted && this.#store.isTemporary(admitted)
    );
    const module = modules[index];
    if (module === undefined) return modules;
    const note = diagnosticAt(module.path, FILE_START, {
      severity: "info",
      code: "cache_not_writable",
      message:
        `Cannot write "${this.#options.cacheDir}": admitted copies are in a temporary folder`,
      hint: "Make the cache folder writable, so that the next start need not scan again",
    });
    return modules.with(index, { ...module, diagnostics: [note, ...module.diagnostics] });
  }
}

function isList(item: readonly Candidate[] | DiscoveredModule): item is readonly Candidate[] {
  return Array.isArray(item);
}

/** The verdicts to keep, or `undefined` when they are the ones that are kept already. */
function nextVerdicts(
  known: ReadonlyMap<string, Verdict>,
  judged: readonly Judged[],
  whole: ReadonlySet<string>,
): readonly Verdict[] | undefined {
  const next = new Map([...known].filter(([, verdict]) => !whole.has(verdict.dir)));
  for (const { candidate, verdict } of judged) {
    const key = verdictKey(candidate.dir, candidate.relative);
    if (verdict === undefined) next.delete(key);
    else next.set(key, verdict);
  }
  const same = next.size === known.size &&
    [...next].every(([key, item]) => known.get(key) === item);
  return same ? undefined : [...next.values()].filter(rootExists);
}

function rootExists(verdict: Verdict): boolean {
  try {
    return Deno.statSync(verdict.dir).isDirectory;
  } catch {
    return false;
  }
}
