/**
 * The way of a file that the manifest does not know: scan, closure, admission, declarations.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import {
  type Admission,
  AdmissionLine,
  type AdmissionOptions,
  type AdmissionRequest,
} from "./admission.ts";
import type { FileReader } from "./candidate_reader.ts";
import { type Closure, collectClosure } from "./closure.ts";
import { recordOf } from "./closure_record.ts";
import { parseDeclaration } from "./declaration.ts";
import type { AdmittedModule, DiscoveredTool } from "./discovery_types.ts";
import {
  completeTools,
  type EvaluationOptions,
  MAX_TOOLS,
  type Registrations,
  tooMany,
} from "./evaluation.ts";
import { diagnosticAt, FILE_START, hasError, withFailureWarning } from "./findings.ts";
import { inParallel } from "./in_parallel.ts";
import { isSafeToLoad } from "./safe_load.ts";
import { scanModule } from "./scan.ts";
import type { ModuleScan, ScannedTool } from "./scan_types.ts";
import type { Verdict } from "./verdict.ts";

/** A candidate with its bytes. */
export interface ModuleFile {
  /** The root's absolute real path. */
  readonly root: string;
  /** The root's path as it was given. */
  readonly dir: string;
  /** The file's path below it. */
  readonly relative: string;
  /** The file's absolute path below `dir`. */
  readonly path: string;
  /** Its absolute real path. */
  readonly real: string;
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of them, hexadecimal. */
  readonly hash: string;
}

/** What an inspection works with. */
export interface InspectOptions extends AdmissionOptions, EvaluationOptions {
  /** Reads the files. */
  readonly reader: FileReader;
}

/** What an inspection found. */
export interface Inspection {
  /** The verdict. */
  readonly verdict: Verdict;
  /** Whether another run may say something else about the same bytes: such a verdict is not kept. */
  readonly passing: boolean;
  /** The admitted closure, when the module is registered. */
  readonly admitted?: AdmittedModule;
}

interface Draft {
  readonly file: ModuleFile;
  readonly registrations: Registrations;
  readonly diagnostics: readonly Diagnostic[];
  readonly closure?: Closure;
  /** Whether loading the module is certain to succeed. */
  readonly safe?: boolean;
}

/**
 * Inspects files.
 *
 * @param files The files.
 * @param options What to work with.
 * @returns What was found, in their order. A file that cannot be inspected fails, and no other with it.
 */
export async function inspectModules(
  files: readonly ModuleFile[],
  options: InspectOptions,
): Promise<readonly Inspection[]> {
  const line = new AdmissionLine(options);
  const drafts: { draft: Draft; admission?: Promise<Admission> }[] = [];
  for (const file of files) {
    const draft = await draftOf(file, options);
    const request = requestOf(draft);
    drafts.push(request === undefined ? { draft } : { draft, admission: line.add(request) });
    if (line.full) await line.flush();
  }
  await line.flush();
  return inParallel(
    drafts,
    async ({ draft, admission }) => conclude(draft, await admission, options),
  );
}

async function draftOf(file: ModuleFile, options: InspectOptions): Promise<Draft> {
  try {
    return await readDraft(file, options);
  } catch (error) {
    const message = `Cannot scan the file: ${error instanceof Error ? error.message : error}`;
    const diagnostics = [diagnosticAt(file.path, FILE_START, { code: "scan_failed", message })];
    return { file, registrations: { literal: [], dynamic: [] }, diagnostics };
  }
}

async function readDraft(file: ModuleFile, options: InspectOptions): Promise<Draft> {
  const scan = await scanModule({ path: file.path, bytes: file.bytes });
  const { registrations, diagnostics } = readRegistrations(file.path, scan);
  if (scan.tools.length === 0) {
    return { file, registrations, diagnostics: [...scan.diagnostics, ...diagnostics] };
  }
  const closure = await collectClosure({
    ...file,
    entry: file.relative,
    imports: scan.imports,
    topLevel: scan.topLevel,
    importMap: options.importMap,
    reader: options.reader,
  });
  const all = [...scan.diagnostics, ...diagnostics, ...closure.diagnostics];
  const safe = !hasError(all) && await isSafeToLoad(closure.files);
  return { file, registrations, diagnostics: all, closure, safe };
}

function readRegistrations(
  path: string,
  scan: ModuleScan,
): { registrations: Registrations; diagnostics: readonly Diagnostic[] } {
  const literal: DiscoveredTool[] = [];
  const diagnostics: Diagnostic[] = [];
  const beyond = scan.tools[MAX_TOOLS];
  if (beyond !== undefined) diagnostics.push(tooMany(path, beyond, scan.tools.length));
  for (const tool of scan.tools.slice(0, MAX_TOOLS)) {
    if (tool.declaration === undefined) continue;
    const parsed = parseLiteral(path, tool);
    if ("declaration" in parsed) literal.push(parsed);
    else diagnostics.push(parsed);
  }
  const dynamic = scan.tools.filter((tool) => tool.declaration === undefined);
  return { registrations: { literal, dynamic }, diagnostics };
}

function parseLiteral(path: string, tool: ScannedTool): DiscoveredTool | Diagnostic {
  try {
    const declaration = parseDeclaration(tool.declaration, path);
    return { declaration, line: tool.line, column: tool.column };
  } catch (error) {
    const message = (error as Error).message;
    return diagnosticAt(path, tool, { code: "invalid_declaration", message });
  }
}

function requestOf({ file, closure, diagnostics }: Draft): AdmissionRequest | undefined {
  if (closure === undefined || hasError(diagnostics)) return undefined;
  return { path: file.path, dir: file.dir, closure };
}

async function conclude(
  draft: Draft,
  admission: Admission | undefined,
  options: InspectOptions,
): Promise<Inspection> {
  if (admission === undefined) {
    return { verdict: verdictOf(draft, draft.diagnostics), passing: false };
  }
  if (!admission.ok) {
    const diagnostics = [...draft.diagnostics, ...admission.diagnostics];
    return { verdict: verdictOf(draft, diagnostics), passing: admission.passing };
  }
  const { admitted } = admission;
  const { tools, diagnostics, passing } = await completeTools(
    admitted,
    draft.registrations,
    options,
  );
  const verdict = verdictOf(draft, [...draft.diagnostics, ...diagnostics]);
  if (verdict.status === "failed" || tools.length === 0) return { verdict, passing };
  const files = draft.closure?.files.map((file) => file.relative) ?? [];
  const { integrity } = admitted;
  const closure = recordOf(options.store, { integrity, files, safe: draft.safe === true });
  return { verdict: { ...verdict, status: "registered", tools, closure }, passing, admitted };
}

function verdictOf(draft: Draft, found: readonly Diagnostic[]): Verdict {
  const { file, closure } = draft;
  const diagnostics = withFailureWarning(file.path, found);
  return {
    dir: file.dir,
    relative: file.relative,
    status: hasError(diagnostics) ? "failed" : "no_tools",
    tools: [],
    diagnostics,
    inputs: closure?.inputs ?? [{ relative: file.relative, state: file.hash }],
  };
}
