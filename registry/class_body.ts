/**
 * What runs when a class is made.
 * @module
 */
import { childOf, childrenOf, type SyntaxNode } from "./tree.ts";

/** What runs later, or is gone from the class when the module runs. */
const IDLE: ReadonlySet<string> = new Set([
  "ClassMethod",
  "ClassPrivateMethod",
  "TSDeclareMethod",
  "TSIndexSignature",
]);
const FIELDS: ReadonlySet<string> = new Set(["ClassProperty", "ClassPrivateProperty"]);

/**
 * The expressions that are evaluated when a class is made, besides the class that it extends.
 *
 * @param node A class declaration or expression.
 * @returns The values of its static fields; `undefined` when more than that runs: a static block, a decorator, a
 * computed name.
 */
export function staticValues(node: SyntaxNode): readonly SyntaxNode[] | undefined {
  const values: SyntaxNode[] = [];
  if (childrenOf(node, "decorators").length > 0) return undefined;
  for (const member of childrenOf(childOf(node, "body") ?? node, "body")) {
    if (!member || member["computed"] === true) return undefined;
    if (childrenOf(member, "decorators").length > 0) return undefined;
    if (IDLE.has(member.type)) continue;
    if (!FIELDS.has(member.type)) return undefined;
    const value = member["static"] === true ? childOf(member, "value") : undefined;
    if (value) values.push(value);
  }
  return values;
}

/**
 * How many constructors a class has. The parser takes several, because all but one may be overloads.
 *
 * @param body The body of a class.
 * @returns The number of those that have a body themselves.
 */
export function countConstructors(body: SyntaxNode): number {
  return childrenOf(body, "body").filter((member) =>
    member?.type === "ClassMethod" && member["kind"] === "constructor"
  ).length;
}
