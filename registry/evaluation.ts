/**
 * Declarations that are not literal: evaluated without permissions, and held against the syntax tree.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { ToolDeclaration } from "../core/entry.ts";
import { parseDeclaration } from "./declaration.ts";
import type {
  AdmittedModule,
  DeclarationEvaluator,
  DiscoveredTool,
  EvaluationOutcome,
} from "./discovery_types.ts";
import { diagnosticAt, FILE_START, type Place } from "./findings.ts";
import type { ScannedTool } from "./scan_types.ts";

/** Most tools of one module. */
export const MAX_TOOLS = 256;

/** The registrations of a module: those that are known, and the places of those that are not. */
export interface Registrations {
  /** The tools whose declaration is literal. */
  readonly literal: readonly DiscoveredTool[];
  /** The registrations that have to be evaluated. */
  readonly dynamic: readonly ScannedTool[];
}

/** What the registrations come to. */
export interface CompletedTools {
  /** All tools. */
  readonly tools: readonly DiscoveredTool[];
  /** What is wrong with them. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether another run may say something else about the same bytes. */
  readonly passing: boolean;
}

/** How modules are evaluated. */
export interface EvaluationOptions {
  /** Evaluates a module; without it nothing is evaluated. */
  readonly evaluator?: DeclarationEvaluator;
  /** Milliseconds after which an evaluation is given up. */
  readonly deadlineMs: number;
}

/**
 * Completes a module's tools.
 *
 * @param module The admitted module.
 * @param registrations Its registrations.
 * @param options How to evaluate.
 * @returns All its tools. Never rejects.
 */
export async function completeTools(
  module: AdmittedModule,
  registrations: Registrations,
  options: EvaluationOptions,
): Promise<CompletedTools> {
  const { literal, dynamic } = registrations;
  if (dynamic.length === 0) return { tools: literal, diagnostics: [], passing: false };
  if (options.evaluator === undefined) return notEvaluated(module.path, dynamic);
  const outcome = await evaluateBounded(options.evaluator, module, options.deadlineMs);
  if (outcome.ok) return match(module.path, registrations, outcome.declarations);
  const message = `Cannot evaluate the module: ${outcome.reason}`;
  const finding = { code: "evaluation_failed", message };
  return failed([diagnosticAt(module.path, dynamic[0] ?? FILE_START, finding)], true);
}

function notEvaluated(path: string, dynamic: readonly ScannedTool[]): CompletedTools {
  const finding = {
    code: "not_evaluated",
    message: "Cannot read this registration: it is not literal, and nothing here can evaluate it",
    hint:
      "Write the registration as a literal object, or run discovery where workers can be started",
  };
  return failed(dynamic.map((site) => diagnosticAt(path, site, finding)), true);
}

