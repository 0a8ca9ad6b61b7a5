/**
 * Whether a name's value leaves the place where it is written.
 * @module
 */
import type { Frame } from "./tree.ts";

const VALUE_KEYS: Readonly<Record<string, string>> = {
  CallExpression: "arguments",
  OptionalCallExpression: "arguments",
  NewExpression: "arguments",
  VariableDeclarator: "init",
  AssignmentExpression: "right",
  AssignmentPattern: "right",
  ObjectProperty: "value",
  ClassProperty: "value",
  ClassPrivateProperty: "value",
  ClassAccessorProperty: "value",
  ArrayExpression: "elements",
  SpreadElement: "argument",
  ReturnStatement: "argument",
  YieldExpression: "argument",
  AwaitExpression: "argument",
  ArrowFunctionExpression: "body",
  ConditionalExpression: "consequent alternate",
  LogicalExpression: "left right",
  SequenceExpression: "expressions",
  ClassDeclaration: "superClass",
  ClassExpression: "superClass",
  ExportDefaultDeclaration: "declaration",
  ExportSpecifier: "local",
};

/**
 * Tells whether an expression's value is handed on: stored, passed, returned, exported.
 *
 * @param frame The expression.
 * @returns Whether it is; `false` for declarations, types, keys, comparisons and statements.
 */
export function isValueUse(frame: Frame): boolean {
  const parent = frame.parent;
  if (!parent || !Object.hasOwn(VALUE_KEYS, parent.node.type)) return false;
  if (parent.parent?.node.type === "ObjectPattern") return false;
  return (VALUE_KEYS[parent.node.type] ?? "").split(" ").includes(frame.key);
}
