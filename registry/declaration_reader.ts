/**
 * From an accepted registration to its declaration as plain data.
 * @module
 */
import type { JsonObject, JsonValue } from "../core/json.ts";
import { toJsonLimit } from "../core/json_limit.ts";
import type { ModuleBindings } from "./bindings.ts";
import { type Fields, readFields } from "./fields.ts";
import { type LiteralReader, NOT_LITERAL } from "./literal.ts";
import { nearMiss } from "./near_miss_words.ts";
import type { RegistrationSite } from "./rule.ts";
import { type Finding, type Findings, placeOf } from "./scan_findings.ts";
import type { ScannedTool } from "./scan_types.ts";
import {
  childOf,
  childrenOf,
  identifierName,
  isFunction,
  isMember,
  propertyName,
  type SyntaxNode,
  unwrap,
} from "./tree.ts";
import type { ZodReader } from "./zod_literal.ts";

const FLAGS: ReadonlyMap<string, string> = new Map([
  ["checkFn", "hasCheckFn"],
  ["dynamicSchemaOverrides", "hasDynamicSchema"],
]);
/** Fields of a declaration that a registration does not have. */
const DERIVED: ReadonlySet<string> = new Set([
  "hasCheckFn",
  "hasDynamicSchema",
  "hasOwnCheck",
  "sharesCheckOf",
  "override",
]);

const PERMISSIONS_NOT_LITERAL: Finding = {
  severity: "error",
  code: "permissions_not_literal",
  message: "Cannot read the permissions of this tool: they are not written out, or may be changed",
  hint:
    "Write permissions as an object literal in this file, so that a reader sees what it may touch",
};
const HANDLER_MISSING: Finding = {
  severity: "error",
  code: "handler_missing",
  message: "Cannot register this tool: it has no handler",
  hint: "Add a handler function: handler: (args, context) => …",
};

interface Readers {
  readonly bindings: ModuleBindings;
  readonly literals: LiteralReader;
  readonly zod: ZodReader;
  readonly findings: Findings;
}

/** Reads the registrations of one file. */
export class DeclarationReader {
  readonly #readers: Readers;
  /** The first tool of each check function. */
  readonly #checks = new Map<string | SyntaxNode, string>();

  /**
   * Makes a reader for a file.
   *
   * @param readers What it reads with, and where its findings go.
   */
  constructor(readers: Readers) {
    this.#readers = readers;
  }

  /**
   * Reads a registration.
   *
   * @param site The call.
   * @returns The tool; `undefined` if it is not discovered after all, which is then a finding.
   */
  async read(site: RegistrationSite): Promise<ScannedTool | undefined> {
    const place = placeOf(site.call);
    // How often a loop runs, and with what, only the evaluation can tell.
    if (site.inLoop) return place;
    const [argument, options] = childrenOf(site.call, "arguments");
    const definition = this.#definition(argument);
    if (!definition) return this.#miss(site.call, "argument_not_literal");
    const fields = readFields(definition, this.#readers.literals);
    const name = this.#name(fields);
    const isOpen = fields.open !== undefined || this.#isUnstable(argument);
    if (name === NOT_LITERAL) return this.#miss(site.call, "name_not_literal");
    this.#check(fields, definition, this.#isUnstable(argument));
    const declaration = isOpen ? undefined : await this.#declaration(fields, options);
    return {
      ...place,
      ...(typeof name === "string" ? { name } : {}),
      ...(declaration ? { declaration } : {}),
    };
  }

  #miss(call: SyntaxNode, code: "argument_not_literal" | "name_not_literal"): undefined {
    this.#readers.findings.add(call, nearMiss(code));
    return undefined;
  }

