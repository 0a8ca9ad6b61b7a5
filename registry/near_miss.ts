/**
 * Why a call of `register`, or another use of the registry, is outside the rule.
 * @module
 */
import type { NearMissCode } from "./near_miss_words.ts";
import { outermost } from "./rule.ts";
import type { Frame } from "./tree.ts";
import { isValueUse } from "./value_use.ts";

const BY_PARENT: Readonly<Record<string, NearMissCode>> = {
  AwaitExpression: "awaited",
  VariableDeclarator: "assigned",
  AssignmentExpression: "assigned",
  AssignmentPattern: "assigned",
  ObjectProperty: "assigned",
  ArrayExpression: "assigned",
  ExportDefaultDeclaration: "assigned",
  MemberExpression: "chained",
  OptionalMemberExpression: "chained",
  TaggedTemplateExpression: "chained",
  LogicalExpression: "logical",
  ConditionalExpression: "conditional",
};

const BY_STATEMENT: Readonly<Record<string, NearMissCode>> = {
  IfStatement: "conditional",
  SwitchStatement: "conditional",
  TryStatement: "in_try",
  ForStatement: "in_loop",
  ForInStatement: "in_loop",
  ForOfStatement: "in_loop",
  WhileStatement: "in_loop",
  DoWhileStatement: "in_loop",
};

/**
 * Says why a call of `register` is not found.
 *
 * @param call The call, which the rule does not accept.
 * @returns The reason.
 */
export function reasonOfCall(call: Frame): NearMissCode {
  const { parent, key } = outermost(call);
  if (call.inFunction) return "in_function";
  if (parent?.node.type === "Decorator") return "decorator";
  if (isInClass(call)) return "in_class";
  const type = parent?.node.type ?? "";
  if (parent && type === "ExpressionStatement") return reasonOfStatement(parent);
  if (/^(?:Optional)?CallExpression$/.test(type)) {
    return key === "callee" ? "chained" : "called_through";
  }
  return own(BY_PARENT, type) ?? "not_a_statement";
}

/**
 * Says what a use of `registry.register` that is no call means.
 *
 * @param member The member access.
 * @returns The reason; `undefined` if the use is harmless.
 */
export function reasonOfMember(member: Frame): NearMissCode | undefined {
  const outer = outermost(member);
  switch (outer.parent?.node.type) {
    case "ExpressionStatement":
      return "not_called";
    case "Decorator":
      return "decorator";
    case "MemberExpression":
    case "OptionalMemberExpression":
    case "NewExpression":
    case "TaggedTemplateExpression":
      return "called_through";
    default:
      return reasonOfValue(outer);
  }
}

/**
 * Says what a use of the registry as a value means.
 *
 * @param frame The registry.
 * @returns The reason; `undefined` if the use is harmless.
 */
export function reasonOfValue(frame: Frame): NearMissCode | undefined {
  const outer = outermost(frame);
  if (!isValueUse(outer)) return undefined;
  const holder = outer.parent?.node;
  switch (holder?.type) {
    case "VariableDeclarator":
      return targetIsPattern(holder["id"]) ? "destructured" : "aliased";
    case "AssignmentExpression":
      return targetIsPattern(holder["left"]) ? "destructured" : "aliased";
    case "ExportSpecifier":
      // With `from`, the name is the other module's.
      return outer.parent?.parent?.node["source"] ? undefined : "re_exported";
    case "ExportDefaultDeclaration":
      return "re_exported";
    default:
      return "called_through";
  }
}

function targetIsPattern(target: unknown): boolean {
  return (target as { type?: unknown } | undefined)?.type === "ObjectPattern";
}

function reasonOfStatement(statement: Frame): NearMissCode {
  for (let frame = statement.parent; frame; frame = frame.parent) {
    const reason = own(BY_STATEMENT, frame.node.type);
    if (reason) return reason;
  }
  return "in_block";
}

function isInClass(call: Frame): boolean {
  for (let frame = call.parent; frame; frame = frame.parent) {
    if (frame.node.type === "ClassBody") return true;
  }
  return false;
}

function own(
  table: Readonly<Record<string, NearMissCode>>,
  type: string,
): NearMissCode | undefined {
  return Object.hasOwn(table, type) ? table[type] : undefined;
}
