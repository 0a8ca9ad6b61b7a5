/**
 * Where a registration is found: as a statement of the module, or of a `for...of` of the module.
 * @module
 */
import { type Frame, isTypeWrapper, type SyntaxNode } from "./tree.ts";

/** A call that the rule accepts. */
export interface RegistrationSite {
  /** The call. */
  readonly call: SyntaxNode;
  /** Whether it is in a `for...of`, so that it may register any number of tools. */
  readonly inLoop: boolean;
}

/**
 * Steps over what only the type checker sees.
 *
 * @param frame An expression.
 * @returns The frame of the outermost wrapper around it, or the same frame.
 */
export function outermost(frame: Frame): Frame {
  let current = frame;
  while (current.parent && isTypeWrapper(current.parent.node) && current.key === "expression") {
    current = current.parent;
  }
  return current;
}

/**
 * Applies the rule to the place of a call.
 *
 * @param call A call of `register`.
 * @returns The site, or `undefined` where such a call is not found.
 */
export function siteOf(call: Frame): RegistrationSite | undefined {
  const statement = outermost(call).parent;
  if (statement?.node.type !== "ExpressionStatement") return undefined;
  if (isProgram(statement.parent)) return { call: call.node, inLoop: false };
  const body = statement.parent?.node.type === "BlockStatement" ? statement.parent : statement;
  const loop = body.parent;
  const found = loop?.node.type === "ForOfStatement" && body.key === "body" &&
    isProgram(loop.parent);
  return found ? { call: call.node, inLoop: true } : undefined;
}

function isProgram(frame: Frame | undefined): boolean {
  return frame?.node.type === "Program";
}
