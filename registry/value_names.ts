/**
 * The names by which modules hand values to one another.
 * @module
 */
import { importedName } from "./bindings.ts";
import { patternNames } from "./scope.ts";
import { childOf, childrenOf, identifierName, type SyntaxNode, textOf } from "./tree.ts";

/** A name that a module imports. */
export interface LocalImport {
  /** The specifier as written. */
  readonly specifier: string;
  /** The name there; `*` for everything. */
  readonly imported: string;
}

/** Declarations of types alone. */
const TYPES: ReadonlySet<string> = new Set([
  "TSDeclareFunction",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
]);

/**
 * What a module imports by name, types left out as far as they are marked.
 *
 * @param program The module's tree.
 * @returns The imports by their names in the module.
 */
export function valueImports(program: SyntaxNode): ReadonlyMap<string, LocalImport> {
  const imports = new Map<string, LocalImport>();
  for (const statement of childrenOf(program, "body")) {
    if (statement?.type !== "ImportDeclaration" || isTypeOnly(statement, "importKind")) continue;
    const specifier = textOf(childOf(statement, "source"), "value") ?? "";
    for (const item of childrenOf(statement, "specifiers")) {
      const local = item && identifierName(childOf(item, "local"));
      if (!item || local === undefined || isTypeOnly(item, "importKind")) continue;
      imports.set(local, { specifier, imported: importedName(item) });
    }
  }
  return imports;
}

/**
 * A name as imports and exports write it: an identifier or a text.
 *
 * @param node The name.
 * @returns The text, or `undefined`.
 */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  return identifierName(node) ?? textOf(node, "value");
}

/**
 * Whether an import or export is marked as one of types.
 *
 * @param node The statement, or one of its names.
 * @param key Which of the two it is.
 * @returns True when it is gone when the module runs.
 */
export function isTypeOnly(node: SyntaxNode, key: "importKind" | "exportKind"): boolean {
  const kind = textOf(node, key);
  return kind === "type" || kind === "typeof";
}

/**
 * The values that a declaration declares.
 *
 * @param declaration The declaration.
 * @returns Their names; types and overloads declare none.
 */
export function valuesOf(declaration: SyntaxNode): readonly string[] {
  if (declaration["declare"] === true || TYPES.has(declaration.type)) return [];
  if (declaration.type === "VariableDeclaration") {
    return childrenOf(declaration, "declarations").flatMap((item) =>
      item ? patternNames(childOf(item, "id")) : []
    );
  }
  return patternNames(childOf(declaration, "id"));
}