  #definition(argument: SyntaxNode | undefined): SyntaxNode | undefined {
    const node = unwrap(argument);
    if (node?.type !== "Identifier") return this.#written(node);
    return this.#written(unwrap(this.#readers.literals.resolve(node)));
  }

  #written(node: SyntaxNode | undefined): SyntaxNode | undefined {
    if (node?.type === "ObjectExpression") return node;
    if (node?.type !== "CallExpression" || !this.#isDefineTool(unwrap(childOf(node, "callee")))) {
      return undefined;
    }
    const inner = unwrap(childrenOf(node, "arguments")[0]);
    return inner?.type === "ObjectExpression" ? inner : undefined;
  }

  #isDefineTool(callee: SyntaxNode | undefined): boolean {
    const { defineTool, namespaces } = this.#readers.bindings;
    if (!isMember(callee)) return defineTool.has(identifierName(callee) ?? "");
    return propertyName(callee, "property") === "defineTool" &&
      namespaces.has(identifierName(childOf(callee, "object")) ?? "");
  }

  #isUnstable(argument: SyntaxNode | undefined): boolean {
    return this.#readers.literals.isUnstable(identifierName(unwrap(argument)) ?? "");
  }

  #name(fields: Fields): JsonValue | undefined | typeof NOT_LITERAL {
    const field = fields.byName.get("name");
    if (!field) return fields.open ? NOT_LITERAL : undefined;
    return this.#readers.literals.read(childOf(field, "value"));
  }

  #check(fields: Fields, definition: SyntaxNode, unstable: boolean): void {
    const { findings, literals } = this.#readers;
    const permissions = fields.byName.get("permissions");
    const hidden = permissions
      ? literals.read(childOf(permissions, "value")) === NOT_LITERAL
      : fields.open;
    if (hidden || unstable) {
      findings.add(permissions ?? fields.open ?? definition, PERMISSIONS_NOT_LITERAL);
    }
    if (!fields.open && !fields.byName.has("handler")) findings.add(definition, HANDLER_MISSING);
  }

  async #declaration(
    fields: Fields,
    options: SyntaxNode | undefined,
  ): Promise<JsonObject | undefined> {
    const declaration: Record<string, JsonValue> = {};
    for (const [name, field] of fields.byName) {
      const value = name === "handler" ? undefined : await this.#field(name, field);
      if (value === NOT_LITERAL || DERIVED.has(name)) return undefined;
      if (value !== undefined) declaration[FLAGS.get(name) ?? name] = value;
      if (name === "schema" && this.#isZod(field)) declaration.hasOwnCheck = true;
    }
    const shared = this.#sharesCheckOf(fields, declaration.name);
    if (shared !== undefined) declaration.sharesCheckOf = shared;
    const override = this.#override(options);
    if (override === NOT_LITERAL) return undefined;
    return override === undefined ? declaration : { ...declaration, override };
  }

  async #field(
    name: string,
    field: SyntaxNode,
  ): Promise<JsonValue | undefined | typeof NOT_LITERAL> {
    const value = unwrap(childOf(field, "value"));
    const isCode = isFunction(field) || (value !== undefined && isFunction(value));
    if (FLAGS.has(name) && (isCode || isReference(value))) return true;
    // No field is null: whoever checks the declaration will name it.
    if (isCode) return null;
    const read = this.#readers.literals.read(value);
    if (read !== NOT_LITERAL) return portable(read);
    if (name !== "schema" && name !== "outputSchema") return NOT_LITERAL;
    const side = name === "schema" ? "input" : "output";
    return await this.#readers.zod.read(value, side) ?? NOT_LITERAL;
  }

  #sharesCheckOf(fields: Fields, tool: JsonValue | undefined): string | undefined {
    const field = fields.byName.get("checkFn");
    const check = field && this.#checkOf(field);
    if (check === undefined || typeof tool !== "string") return undefined;
    const first = this.#checks.get(check);
    if (first === undefined) this.#checks.set(check, tool);
    return first === tool ? undefined : first;
  }

  // A function is the same one where two tools name a binding that never changes, or spread the same object.
  #checkOf(field: SyntaxNode): string | SyntaxNode | undefined {
    const value = unwrap(childOf(field, "value"));
    if (isFunction(field) || (value !== undefined && isFunction(value))) return field;
    const { constants, functions, foreign } = this.#readers.bindings;
    const name = identifierName(value) ?? "";
    return [constants, functions, foreign].some((names) => names.has(name)) ? name : undefined;
  }

  #isZod(field: SyntaxNode): boolean {
    return this.#readers.literals.read(unwrap(childOf(field, "value"))) === NOT_LITERAL;
  }

  #override(options: SyntaxNode | undefined): JsonValue | undefined | typeof NOT_LITERAL {
    if (!options) return undefined;
    const value = this.#readers.literals.read(options);
    if (value === undefined) return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return NOT_LITERAL;
    const { override, ...others } = value as JsonObject;
    return Object.keys(others).length === 0 ? override : NOT_LITERAL;
  }
}

function isReference(node: SyntaxNode | undefined): boolean {
  const name = identifierName(node);
  return (name !== undefined && name !== "undefined") || isMember(node);
}

function portable(value: JsonValue | undefined): JsonValue | undefined | typeof NOT_LITERAL {
  if (typeof value === "number") {
    return value === -Infinity ? NOT_LITERAL : toJsonLimit(value);
  }
  return holdsInfinity(value) ? NOT_LITERAL : value;
}

function holdsInfinity(value: JsonValue | undefined): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsInfinity);
}
