/**
 * Which expressions can be evaluated without harm: they throw nothing, call nothing of the file, change nothing.
 * What is not known for certain counts as harmful.
 * @module
 */
import type { ModuleBindings } from "./bindings.ts";
import { staticValues } from "./class_body.ts";
import { LiteralReader, NOT_LITERAL } from "./literal.ts";
import {
  childOf,
  childrenOf,
  identifierName,
  literalText,
  propertyName,
  type SyntaxNode,
  unwrap,
} from "./tree.ts";

const ATOMS: ReadonlySet<string> = new Set([
  "StringLiteral",
  "NumericLiteral",
  "BooleanLiteral",
  "NullLiteral",
  "BigIntLiteral",
  "RegExpLiteral",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);
const PRIMITIVES: ReadonlySet<string> = new Set([
  "StringLiteral",
  "NumericLiteral",
  "BooleanLiteral",
  "NullLiteral",
]);
const GLOBAL_VALUES: ReadonlySet<string> = new Set(["undefined", "NaN", "Infinity"]);
const COLLECTIONS: ReadonlySet<string> = new Set(["Set", "Map", "WeakSet", "WeakMap"]);
const ERRORS: ReadonlySet<string> = new Set(["Error", "TypeError", "RangeError", "SyntaxError"]);
const MEMBERS_OF_META: ReadonlySet<string> = new Set(["url", "dirname", "filename", "main"]);
const NO_NAMES: ReadonlySet<string> = new Set();

/** What kind of value a name of the module is known to hold. */
export type KnownKind = "primitive" | "array" | "object" | "class" | "other";

/** What a reader works with. */
export interface HarmlessOptions {
  /** The names at module level. */
  readonly bindings: ModuleBindings;
  /** Whether an expression is a zod schema that zod makes without an error. */
  readonly isZodSchema: (node: SyntaxNode) => boolean;
}

/** Reads the top-level expressions of one file, in source order: what is declared has to be told first. */
export class HarmlessReader {
  readonly #bindings: ModuleBindings;
  readonly #literals: LiteralReader;
  readonly #isZodSchema: HarmlessOptions["isZodSchema"];
  readonly #known = new Map<string, KnownKind>();

  /**
   * Makes a reader that knows no names.
   *
   * @param options What it works with.
   */
  constructor({ bindings, isZodSchema }: HarmlessOptions) {
    this.#bindings = bindings;
    // While a harmless module loads, nothing changes the objects of its constants.
    this.#literals = new LiteralReader(bindings, NO_NAMES);
    this.#isZodSchema = isZodSchema;
  }

  /**
   * Tells that a name has its value from here on.
   *
   * @param name The name.
   * @param kind What it holds.
   */
  declare(name: string, kind: KnownKind): void {
    this.#known.set(name, kind);
  }

  /**
   * Whether a name is known to have a value.
   *
   * @param name The name.
   * @returns True from its declaration on.
   */
  isDeclared(name: string): boolean {
    return this.#known.has(name);
  }

  /**
   * What an expression gives, as far as it matters to those that use it.
   *
   * @param expression A harmless expression.
   * @returns The kind of value.
   */
  kindOf(expression: SyntaxNode | undefined): KnownKind {
    const node = this.#unfrozen(unwrap(expression));
    if (node?.type === "ArrayExpression" || (node && this.#isWordList(node))) return "array";
    if (node?.type === "ObjectExpression") return "object";
    if (node?.type === "ClassExpression") return "class";
    return this.#isPrimitive(node) ? "primitive" : "other";
  }

  /**
   * Whether an expression can be evaluated without harm.
   *
   * @param expression Any expression.
   * @returns True only when that is certain.
   */
  isHarmless(expression: SyntaxNode | undefined): boolean {
    const node = unwrap(expression);
    if (node === undefined) return false;
    if (ATOMS.has(node.type)) return true;
    const parts = (...keys: string[]) => keys.every((key) => this.isHarmless(childOf(node, key)));
    switch (node.type) {
      case "Identifier":
        return this.#isReady(identifierName(node) ?? "");
      case "ArrayExpression":
        return childrenOf(node, "elements").every((item) => !item || this.#isElement(item));
      case "ObjectExpression":
        return childrenOf(node, "properties").every((item) => this.#isProperty(item));
      case "ClassExpression":
        return this.isHarmlessClass(node);
      case "ConditionalExpression":
        return parts("test", "consequent", "alternate");
      case "LogicalExpression":
        return parts("left", "right");
      case "UnaryExpression":
        return this.#isPrimitive(node) ||
          (["!", "void", "typeof"].includes(String(node["operator"])) && parts("argument"));
      case "BinaryExpression":
        return this.#isPrimitive(node) ||
          (["===", "!=="].includes(String(node["operator"])) && parts("left", "right"));
      case "TemplateLiteral":
        return this.#isPrimitive(node);
      case "MemberExpression":
        return this.#isMember(node);
      case "NewExpression":
        return this.#isCollection(node);
      case "CallExpression":
        return this.#isCall(node);
      default:
        return false;
    }
  }

  /**
   * Whether a class can be made without harm.
   *
   * @param node A class declaration or expression.
   * @returns True only when that is certain.
   */
  isHarmlessClass(node: SyntaxNode): boolean {
    const heritage = unwrap(childOf(node, "superClass"));
    if (heritage && !this.#isClass(identifierName(heritage))) return false;
    return staticValues(node)?.every((value) => this.isHarmless(value)) ?? false;
  }

  /**
   * Whether an expression gives a number, a text, a boolean, null or undefined, without harm.
   *
   * @param expression Any expression.
   * @returns True only when that is certain.
   */
  isPrimitive(expression: SyntaxNode | undefined): boolean {
    return this.#isPrimitive(unwrap(expression));
  }

  #isReady(name: string): boolean {
    return this.#known.has(name) || (GLOBAL_VALUES.has(name) && this.#isGlobal(name));
  }

  #isGlobal(name: string): boolean {
    const { registry, defineTool, namespaces, zod, foreign, declared } = this.#bindings;
    return ![registry, defineTool, namespaces, zod, foreign, declared].some((names) =>
      names.has(name)
    );
  }

  #isClass(name: string | undefined): boolean {
    if (name === undefined) return false;
    return this.#known.get(name) === "class" || (ERRORS.has(name) && this.#isGlobal(name));
  }

  #isElement(item: SyntaxNode): boolean {
    return item.type === "SpreadElement"
      ? this.#isIterable(childOf(item, "argument"))
      : this.isHarmless(item);
  }

  #isIterable(expression: SyntaxNode | undefined): boolean {
    const node = unwrap(expression);
    if (node?.type === "Identifier") return this.#known.get(identifierName(node)!) === "array";
    return node?.type === "StringLiteral" || (node !== undefined && this.#isWordList(node)) ||
      (node?.type === "ArrayExpression" && this.isHarmless(node));
  }

  /** `"a b c".split(" ")` is how many write a list of words. */
  #isWordList(node: SyntaxNode): boolean {
    const callee = node.type === "CallExpression" ? unwrap(childOf(node, "callee")) : undefined;
    return callee?.type === "MemberExpression" && propertyName(callee, "property") === "split" &&
      typeof this.#literals.read(childOf(callee, "object")) === "string" &&
      childrenOf(node, "arguments").every((item) => literalText(item) !== undefined);
  }

  // A getter may throw when somebody spreads or reads the object.
  #isProperty(property: SyntaxNode | undefined): boolean {
    if (property === undefined) return false;
    if (property.type === "SpreadElement") {
      const node = unwrap(childOf(property, "argument"));
      if (node?.type === "Identifier") return this.#known.get(identifierName(node)!) === "object";
      return node?.type === "ObjectExpression" && this.isHarmless(node);
    }
    if (property["computed"] === true && literalText(childOf(property, "key")) === undefined) {
      return false;
    }
    if (property.type === "ObjectMethod") return property["kind"] === "method";
    return property.type === "ObjectProperty" && this.isHarmless(childOf(property, "value"));
  }

  #isMember(node: SyntaxNode): boolean {
    const object = unwrap(childOf(node, "object"));
    const name = propertyName(node, "property");
    if (object === undefined || name === undefined) return false;
    if (object.type === "MetaProperty") return MEMBERS_OF_META.has(name);
    const kind = this.#known.get(identifierName(object) ?? "");
    return kind === "object" || kind === "array" || this.#literals.read(node) !== NOT_LITERAL;
  }

  #isCollection(node: SyntaxNode): boolean {
    const name = identifierName(unwrap(childOf(node, "callee")));
    if (name === undefined || !COLLECTIONS.has(name) || !this.#isGlobal(name)) return false;
    const [content, ...others] = childrenOf(node, "arguments");
    if (content === undefined) return true;
    if (others.length > 0 || name.startsWith("Weak")) return false;
    if (name === "Set") return this.#isIterable(content);
    const pairs = unwrap(content);
    return pairs?.type === "ArrayExpression" && this.isHarmless(pairs) &&
      childrenOf(pairs, "elements").every((pair) => unwrap(pair)?.type === "ArrayExpression");
  }

  #isCall(node: SyntaxNode): boolean {
    const [argument, ...others] = childrenOf(node, "arguments");
    const isOfOne = argument !== undefined && others.length === 0;
    if (isOfOne && (this.#isDefineTool(node) || this.#unfrozen(node) !== node)) {
      return this.isHarmless(argument);
    }
    return this.#isWordList(node) || this.#isZodSchema(node);
  }

  #isDefineTool(call: SyntaxNode): boolean {
    const callee = unwrap(childOf(call, "callee"));
    const { defineTool, namespaces } = this.#bindings;
    if (callee?.type !== "MemberExpression") return defineTool.has(identifierName(callee) ?? "");
    return propertyName(callee, "property") === "defineTool" &&
      namespaces.has(identifierName(unwrap(childOf(callee, "object"))) ?? "");
  }

  /** What `Object.freeze` is given, when it is a literal; any other expression as it is. */
  #unfrozen(node: SyntaxNode | undefined): SyntaxNode | undefined {
    const callee = node?.type === "CallExpression" ? unwrap(childOf(node, "callee")) : undefined;
    if (node === undefined || callee?.type !== "MemberExpression") return node;
    const isFreeze = propertyName(callee, "property") === "freeze" &&
      identifierName(unwrap(childOf(callee, "object"))) === "Object" && this.#isGlobal("Object");
    const frozen = unwrap(childrenOf(node, "arguments")[0]);
    const isLiteral = frozen?.type === "ObjectExpression" || frozen?.type === "ArrayExpression";
    return isFreeze && isLiteral ? frozen : node;
  }

  #isPrimitive(node: SyntaxNode | undefined): boolean {
    if (node === undefined) return false;
    if (PRIMITIVES.has(node.type)) return true;
    const parts = (...keys: string[]) => keys.every((key) => this.isPrimitive(childOf(node, key)));
    switch (node.type) {
      case "Identifier": {
        const name = identifierName(node) ?? "";
        return this.#known.get(name) === "primitive" ||
          (GLOBAL_VALUES.has(name) && this.#isGlobal(name));
      }
      case "MemberExpression":
        return ["string", "number"].includes(typeof this.#literals.read(node));
      case "TemplateLiteral":
        return childrenOf(node, "expressions").every((part) => this.isPrimitive(part));
      case "UnaryExpression":
        return node["operator"] !== "delete" && node["operator"] !== "throw" && parts("argument");
      case "BinaryExpression":
        return !["in", "instanceof", "|>"].includes(String(node["operator"])) &&
          parts("left", "right");
      case "LogicalExpression":
        return parts("left", "right");
      case "ConditionalExpression":
        return parts("test", "consequent", "alternate");
      default:
        return false;
    }
  }
}
