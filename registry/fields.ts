/**
 * The fields of an object literal, spreads of other literals included.
 * @module
 */
import type { LiteralReader } from "./literal.ts";
import {
  childOf,
  childrenOf,
  identifierName,
  propertyName,
  type SyntaxNode,
  unwrap,
} from "./tree.ts";

/** What an object literal says. */
export interface Fields {
  /** The properties and methods that are certain, by name. */
  readonly byName: ReadonlyMap<string, SyntaxNode>;
  /** The last part that may hold any field; every field before it is uncertain. */
  readonly open?: SyntaxNode;
}

/** Fields that one registration may spread: spreads of spreads can grow without bound. */
const MAX_FIELDS = 10_000;

/**
 * Reads the fields of an object literal.
 *
 * @param object The object literal.
 * @param literals Resolves the constants that it spreads.
 * @returns Its fields; the values are not read.
 */
export function readFields(object: SyntaxNode, literals: LiteralReader): Fields {
  const draft: { byName: Map<string, SyntaxNode>; open?: SyntaxNode } = { byName: new Map() };
  let fieldsLeft = MAX_FIELDS;
  collect(object);
  return draft;

  function collect(node: SyntaxNode): void {
    for (const property of childrenOf(node, "properties")) {
      if (property?.type === "SpreadElement") spread(property);
      else if (property) add(property);
    }
  }

  function spread(property: SyntaxNode): void {
    const inner = spreadObject(property, literals);
    fieldsLeft -= inner ? childrenOf(inner, "properties").length + 1 : 0;
    if (inner && fieldsLeft > 0) collect(inner);
    else openAt(property);
  }

  function add(property: SyntaxNode): void {
    const name = propertyName(property, "key");
    const isAccessor = property["kind"] === "get" || property["kind"] === "set";
    if (name === undefined || name === "__proto__" || isAccessor) openAt(property);
    else draft.byName.set(name, property);
  }

  function openAt(property: SyntaxNode): void {
    draft.open = property;
    draft.byName.clear();
  }
}

function spreadObject(property: SyntaxNode, literals: LiteralReader): SyntaxNode | undefined {
  const argument = unwrap(childOf(property, "argument"));
  const name = identifierName(argument);
  if (name !== undefined && literals.isUnstable(name)) return undefined;
  const node = name === undefined ? argument : unwrap(literals.resolve(argument));
  return node?.type === "ObjectExpression" ? node : undefined;
}
