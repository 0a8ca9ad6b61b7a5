/**
 * The syntax tree, as far as the scan needs to know it, and the walk over it.
 * @module
 */

/** A node of the syntax tree. */
export interface SyntaxNode {
  /** The kind of node, such as `CallExpression`. */
  readonly type: string;
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  /** Where it starts; columns count from 0. */
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } } | null;
  /** What the kind of node holds. */
  readonly [key: string]: unknown;
}

/** A member access. */
export interface MemberNode extends SyntaxNode {
  /** The kind of node. */
  readonly type: "MemberExpression" | "OptionalMemberExpression";
}

/** A call. */
export interface CallNode extends SyntaxNode {
  /** The kind of node. */
  readonly type: "CallExpression" | "OptionalCallExpression";
}

/** A node with the way that leads to it. */
export interface Frame {
  /** The node. */
  readonly node: SyntaxNode;
  /** The frame of the node that holds it; absent at the root. */
  readonly parent?: Frame;
  /** Under which key the parent holds it. */
  readonly key: string;
  /** Whether the node is inside a function's parameters or body. */
  readonly inFunction: boolean;
}

const TYPE_WRAPPERS: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "ParenthesizedExpression",
]);

const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
  "ClassPrivateMethod",
]);

/** What holds no nodes, and what no pass asks about: a fifth of all nodes. */
const LEAVES: ReadonlySet<string> = new Set([
  "StringLiteral",
  "NumericLiteral",
  "BooleanLiteral",
  "NullLiteral",
  "BigIntLiteral",
  "TemplateElement",
  "ThisExpression",
  "TSStringKeyword",
  "TSNumberKeyword",
  "TSBooleanKeyword",
  "TSUnknownKeyword",
  "TSVoidKeyword",
]);

/**
 * Tells whether a value of the tree is a node.
 *
 * @param value Anything a node holds.
 * @returns Whether it is a node.
 */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null &&
    typeof (value as { type?: unknown }).type === "string";
}

/**
 * The node under a key.
 *
 * @param node The node that holds it.
 * @param key The key.
 * @returns The node, or `undefined` if there is none.
 */
export function childOf(node: SyntaxNode, key: string): SyntaxNode | undefined {
  const value = node[key];
  return isNode(value) ? value : undefined;
}

/**
 * The list of nodes under a key.
 *
 * @param node The node that holds it.
 * @param key The key.
 * @returns The nodes; a hole of an array literal is `undefined`.
 */
export function childrenOf(node: SyntaxNode, key: string): readonly (SyntaxNode | undefined)[] {
  const value = node[key];
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => isNode(item) ? item : undefined);
}

/**
 * The text under a key, such as an identifier's `name`.
 *
 * @param node The node that holds it.
 * @param key The key.
 * @returns The text, or `undefined` if there is none.
 */
export function textOf(node: SyntaxNode | undefined, key: string): string | undefined {
  const value = node?.[key];
  return typeof value === "string" ? value : undefined;
}

/**
 * The name of an identifier.
 *
 * @param node Any node.
 * @returns The name, or `undefined` if the node is no identifier.
 */
export function identifierName(node: SyntaxNode | undefined): string | undefined {
  return node?.type === "Identifier" ? textOf(node, "name") : undefined;
}

/**
 * The text of a string literal or of a template literal without expressions.
 *
 * @param node Any node.
 * @returns The text, or `undefined` if the node is neither.
 */
export function literalText(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "StringLiteral") return textOf(node, "value");
  if (node?.type !== "TemplateLiteral" || childrenOf(node, "expressions").length > 0) {
    return undefined;
  }
  return quasiText(childrenOf(node, "quasis")[0]);
}

/**
 * The text of one fixed part of a template literal.
 *
 * @param quasi The part.
 * @returns The text with its escapes resolved.
 */
export function quasiText(quasi: SyntaxNode | undefined): string | undefined {
  const value = quasi?.["value"] as { cooked?: unknown } | undefined;
  return typeof value?.cooked === "string" ? value.cooked : undefined;
}

/**
 * The name of a property of an object or of a member access, where it is fixed.
 *
 * @param node An object property, a method, or a member expression.
 * @param key Where the name is: `key` or `property`.
 * @returns The name, or `undefined` if it is computed from anything but a literal text.
 */
export function propertyName(node: SyntaxNode, key: "key" | "property"): string | undefined {
  const name = childOf(node, key);
  if (node["computed"] === true) return literalText(name);
  if (name?.type === "NumericLiteral") return String(name["value"]);
  return identifierName(name) ?? literalText(name);
}

/**
 * Takes off what only the type checker sees: `as`, `satisfies`, `!`, `<T>`.
 *
 * @param node Any expression.
 * @returns The expression that runs.
 */
export function unwrap(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let current = node;
  while (current && isTypeWrapper(current)) current = childOf(current, "expression");
  return current;
}

/**
 * Tells whether a node only wraps an expression for the type checker.
 *
 * @param node Any node.
 * @returns Whether it is gone when the code runs.
 */
export function isTypeWrapper(node: SyntaxNode): boolean {
  return TYPE_WRAPPERS.has(node.type);
}

/**
 * Tells whether a node is a function of any kind.
 *
 * @param node Any node.
 * @returns Whether it is one.
 */
export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type);
}

/**
 * Tells whether a node is a member access, optional or not.
 *
 * @param node Any node.
 * @returns Whether it is one.
 */
export function isMember(node: SyntaxNode | undefined): node is MemberNode {
  return node?.type === "MemberExpression" || node?.type === "OptionalMemberExpression";
}

/**
 * Tells whether a node is a call, optional or not.
 *
 * @param node Any node.
 * @returns Whether it is one.
 */
export function isCall(node: SyntaxNode | undefined): node is CallNode {
  return node?.type === "CallExpression" || node?.type === "OptionalCallExpression";
}

/**
 * Visits a node and everything in it, but for plain literals and keywords. Does not recurse, so that no tree is too deep for it.
 *
 * @param root Where to start.
 * @param visit Called for each node; the order is not the order of the source. Answers `false` to leave
 * out what the node holds.
 */
export function walk(root: SyntaxNode, visit: (frame: Frame) => boolean | void): void {
  const stack: Frame[] = [{ node: root, key: "", inFunction: false }];
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    if (visit(frame) !== false) pushChildren(stack, frame);
  }
}

function pushChildren(stack: Frame[], parent: Frame): void {
  const { node } = parent;
  const enters = isFunction(node);
  for (const key in node) {
    const value = node[key];
    if (typeof value !== "object" || value === null || key === "loc") continue;
    const inFunction = parent.inFunction || (enters && (key === "body" || key === "params"));
    if (!Array.isArray(value)) pushChild(stack, value, parent, key, inFunction);
    else for (const item of value) pushChild(stack, item, parent, key, inFunction);
  }
}

function pushChild(
  stack: Frame[],
  value: unknown,
  parent: Frame,
  key: string,
  inFunction: boolean,
): void {
  if (isNode(value) && !LEAVES.has(value.type)) {
    stack.push({ node: value, parent, key, inFunction });
  }
}
