/**
 * From a zod schema written with literals to JSON Schema, by running zod on what the tree says.
 * @module
 */
import type { JsonValue } from "../core/json.ts";
import type { ModuleBindings } from "./bindings.ts";
import { type LiteralReader, NOT_LITERAL } from "./literal.ts";
import {
  childOf,
  childrenOf,
  identifierName,
  isMember,
  propertyName,
  type SyntaxNode,
  unwrap,
} from "./tree.ts";
import { COERCIONS, FACTORIES, ISO_FORMATS, METHODS } from "./zod_words.ts";

type Zod = typeof import("zod");
type Schema = import("zod").ZodType;

/** Which side of a schema is described: what goes in, or what comes out. */
export type SchemaSide = "input" | "output";

/** Nodes that the schemas of one file may take. */
const MAX_NODES = 20_000;
/** Calls in one chain: each may copy all fields of an object. */
const MAX_CHAIN = 64;

class DynamicError extends Error {}

interface Built {
  readonly schema: Schema;
  readonly chain: number;
}

let loading: Promise<Zod> | undefined;

/** Reads zod schemas of one file. */
export class ZodReader {
  readonly #bindings: ModuleBindings;
  readonly #literals: LiteralReader;
  #nodesLeft = MAX_NODES;

  /**
   * Makes a reader for a file.
   *
   * @param bindings The names at module level.
   * @param literals Reads the arguments.
   */
  constructor(bindings: ModuleBindings, literals: LiteralReader) {
    this.#bindings = bindings;
    this.#literals = literals;
  }

  /**
   * Reads a schema. Only zod's own code runs, on literals of the file.
   *
   * @param expression Any expression.
   * @param side Which side of the schema is wanted.
   * @returns The JSON Schema; `undefined` if the expression is no zod schema made of literals.
   */
  async read(
    expression: SyntaxNode | undefined,
    side: SchemaSide,
  ): Promise<JsonValue | undefined> {
    if (this.#bindings.zod.size === 0) return undefined;
    loading ??= import("zod");
    const zod = await loading;
    try {
      const { schema } = this.#build(zod, expression);
      return JSON.parse(JSON.stringify(zod.toJSONSchema(schema, { io: side })));
    } catch {
      // Whatever zod does not like is for the evaluation to explain.
      return undefined;
    }
  }

  /**
   * Loads zod, for questions about single expressions.
   *
   * @returns Tells whether zod makes a schema of an expression without an error. Only zod's own code runs.
   */
  async tester(): Promise<(expression: SyntaxNode) => boolean> {
    loading ??= import("zod");
    const zod = await loading;
    return (expression) => {
      try {
        return this.#build(zod, expression) !== undefined;
      } catch {
        return false;
      }
    };
  }

  #build(zod: Zod, expression: SyntaxNode | undefined): Built {
    const node = unwrap(expression);
    if (!node || --this.#nodesLeft < 0) throw new DynamicError();
    if (node.type === "Identifier") return this.#build(zod, this.#literals.resolve(node));
    const callee = node.type === "CallExpression" ? unwrap(childOf(node, "callee")) : undefined;
    const method = callee?.type === "MemberExpression"
      ? propertyName(callee, "property")
      : undefined;
    if (!callee || method === undefined) throw new DynamicError();
    const values = childrenOf(node, "arguments").map((argument) => this.#value(zod, argument));
    return this.#call(zod, unwrap(childOf(callee, "object")), method, values);
  }

  #call(zod: Zod, object: SyntaxNode | undefined, method: string, values: unknown[]): Built {
    const factory = this.#factory(zod, object, method);
    if (factory) return { schema: callOn(factory, method, values), chain: 0 };
    if (!METHODS.has(method)) throw new DynamicError();
    const { schema, chain } = this.#build(zod, object);
    // An id would stay in zod's global registry and clash with the next file's.
    if (chain >= MAX_CHAIN || (method === "meta" && hasId(values[0]))) throw new DynamicError();
    return { schema: callOn(schema, method, values), chain: chain + 1 };
  }

  #factory(zod: Zod, object: SyntaxNode | undefined, method: string): object | undefined {
    if (this.#isZod(object)) return FACTORIES.has(method) ? zod : undefined;
    if (!isMember(object) || !this.#isZod(unwrap(childOf(object, "object")))) return undefined;
    const group = propertyName(object, "property");
    if (group === "coerce" && COERCIONS.has(method)) return zod.coerce;
    return group === "iso" && ISO_FORMATS.has(method) ? zod.iso : undefined;
  }

  #isZod(node: SyntaxNode | undefined): boolean {
    const name = identifierName(node);
    return name !== undefined && this.#bindings.zod.has(name);
  }

  #value(zod: Zod, argument: SyntaxNode | undefined): unknown {
    const literal = this.#literals.read(argument);
    if (literal !== NOT_LITERAL) return literal;
    const node = this.#resolved(unwrap(argument));
    switch (node?.type) {
      case "RegExpLiteral":
        return new RegExp(String(node["pattern"]), String(node["flags"]));
      case "ArrayExpression":
        return childrenOf(node, "elements").map((element) => this.#value(zod, element));
      case "ObjectExpression":
        return this.#shape(zod, node);
      default:
        return this.#build(zod, node).schema;
    }
  }

  #resolved(node: SyntaxNode | undefined): SyntaxNode | undefined {
    const name = identifierName(node);
    if (name === undefined) return node;
    const init = unwrap(this.#literals.resolve(node));
    const isData = init?.type === "ArrayExpression" || init?.type === "ObjectExpression";
    if (!init || (isData && this.#literals.isUnstable(name))) throw new DynamicError();
    return init;
  }

  #shape(zod: Zod, node: SyntaxNode): Record<string, unknown> {
    const shape: Record<string, unknown> = {};
    for (const property of childrenOf(node, "properties")) {
      if (property?.type === "SpreadElement") {
        Object.assign(shape, this.#value(zod, childOf(property, "argument")));
        continue;
      }
      const name = property?.type === "ObjectProperty" ? propertyName(property, "key") : undefined;
      if (!property || name === undefined || name === "__proto__") throw new DynamicError();
      shape[name] = this.#value(zod, childOf(property, "value"));
    }
    return shape;
  }
}

function callOn(target: object, method: string, values: unknown[]): Schema {
  const call: unknown = Reflect.get(target, method);
  if (typeof call !== "function") throw new DynamicError();
  const schema: unknown = Reflect.apply(call, target, values);
  if (typeof schema !== "object" || schema === null || !("_zod" in schema)) {
    throw new DynamicError();
  }
  return schema as Schema;
}

function hasId(value: unknown): boolean {
  return typeof value === "object" && value !== null && "id" in value;
}
