/**
 * One run over candidates: the manifest answers where it can, the rest is inspected.
 * @module
 */
import {
  type Candidate,
  failedModule,
  type FileReader,
  type HashedLocalFile,
} from "./candidate_reader.ts";
import type { AdmittedModule, DiscoveredModule } from "./discovery_types.ts";
import { diagnosticAt, FILE_START } from "./findings.ts";
import type { Inspection, InspectOptions, ModuleFile } from "./inspect.ts";
import { verdictKey } from "./manifest.ts";
import type { Verdict } from "./verdict.ts";

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
  /** The verdicts of the manifest. */
  readonly known: ReadonlyMap<string, Verdict>;
  /** Reads the files. */
  readonly reader: FileReader;
}

type ReadFile = Extract<HashedLocalFile, { ok: true }>;

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
    const early = await Promise.all(candidates.map((item) => this.#judgeEarly(item)));
    const open = early.filter((item) => "bytes" in item);
    const inspected = (await this.#inspect(open)).values();
    return early.map((item) => "bytes" in item ? inspected.next().value as Judged : item);
  }

  /** Judges what needs no scan; gives the file when it needs one. */
  async #judgeEarly(candidate: Candidate): Promise<Judged | OpenFile> {
    const { root, realRoot, dir, relative, path } = candidate;
    const file = await this.#options.reader.read(realRoot, relative);
    if (!file.ok) {
      const message = `Cannot read "${path}": ${file.reason}`;
      const diagnostic = diagnosticAt(path, FILE_START, { code: file.fault, message });
      return { candidate, module: failedModule(root, path, diagnostic), hit: false };
    }
    const { bytes, real, hash } = file;
    const known = await this.#recall(candidate, file);
    return known ?? { root: realRoot, dir, relative, path, real, bytes, hash, candidate };
  }

  async #recall(candidate: Candidate, file: ReadFile): Promise<Judged | undefined> {
    const verdict = this.#options.known.get(verdictKey(candidate.dir, candidate.relative));
    if (verdict === undefined || verdict.inputs[0]?.state !== file.hash) return undefined;
    const files = await Promise.all(
      verdict.inputs.map((input) => this.#options.reader.read(candidate.realRoot, input.relative)),
    );
    const unchanged = verdict.inputs.every((input, index) => stateOf(files[index]) === input.state);
    if (!unchanged) return undefined;
    const read = new Map(verdict.inputs.map((input, index) => [input.relative, files[index]]));
    const admitted = await this.#restore(candidate, verdict, read);
    if (verdict.closure !== undefined && admitted === undefined) return undefined;
    return { candidate, module: moduleOf(candidate, verdict, admitted), hit: true, verdict };
  }

  /** Gives the admitted copy, checked; `undefined` when there is none or it cannot be made. */
  async #restore(
    candidate: Candidate,
    verdict: Verdict,
    read: ReadonlyMap<string, HashedLocalFile | undefined>,
  ): Promise<AdmittedModule | undefined> {
    if (verdict.closure === undefined) return undefined;
    const { integrity } = verdict.closure;
    const files = verdict.closure.files.flatMap((relative) => {
      const file = read.get(relative);
      return file?.ok ? [{ ...file, relative }] : [];
    });
    try {
      return await this.#options.store.admit({ path: candidate.path, integrity, files });
    } catch {
      return undefined;
    }
  }

  async #inspect(files: readonly OpenFile[]): Promise<Judged[]> {
    if (files.length === 0) return [];
    try {
      // Loaded only here: a start that the manifest answers does not pay for the parser.
      const { inspectModules } = await import("./inspect.ts");
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

function stateOf(file: HashedLocalFile | undefined): string | undefined {
  return file?.ok ? file.hash : file?.fault;
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
  return admitted === undefined ? base : { ...base, admitted };
}
