/**
 * Which module-level constants do not keep the value that their declaration shows.
 * @module
 */
import type { ModuleBindings } from "./bindings.ts";
import {
  childOf,
  childrenOf,
  type Frame,
  identifierName,
  isCall,
  isMember,
  propertyName,
  type SyntaxNode,
  unwrap,
} from "./tree.ts";

/** Globals that do not change what they are given. */
const HARMLESS: ReadonlySet<string> = new Set([
  "Object",
  "JSON",
  "structuredClone",
  "Set",
  "Map",
  "console",
]);

/** The kinds of node that the pass looks at. */
export const STABILITY_NODES: ReadonlySet<string> = new Set([
  "AssignmentExpression",
  "UpdateExpression",
  "UnaryExpression",
  "MemberExpression",
  "OptionalMemberExpression",
  "VariableDeclarator",
  "CallExpression",
  "OptionalCallExpression",
  "NewExpression",
]);

/** Methods that do not change what they are called on. */
const READING_METHODS: ReadonlySet<string> = new Set(
  ("at concat entries every filter find flatMap includes indexOf join keys map slice some " +
    "toSorted toString values").split(" "),
);

/**
 * Collects the names of constants whose objects may be changed: by an assignment anywhere, or, while the
 * module loads, by a call that gets hold of them or by a second name.
 */
export class StabilityPass {
  readonly #names = new Set<string>();
  readonly #bindings: ModuleBindings;

  /**
   * Starts with none.
   *
   * @param bindings The names at module level.
   */
  constructor(bindings: ModuleBindings) {
    this.#bindings = bindings;
  }

  /**
   * The names found so far.
   *
   * @returns The names of constants that are not to be read from the tree.
   */
  get unstable(): ReadonlySet<string> {
    return this.#names;
  }

  /**
   * Looks at one node.
   *
   * @param frame The node with the way to it.
   */
  visit(frame: Frame): void {
    const { node } = frame;
    if (node.type === "AssignmentExpression") this.#add(childOf(node, "left"));
    else if (node.type === "UpdateExpression") this.#add(childOf(node, "argument"));
    else if (node.type === "UnaryExpression" && node["operator"] === "delete") {
      this.#add(childOf(node, "argument"));
    } else if (isMember(node) && isPatternTarget(frame)) this.#add(node);
    else if (!frame.inFunction) this.#visitLoading(node);
  }

  #visitLoading(node: SyntaxNode): void {
    if (node.type === "VariableDeclarator") this.#add(childOf(node, "init"));
    else if (isCall(node) || node.type === "NewExpression") this.#visitCall(node);
  }

  #visitCall(node: SyntaxNode): void {
    const callee = unwrap(childOf(node, "callee"));
    const root = callee && rootName(callee);
    if (root !== undefined && this.#isHarmless(root)) return;
    if (isMember(callee) && !READING_METHODS.has(propertyName(callee, "property") ?? "")) {
      this.#add(callee);
    }
    for (const argument of childrenOf(node, "arguments")) this.#add(argument);
  }

  #isHarmless(name: string): boolean {
    const { registry, defineTool, namespaces, zod, declared } = this.#bindings;
    return registry.has(name) || defineTool.has(name) || namespaces.has(name) || zod.has(name) ||
      (HARMLESS.has(name) && !declared.has(name));
  }

  #add(node: SyntaxNode | undefined): void {
    const name = node && rootName(node);
    if (name !== undefined) this.#names.add(name);
  }
}

function rootName(node: SyntaxNode): string | undefined {
  let current = unwrap(node);
  while (isMember(current)) current = unwrap(childOf(current, "object"));
  return identifierName(current);
}

function isPatternTarget({ parent, key }: Frame): boolean {
  if (!parent) return false;
  switch (parent.node.type) {
    case "ArrayPattern":
    case "RestElement":
      return true;
    case "AssignmentPattern":
    case "ForOfStatement":
    case "ForInStatement":
      return key === "left";
    case "ObjectProperty":
      return key === "value" && parent.parent?.node.type === "ObjectPattern";
    default:
      return false;
  }
}