async function evaluateBounded(
  evaluator: DeclarationEvaluator,
  module: AdmittedModule,
  deadlineMs: number,
): Promise<EvaluationOutcome> {
  const late = Promise.withResolvers<EvaluationOutcome>();
  const reason = `it did not end within ${deadlineMs} ms`;
  const timer = setTimeout(() => late.resolve({ ok: false, reason }), deadlineMs);
  try {
    return await Promise.race([evaluator.evaluate(module), late.promise]);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

function match(
  path: string,
  registrations: Registrations,
  values: readonly unknown[],
): CompletedTools {
  const anywhere = registrations.dynamic.find((site) => site.name === undefined) ??
    registrations.dynamic[0] ?? FILE_START;
  if (values.length > MAX_TOOLS) return failed([tooMany(path, anywhere, values.length)], false);
  const matcher = new SiteMatcher(path, registrations);
  for (const value of values) matcher.take(value, anywhere);
  const { tools, diagnostics } = matcher.finish();
  return diagnostics.length > 0
    ? failed(diagnostics, false)
    : { tools, diagnostics, passing: false };
}

/**
 * Says that a module registers too many tools.
 *
 * @param path The module's absolute path.
 * @param place Where.
 * @param count How many there are.
 * @returns The diagnostic.
 */
export function tooMany(path: string, place: Place, count: number): Diagnostic {
  return diagnosticAt(path, place, {
    code: "too_many_tools",
    message: `Cannot take ${count} tools from one module: expected at most ${MAX_TOOLS}`,
    hint: "Split the module",
  });
}

/** Finds for each evaluated declaration the place that made it. */
class SiteMatcher {
  readonly #path: string;
  readonly #literal: ReadonlyMap<string, DiscoveredTool>;
  readonly #named: ReadonlyMap<string, ScannedTool>;
  readonly #nameless: readonly ScannedTool[];
  readonly #taken = new Map<string, DiscoveredTool>();
  readonly #diagnostics: Diagnostic[] = [];
  #next = 0;

  constructor(path: string, { literal, dynamic }: Registrations) {
    this.#path = path;
    this.#literal = new Map(literal.map((tool) => [tool.declaration.name, tool]));
    this.#named = new Map(dynamic.flatMap((site) => site.name ? [[site.name, site]] : []));
    this.#nameless = dynamic.filter((site) => site.name === undefined);
  }

  take(value: unknown, anywhere: Place): void {
    const declaration = this.#parse(value, anywhere);
    if (declaration === undefined) return;
    const { name } = declaration;
    if (this.#taken.has(name)) {
      return this.#report(anywhere, "duplicate_name", `the module registers "${name}" twice`);
    }
    const place = this.#placeOf(declaration, anywhere);
    if (place === undefined) return;
    this.#taken.set(name, { declaration, line: place.line, column: place.column });
  }

  finish(): { tools: readonly DiscoveredTool[]; diagnostics: readonly Diagnostic[] } {
    for (const [name, site] of [...this.#literal, ...this.#named]) {
      if (this.#taken.has(name)) continue;
      this.#report(
        site,
        "declaration_disagreement",
        `running the module does not register "${name}"`,
      );
    }
    const tools = [...this.#taken.values()].toSorted((a, b) =>
      a.line - b.line || a.column - b.column
    );
    return { tools, diagnostics: this.#diagnostics };
  }

  #parse(value: unknown, place: Place): ToolDeclaration | undefined {
    try {
      return parseDeclaration(value, this.#path);
    } catch (error) {
      const message = (error as Error).message;
      this.#diagnostics.push(
        diagnosticAt(this.#path, place, { code: "invalid_declaration", message }),
      );
      return undefined;
    }
  }

  #placeOf(declaration: ToolDeclaration, anywhere: Place): Place | undefined {
    const { name } = declaration;
    const literal = this.#literal.get(name);
    if (literal !== undefined) return this.#agree(literal, declaration) ? literal : undefined;
    const site = this.#named.get(name) ?? this.#nameless[this.#next];
    if (site === undefined) {
      this.#report(anywhere, "declaration_disagreement", `no statement of it registers "${name}"`);
      return undefined;
    }
    // The last nameless statement may be a loop's: it takes whatever is left.
    if (site.name === undefined && this.#next < this.#nameless.length - 1) this.#next++;
    return site;
  }

  #agree(literal: DiscoveredTool, evaluated: ToolDeclaration): boolean {
    const same = permissionsText(literal.declaration) === permissionsText(evaluated);
    if (same) return true;
    const what = `"${evaluated.name}" has other permissions when the module runs`;
    this.#report(literal, "declaration_disagreement", what);
    this.#taken.set(evaluated.name, literal);
    return false;
  }

  #report(place: Place, code: string, what: string): void {
    const message = `Cannot take the module's tools: ${what}`;
    this.#diagnostics.push(diagnosticAt(this.#path, place, { code, message }));
  }
}

function permissionsText(declaration: ToolDeclaration): string {
  const entries = Object.entries(declaration.permissions ?? {})
    .filter(([, value]) => Array.isArray(value) && value.length > 0)
    .map(([key, value]) => [key, (value as readonly string[]).toSorted()] as const);
  return JSON.stringify(entries.toSorted(([a], [b]) => a < b ? -1 : 1));
}

function failed(diagnostics: readonly Diagnostic[], passing: boolean): CompletedTools {
  return { tools: [], diagnostics, passing };
}
