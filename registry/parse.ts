/**
 * From a module's text to its syntax tree, in bounded time.
 * @module
 */
import { extname } from "node:path";
import type { Diagnostic } from "../core/diagnostic.ts";
import { ParseBudgetError, withParseBudget } from "./parse_budget.ts";
import { diagnosticAt } from "./scan_findings.ts";
import type { SyntaxNode } from "./tree.ts";

type Parser = typeof import("@babel/parser");
type Options = NonNullable<Parameters<Parser["parse"]>[1]>;
type Plugins = NonNullable<Options["plugins"]>;

/** A module's tree, or why there is none. */
export type ParsedModule =
  | { readonly ok: true; readonly program: SyntaxNode }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

const JAVASCRIPT: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".jsx"]);
const DECLARATIONS = /\.d\.[cm]?ts$/i;
const JSX: ReadonlySet<string> = new Set([".jsx", ".tsx"]);

let loading: Promise<Parser> | undefined;

/**
 * Parses a module. The parser is loaded with the first one.
 *
 * @param path The file's absolute path; its extension chooses the language.
 * @param text The module's text.
 * @returns The program, or a diagnostic.
 */
export async function parseModule(path: string, text: string): Promise<ParsedModule> {
  loading ??= import("@babel/parser");
  const { parse } = await loading;
  try {
    const file = withParseBudget(parse, text, optionsFor(path));
    return { ok: true, program: file.program as unknown as SyntaxNode };
  } catch (error) {
    return { ok: false, diagnostic: explain(path, error) };
  }
}

function optionsFor(path: string): Options {
  const extension = extname(path).toLowerCase();
  const plugins: Plugins = [
    "decorators",
    "decoratorAutoAccessors",
    "deferredImportEvaluation",
    "sourcePhaseImports",
  ];
  // `f<import("x")>(y)` is a type in TypeScript, but runs as an import in JavaScript.
  if (!JAVASCRIPT.has(extension)) plugins.push(["typescript", { dts: DECLARATIONS.test(path) }]);
  if (JSX.has(extension)) plugins.push("jsx");
  return {
    sourceType: extension === ".cjs" ? "commonjs" : "module",
    attachComment: false,
    createParenthesizedExpressions: false,
    plugins,
  };
}

function explain(path: string, error: unknown): Diagnostic {
  if (error instanceof RangeError || error instanceof ParseBudgetError) return tooComplex(path);
  const { message, loc } = error as { message?: string; loc?: { line: number; column: number } };
  const place = { line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 };
  return diagnosticAt(path, place, {
    severity: "error",
    code: "syntax_error",
    message: `Cannot parse the module: ${String(message ?? error).replace(/ \(\d+:\d+\)$/, "")}`,
    hint: "Correct the syntax at this place",
  });
}

/**
 * The diagnostic for a module that is nested too deeply to be read.
 *
 * @param path The file's absolute path.
 * @returns The diagnostic.
 */
export function tooComplex(path: string): Diagnostic {
  return diagnosticAt(path, { line: 1, column: 1 }, {
    severity: "error",
    code: "too_complex",
    message: "Cannot parse the module: its code is nested too deeply",
    hint: "Split long nested expressions, or move generated data to a file of its own",
  });
}
