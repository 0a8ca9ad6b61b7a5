/**
 * Whether a name still means what it means at module level.
 * @module
 */
import {
  childOf,
  childrenOf,
  type Frame,
  identifierName,
  isFunction,
  type SyntaxNode,
  walk,
} from "./tree.ts";

/** Steps upwards that the look-ups of one file may take: chained calls could make them quadratic. */
const MAX_STEPS = 5_000_000;

const BLOCKS: ReadonlySet<string> = new Set(["BlockStatement", "StaticBlock", "TSModuleBlock"]);
const NAMED_DECLARATIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "ClassDeclaration",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
]);

/**
 * The names that a pattern declares.
 *
 * @param pattern An identifier or a destructuring pattern.
 * @returns The names.
 */
export function patternNames(pattern: SyntaxNode | undefined): readonly string[] {
  const names: string[] = [];
  const rest = [pattern];
  while (rest.length > 0) {
    const node = rest.pop();
    const name = identifierName(node);
    if (name !== undefined) names.push(name);
    else if (node) rest.push(...patternParts(node));
  }
  return names;
}

function patternParts(node: SyntaxNode): readonly (SyntaxNode | undefined)[] {
  switch (node.type) {
    case "ObjectPattern":
      return childrenOf(node, "properties");
    case "ObjectProperty":
      return [childOf(node, "value")];
    case "ArrayPattern":
      return childrenOf(node, "elements");
    case "AssignmentPattern":
      return [childOf(node, "left")];
    case "RestElement":
      return [childOf(node, "argument")];
    case "TSParameterProperty":
      return [childOf(node, "parameter")];
    default:
      return [];
  }
}

/** Looks names up from inside the tree of one file. */
export class ScopeLookup {
  readonly #names = new WeakMap<SyntaxNode, ReadonlySet<string>>();
  #stepsLeft = MAX_STEPS;

  /**
   * Tells whether anything between a place and the module level declares a name.
   *
   * @param frame The place.
   * @param name The name.
   * @returns Whether the name means something else there; `false` too when the file asked too often.
   */
  isShadowed(frame: Frame, name: string): boolean {
    for (let current = frame.parent; current?.parent; current = current.parent) {
      if (--this.#stepsLeft < 0) return false;
      if (this.#declares(current.node, name)) return true;
    }
    return false;
  }

  #declares(node: SyntaxNode, name: string): boolean {
    let names = this.#names.get(node);
    if (!names) {
      names = new Set(declaredBy(node));
      this.#names.set(node, names);
    }
    return names.has(name);
  }
}

function declaredBy(node: SyntaxNode): readonly string[] {
  if (isFunction(node)) return functionNames(node);
  if (BLOCKS.has(node.type)) return childrenOf(node, "body").flatMap(statementNames);
  switch (node.type) {
    case "SwitchCase":
      return childrenOf(node, "consequent").flatMap(statementNames);
    case "ForStatement":
      return statementNames(childOf(node, "init"));
    case "ForInStatement":
    case "ForOfStatement":
      return statementNames(childOf(node, "left"));
    case "CatchClause":
      return patternNames(childOf(node, "param"));
    case "ClassExpression":
      return patternNames(childOf(node, "id"));
    default:
      return [];
  }
}

function functionNames(node: SyntaxNode): readonly string[] {
  const names = childrenOf(node, "params").flatMap((param) => patternNames(param));
  if (node.type === "FunctionExpression") names.push(...patternNames(childOf(node, "id")));
  const body = childOf(node, "body");
  if (body) names.push(...hoistedNames(body));
  return names;
}

function hoistedNames(body: SyntaxNode): readonly string[] {
  const names: string[] = [];
  walk(body, ({ node }) => {
    if (isFunction(node)) return false;
    if (node.type === "VariableDeclaration" && node["kind"] === "var") {
      for (const name of statementNames(node)) names.push(name);
    }
    return true;
  });
  return names;
}

function statementNames(statement: SyntaxNode | undefined): readonly string[] {
  if (!statement) return [];
  if (statement.type === "VariableDeclaration") {
    return childrenOf(statement, "declarations")
      .flatMap((declarator) => declarator ? patternNames(childOf(declarator, "id")) : []);
  }
  return NAMED_DECLARATIONS.has(statement.type) ? patternNames(childOf(statement, "id")) : [];
}
