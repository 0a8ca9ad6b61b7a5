/**
 * What the names at module level stand for.
 * @module
 */
import { patternNames } from "./scope.ts";
import { childOf, childrenOf, identifierName, type SyntaxNode, textOf } from "./tree.ts";

/** How a tool file names the tool module; a version may follow the package's name. */
export const TOOL_SPECIFIERS: readonly string[] = Object.freeze([
  "@cloister/cloister/tool",
  "jsr:@cloister/cloister/tool",
  "jsr:/@cloister/cloister/tool",
]);

const VERSION = /(@cloister\/cloister)@[^/]+/;
const ZOD_SPECIFIER = /^(?:npm:\/?)?zod(?:@[~^]?4[^/]*)?(?:\/v4)?$/;

/** A module-level `const` with a plain name. */
export interface ConstBinding {
  /** What it is set to. */
  readonly init: SyntaxNode;
  /** The offset after its declaration: before it, the name cannot be used. */
  readonly end: number;
}

/** The names at module level. */
export interface ModuleBindings {
  /** Names of the imported `registry`. */
  readonly registry: ReadonlySet<string>;
  /** Names of the imported `defineTool`. */
  readonly defineTool: ReadonlySet<string>;
  /** Names of the whole tool module. */
  readonly namespaces: ReadonlySet<string>;
  /** Names of zod. */
  readonly zod: ReadonlySet<string>;
  /** Names imported from anywhere else. */
  readonly foreign: ReadonlySet<string>;
  /** Constants with a plain name. */
  readonly constants: ReadonlyMap<string, ConstBinding>;
  /** Names of function declarations. */
  readonly functions: ReadonlySet<string>;
  /** Everything declared without an import. */
  readonly declared: ReadonlySet<string>;
}

interface Draft {
  readonly registry: Set<string>;
  readonly defineTool: Set<string>;
  readonly namespaces: Set<string>;
  readonly zod: Set<string>;
  readonly foreign: Set<string>;
  readonly constants: Map<string, ConstBinding>;
  readonly functions: Set<string>;
  readonly declared: Set<string>;
}

/**
 * Tells whether a specifier names the tool module.
 *
 * @param specifier A specifier as written.
 * @returns Whether it is one of {@linkcode TOOL_SPECIFIERS}, with or without a version.
 */
export function isToolSpecifier(specifier: string): boolean {
  return TOOL_SPECIFIERS.includes(specifier) ||
    (specifier.startsWith("jsr:") && TOOL_SPECIFIERS.includes(specifier.replace(VERSION, "$1")));
}

/**
 * Reads what the names at module level stand for.
 *
 * @param program The module's tree.
 * @returns The names by meaning.
 */
export function readBindings(program: SyntaxNode): ModuleBindings {
  const draft: Draft = {
    registry: new Set(),
    defineTool: new Set(),
    namespaces: new Set(),
    zod: new Set(),
    foreign: new Set(),
    constants: new Map(),
    functions: new Set(),
    declared: new Set(),
  };
  for (const statement of childrenOf(program, "body")) {
    if (statement?.type === "ImportDeclaration") readImport(draft, statement);
    else if (statement) readDeclaration(draft, exportedDeclaration(statement));
  }
  return draft;
}

function exportedDeclaration(statement: SyntaxNode): SyntaxNode {
  return statement.type === "ExportNamedDeclaration"
    ? childOf(statement, "declaration") ?? statement
    : statement;
}

function readImport(draft: Draft, statement: SyntaxNode): void {
  const specifier = textOf(childOf(statement, "source"), "value") ?? "";
  const typeOnly = textOf(statement, "importKind") === "type";
  for (const item of childrenOf(statement, "specifiers")) {
    const local = item && identifierName(childOf(item, "local"));
    if (!item || local === undefined || typeOnly || textOf(item, "importKind") === "type") continue;
    targetOf(draft, specifier, item).add(local);
  }
}

function targetOf(draft: Draft, specifier: string, item: SyntaxNode): Set<string> {
  const imported = importedName(item);
  if (isToolSpecifier(specifier)) {
    if (imported === "*") return draft.namespaces;
    if (imported === "registry") return draft.registry;
    if (imported === "defineTool") return draft.defineTool;
  } else if (ZOD_SPECIFIER.test(specifier) && /^(?:\*|z|default)$/.test(imported)) {
    return draft.zod;
  }
  return draft.foreign;
}

/**
 * The name that an import takes from the other module.
 *
 * @param item One specifier of an import.
 * @returns The name; `default`, or `*` for everything.
 */
export function importedName(item: SyntaxNode): string {
  if (item.type === "ImportNamespaceSpecifier") return "*";
  if (item.type === "ImportDefaultSpecifier") return "default";
  const imported = childOf(item, "imported");
  return identifierName(imported) ?? textOf(imported, "value") ?? "";
}

function readDeclaration(draft: Draft, statement: SyntaxNode): void {
  const own = identifierName(childOf(statement, "id"));
  if (own !== undefined) draft.declared.add(own);
  if (own !== undefined && statement.type === "FunctionDeclaration") draft.functions.add(own);
  if (statement.type !== "VariableDeclaration") return;
  for (const declarator of childrenOf(statement, "declarations")) {
    if (declarator) readDeclarator(draft, declarator, textOf(statement, "kind") === "const");
  }
}

function readDeclarator(draft: Draft, declarator: SyntaxNode, constant: boolean): void {
  const id = childOf(declarator, "id");
  const init = childOf(declarator, "init");
  for (const name of patternNames(id)) draft.declared.add(name);
  const name = identifierName(id);
  if (constant && init && name !== undefined) {
    draft.constants.set(name, { init, end: declarator.end });
  }
}
