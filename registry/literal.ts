/**
 * From literal expressions of the tree to plain data.
 * @module
 */
import type { JsonValue } from "../core/json.ts";
import type { ModuleBindings } from "./bindings.ts";
import {
  childOf,
  childrenOf,
  identifierName,
  isMember,
  propertyName,
  quasiText,
  type SyntaxNode,
  unwrap,
} from "./tree.ts";

/** The answer where an expression has to be evaluated. */
export const NOT_LITERAL: unique symbol = Symbol("not literal");

/** Plain data, `undefined`, or {@linkcode NOT_LITERAL}. Numbers may be infinite. */
export type Literal = JsonValue | undefined | typeof NOT_LITERAL;

/** Nodes that the literals of one file may take: constants that hold constants can grow without bound. */
const MAX_NODES = 200_000;

type MutableObject = Record<string, JsonValue>;

/** Reads literals of one file. */
export class LiteralReader {
  readonly #bindings: ModuleBindings;
  readonly #unstable: ReadonlySet<string>;
  #nodesLeft = MAX_NODES;

  /**
   * Makes a reader for a file.
   *
   * @param bindings The names at module level.
   * @param unstable Constants whose objects may be changed.
   */
  constructor(bindings: ModuleBindings, unstable: ReadonlySet<string>) {
    this.#bindings = bindings;
    this.#unstable = unstable;
  }

  /**
   * Reads an expression.
   *
   * @param expression Any expression.
   * @returns Its value, or {@linkcode NOT_LITERAL}.
   */
  read(expression: SyntaxNode | undefined): Literal {
    const node = unwrap(expression);
    if (!node || --this.#nodesLeft < 0) return NOT_LITERAL;
    switch (node.type) {
      case "StringLiteral":
      case "NumericLiteral":
      case "BooleanLiteral":
        return node["value"] as JsonValue;
      case "NullLiteral":
        return null;
      case "TemplateLiteral":
        return this.#readTemplate(node);
      case "UnaryExpression":
        return this.#readUnary(node);
      case "BinaryExpression":
        return this.#readSum(node);
      case "ArrayExpression":
        return this.#readArray(node);
      case "ObjectExpression":
        return this.#readObject(node);
      case "Identifier":
        return this.#readName(node);
      default:
        return isMember(node) ? this.#readMember(node) : NOT_LITERAL;
    }
  }

  /**
   * Finds the expression behind a name of a module-level constant.
   *
   * @param node An identifier.
   * @returns What the constant is set to; `undefined` if it is none, or is not set yet at this place.
   */
  resolve(node: SyntaxNode | undefined): SyntaxNode | undefined {
    const name = identifierName(node);
    if (!node || name === undefined) return undefined;
    const constant = this.#bindings.constants.get(name);
    return constant && constant.end <= node.start ? constant.init : undefined;
  }

  /**
   * Tells whether the object behind a name may be changed.
   *
   * @param name The name of a constant.
   * @returns Whether its declaration does not show its value.
   */
  isUnstable(name: string): boolean {
    return this.#unstable.has(name);
  }

  #readName(node: SyntaxNode): Literal {
    const init = this.resolve(node);
    if (!init) return this.#readGlobal(identifierName(node) ?? "");
    const value = this.read(init);
    const isObject = typeof value === "object" && value !== null;
    return isObject && this.isUnstable(identifierName(node) ?? "") ? NOT_LITERAL : value;
  }

  #readGlobal(name: string): Literal {
    const { declared, foreign } = this.#bindings;
    if (declared.has(name) || foreign.has(name)) return NOT_LITERAL;
    if (name === "undefined") return undefined;
    return name === "Infinity" ? Infinity : NOT_LITERAL;
  }

  #readTemplate(node: SyntaxNode): Literal {
    const parts = childrenOf(node, "quasis").map(quasiText);
    let text = parts[0] ?? "";
    for (const [index, expression] of childrenOf(node, "expressions").entries()) {
      const value = this.read(expression);
      if (typeof value !== "string" && typeof value !== "number") return NOT_LITERAL;
      text += String(value) + (parts[index + 1] ?? "");
    }
    return text;
  }

  #readUnary(node: SyntaxNode): Literal {
    const value = this.read(childOf(node, "argument"));
    if (typeof value !== "number") return NOT_LITERAL;
    if (node["operator"] === "-") return -value;
    return node["operator"] === "+" ? value : NOT_LITERAL;
  }

  #readSum(node: SyntaxNode): Literal {
    if (node["operator"] !== "+") return NOT_LITERAL;
    const left = this.read(childOf(node, "left"));
    const right = this.read(childOf(node, "right"));
    return typeof left === "string" && typeof right === "string" ? left + right : NOT_LITERAL;
  }

  #readArray(node: SyntaxNode): Literal {
    const list: JsonValue[] = [];
    for (const element of childrenOf(node, "elements")) {
      const spread = element?.type === "SpreadElement";
      const value = this.read(spread ? childOf(element, "argument") : element);
      if (value === NOT_LITERAL || value === undefined) return NOT_LITERAL;
      if (!spread) list.push(value);
      else if (Array.isArray(value)) { for (const item of value) list.push(item); }
      else return NOT_LITERAL;
    }
    return list;
  }

  #readObject(node: SyntaxNode): Literal {
    const object: MutableObject = {};
    for (const property of childrenOf(node, "properties")) {
      if (!property || !this.#readProperty(object, property)) return NOT_LITERAL;
    }
    return object;
  }

  #readProperty(object: MutableObject, property: SyntaxNode): boolean {
    if (property.type === "SpreadElement") return this.#spread(object, property);
    const name = property.type === "ObjectProperty" ? propertyName(property, "key") : undefined;
    // `__proto__: x` sets a prototype: what that gives is for the engine to say.
    if (name === undefined || name === "__proto__") return false;
    const value = this.read(childOf(property, "value"));
    if (value === NOT_LITERAL) return false;
    if (value === undefined) delete object[name];
    else object[name] = value;
    return true;
  }

  #spread(object: MutableObject, property: SyntaxNode): boolean {
    const value = this.read(childOf(property, "argument"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    Object.assign(object, value);
    return true;
  }

  #readMember(node: SyntaxNode): Literal {
    const name = propertyName(node, "property");
    const object = this.read(childOf(node, "object"));
    if (name === undefined || typeof object !== "object" || object === null) return NOT_LITERAL;
    if (Array.isArray(object) || !Object.hasOwn(object, name)) return NOT_LITERAL;
    return (object as MutableObject)[name];
  }
}
