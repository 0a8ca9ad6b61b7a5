/**
 * The attributes of imports.
 * @module
 */
import { childOf, childrenOf, literalText, propertyName, type SyntaxNode } from "./tree.ts";

/** Attributes by name. */
export type ImportAttributes = Readonly<Record<string, string>>;

/**
 * The attributes of a static import or export.
 *
 * @param statement The statement.
 * @returns The attributes; `undefined` if there are none.
 */
export function staticAttributes(statement: SyntaxNode): ImportAttributes | undefined {
  return fromPairs(childrenOf(statement, "attributes"));
}

/**
 * The attributes of an `import()`.
 *
 * @param options Its second argument.
 * @returns The attributes; `undefined` if there are none; `"dynamic"` if they are not written out.
 */
export function dynamicAttributes(
  options: SyntaxNode | undefined,
): ImportAttributes | undefined | "dynamic" {
  if (!options) return undefined;
  if (options.type !== "ObjectExpression") return "dynamic";
  const [first, ...others] = childrenOf(options, "properties");
  if (!first) return undefined;
  const list = isPlain(first) && propertyName(first, "key") === "with"
    ? childOf(first, "value")
    : undefined;
  if (others.length > 0 || list?.type !== "ObjectExpression") return "dynamic";
  const pairs = childrenOf(list, "properties");
  const isLiteral = pairs.every((pair) =>
    pair !== undefined && isPlain(pair) && propertyName(pair, "key") !== undefined &&
    literalText(childOf(pair, "value")) !== undefined
  );
  return isLiteral ? fromPairs(pairs) : "dynamic";
}

function isPlain(property: SyntaxNode): boolean {
  return property.type === "ObjectProperty";
}

function fromPairs(pairs: readonly (SyntaxNode | undefined)[]): ImportAttributes | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.flatMap((pair) =>
      pair ? [[propertyName(pair, "key") ?? "", literalText(childOf(pair, "value")) ?? ""]] : []
    ),
  );
}
