/**
 * One run over candidates: the manifest answers where it can, the rest is inspected.
 * @module
 */
import { type Candidate, failedModule, type HashedLocalFile } from "./candidate_reader.ts";
import type { AdmittedModule, DiscoveredModule } from "./discovery_types.ts";
import { diagnosticAt, FILE_START } from "./findings.ts";
import type { Inspection, InspectOptions, ModuleFile } from "./inspect.ts";
import { inParallel } from "./in_parallel.ts";
import { holdsTogether } from "./input_digest.ts";
import { type Manifest, verdictKey } from "./manifest.ts";
import { recordOf } from "./closure_record.ts";
import type { StoreRequest } from "./store.ts";
import type { ClosureRecord, Verdict } from "./verdict.ts";

/** A candidate with what became of it. */
export interface Judged {
  /** The candidate. */
  readonly candidate: Candidate;
  /** What became of it. */
  readonly module: DiscoveredModule;
  /** Whether the manifest knew it. */
  readonly hit: boolean;
  /** The verdict to keep; absent when there is none that would hold next time. */
  readonly verdict?: Verdict;
}

/** What a run works with. */
export interface RunOptions extends InspectOptions {
  /** The manifest. */
  readonly known: Manifest;
}

/** A candidate with what the manifest still knows of it. */
interface Recalled {
  readonly candidate: Candidate;
  readonly file: HashedLocalFile;
  readonly verdict?: Verdict;
  readonly copies?: StoreRequest;
}

/** Judges candidates. */
export class DiscoveryRun {
  readonly #options: RunOptions;

  /**
   * Makes a run.
   *
   * @param options What to work with.
   */
  constructor(options: RunOptions) {
    this.#options = options;
  }

  /**
   * Judges candidates.
   *
   * @param candidates The candidates.
   * @returns What became of each, in their order.
   */
  async judge(candidates: readonly Candidate[]): Promise<Judged[]> {
    const checking = this.#areUnchanged(candidates);
    // Looked up while the hash is made; what is found counts only if nothing has changed.
    const early = candidates.map((item) => this.#recallUnchanged(item));
    const unchanged = await checking;
    const settled = await inParallel(
      candidates,
      async (item, index): Promise<Judged | OpenFile> => {
        const known = unchanged ? early[index] : undefined;
        return known ?? await this.#settle(await this.#recall(item));
      },
    );
    const open = settled.filter((item) => "bytes" in item);
    const inspected = (await this.#inspect(open)).values();
    return settled.map((item) => "bytes" in item ? inspected.next().value as Judged : item);
  }

  async #areUnchanged(candidates: readonly Candidate[]): Promise<boolean> {
    const { known, reader } = this.#options;
    // A file is gone, or only some are looked at: then each has to be hashed by itself.
    if (known.bytes === undefined || candidates.length < known.verdicts.size) return false;
    const roots = new Map(candidates.map(({ dir, realRoot }) => [dir, realRoot]));
    return await holdsTogether([...known.verdicts.values()], known.bytes, { roots, reader });
  }

  /** Gives what the manifest knows of a candidate, if none of its files and copies has changed. */
  #recallUnchanged(candidate: Candidate): Judged | undefined {
    const { realRoot, dir, relative, path } = candidate;
    const { known, reader, store } = this.#options;
    const verdict = known.verdicts.get(verdictKey(dir, relative));
    if (known.bytes === undefined || verdict === undefined) return undefined;
    const { closure } = verdict;
    if (closure === undefined) return hitOf(candidate, verdict, undefined);
    if (closure.stamp === undefined) return undefined;
    const inputs = new Map<string, HashedLocalFile>();
    for (const input of verdict.inputs) {
      const file = reader.readBytes(realRoot, input.relative);
      inputs.set(input.relative, file.ok ? { ...file, hash: input.state } : file);
    }
    const admitted = store.recall(copiesOf(path, closure, inputs), closure.stamp);
    return admitted && hitOf(candidate, verdict, admitted);
  }

  /** Reads a candidate, and what the manifest knows of it when nothing that it rests on has changed. */
  async #recall(candidate: Candidate): Promise<Recalled> {
    const { realRoot, dir, relative, path } = candidate;
    const file = await this.#options.reader.read(realRoot, relative);
    const verdict = this.#options.known.verdicts.get(verdictKey(dir, relative));
    if (!file.ok || verdict === undefined || verdict.inputs[0]?.state !== file.hash) {
      return { candidate, file };
    }
    const inputs = new Map<string, HashedLocalFile>();
    for (const input of verdict.inputs) {
      const now = await this.#options.reader.read(realRoot, input.relative);
      if (stateOf(now) !== input.state) return { candidate, file };
      inputs.set(input.relative, now);
    }
    if (verdict.closure === undefined) return { candidate, file, verdict };
    return { candidate, file, verdict, copies: copiesOf(path, verdict.closure, inputs) };
  }

  /** Judges what needs no scan; gives the file when it needs one. */
  async #settle(recalled: Recalled): Promise<Judged | OpenFile> {
    const { candidate, file, verdict, copies } = recalled;
    if (!file.ok) return unreadable(candidate, file.fault, file.reason);
    if (verdict === undefined) return openFile(candidate, file);
    if (verdict.closure === undefined || copies === undefined) {
      return hitOf(candidate, verdict, undefined);
    }
    const { stamp } = verdict.closure;
    const known = stamp === undefined ? undefined : this.#options.store.recall(copies, stamp);
    if (known !== undefined) return hitOf(candidate, verdict, known);
    const admitted = await this.#restore(copies);
    if (admitted === undefined) return openFile(candidate, file);
    const closure = recordOf(this.#options.store, verdict.closure);
    return hitOf(candidate, { ...verdict, closure }, admitted);
  }

  /** Gives the admitted copy, read and checked; `undefined` when it cannot be made. */
  async #restore(copies: StoreRequest): Promise<AdmittedModule | undefined> {
    try {
      return await this.#options.store.admit(copies);
    } catch {
      return undefined;
    }
  }

  async #inspect(files: readonly OpenFile[]): Promise<Judged[]> {
    if (files.length === 0) return [];
    try {
      // Loaded only here: a start that the manifest answers does not pay for the parser.
      const [{ inspectModules }] = await Promise.all([
        import("./inspect.ts"),
        this.#options.graph.prepare?.(),
      ]);
      const inspections = await inspectModules(files, this.#options);
      return files.map((file, index) => judgedOf(file.candidate, inspections[index]));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return files.map((file) => lostCandidate(file.candidate, reason));
    }
  }
}

/** A candidate that has to be scanned. */
interface OpenFile extends ModuleFile {
  readonly candidate: Candidate;
}

function openFile(candidate: Candidate, file: Extract<HashedLocalFile, { ok: true }>): OpenFile {
  const { realRoot: root, dir, relative, path } = candidate;
  const { bytes, real, hash } = file;
  return { root, dir, relative, path, real, bytes, hash, candidate };
}

function hitOf(
  candidate: Candidate,
  verdict: Verdict,
  admitted: AdmittedModule | undefined,
): Judged {
  return { candidate, module: moduleOf(candidate, verdict, admitted), hit: true, verdict };
}

function stateOf(file: HashedLocalFile): string {
  return file.ok ? file.hash : file.fault;
}

function copiesOf(
  path: string,
  closure: ClosureRecord,
  inputs: ReadonlyMap<string, HashedLocalFile>,
): StoreRequest {
  const files = closure.files.flatMap((relative) => {
    const file = inputs.get(relative);
    return file?.ok ? [{ ...file, relative }] : [];
  });
  return { path, integrity: closure.integrity, files };
}

function unreadable(candidate: Candidate, code: string, reason: string): Judged {
  const { root, path } = candidate;
  const message = `Cannot read "${path}": ${reason}`;
  const diagnostic = diagnosticAt(path, FILE_START, { code, message });
  return { candidate, module: failedModule(root, path, diagnostic), hit: false };
}

function judgedOf(candidate: Candidate, inspection: Inspection | undefined): Judged {
  if (inspection === undefined) return lostCandidate(candidate, "the scan gave no answer");
  const { verdict, passing, admitted } = inspection;
  const module = moduleOf(candidate, verdict, admitted);
  return passing ? { candidate, module, hit: false } : { candidate, module, hit: false, verdict };
}

function lostCandidate(candidate: Candidate, reason: string): Judged {
  const { root, path } = candidate;
  const message = `Cannot scan the file: ${reason}`;
  const diagnostic = diagnosticAt(path, FILE_START, { code: "scan_failed", message });
  return { candidate, module: failedModule(root, path, diagnostic), hit: false };
}

function moduleOf(
  candidate: Candidate,
  verdict: Verdict,
  admitted: AdmittedModule | undefined,
): DiscoveredModule {
  const { root, path } = candidate;
  const { status, tools, diagnostics } = verdict;
  const base = { path, root, status, tools, diagnostics };
  if (admitted === undefined) return base;
  return { ...base, admitted, safe: verdict.closure?.safe === true };
}
