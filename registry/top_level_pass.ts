/**
 * Reads what a module's top level does: whether loading it is certain to succeed, what it exports, and what it
 * takes from others. Nothing of the module runs.
 * @module
 */
import { isToolSpecifier, type ModuleBindings } from "./bindings.ts";
import { countConstructors } from "./class_body.ts";
import { HarmlessReader } from "./harmless.ts";
import { type ImportNeed, type TopLevel, UNCERTAIN } from "./top_level.ts";
import {
  childOf,
  childrenOf,
  type Frame,
  identifierName,
  isCall,
  propertyName,
  type SyntaxNode,
  textOf,
  unwrap,
} from "./tree.ts";
import { isTypeOnly, type LocalImport, nameOf, valueImports, valuesOf } from "./value_names.ts";
import type { ZodReader } from "./zod_literal.ts";

/** The kinds of node that the pass looks at. */
export const TOP_LEVEL_NODES: ReadonlySet<string> = new Set([
  "Identifier",
  "RegExpLiteral",
  "ClassBody",
  "ClassAccessorProperty",
  "Decorator",
]);

/** The statements that are gone, or have nothing to do, when the module runs. */
const IDLE: ReadonlySet<string> = new Set([
  "EmptyStatement",
  "FunctionDeclaration",
  "TSDeclareFunction",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
]);
/** Where a name stands for a type. */
const TYPE_USES: ReadonlySet<string> = new Set([
  "TSTypeReference",
  "TSQualifiedName",
  "TSTypeQuery",
  "TSClassImplements",
  "TSInterfaceHeritage",
]);
const SPECIFIERS: ReadonlySet<string> = new Set([
  "ImportSpecifier",
  "ImportDefaultSpecifier",
  "ImportNamespaceSpecifier",
]);

/** What a pass works with. */
export interface TopLevelOptions {
  /** The module's tree. */
  readonly program: SyntaxNode;
  /** The names at module level. */
  readonly bindings: ModuleBindings;
  /** Makes zod schemas of the file. */
  readonly zod: ZodReader;
  /** Whether it is the tool file itself: what it imports registers nothing. */
  readonly registers: boolean;
  /** Whether it is plain JavaScript, where every import takes place. */
  readonly isJavaScript: boolean;
}

/** Looks at a whole file for what the engine refuses, and then at its top level. */
export class TopLevelPass {
  readonly #options: TopLevelOptions;
  readonly #imports: ReadonlyMap<string, LocalImport>;
  readonly #used = new Set<string>();
  readonly #exports = new Set<string>();
  /** What is exported apart from its declaration: the name here, and the name outside. */
  readonly #listed: [local: string, exported: string][] = [];
  readonly #needs: ImportNeed[] = [];
  #refused = false;

  /**
   * Starts with nothing seen.
   *
   * @param options What it works with.
   */
  constructor(options: TopLevelOptions) {
    this.#options = options;
    this.#imports = valueImports(options.program);
  }

  /** The names that the pass looks at. */
  get names(): ReadonlySet<string> {
    return new Set(this.#imports.keys());
  }

  /**
   * Looks at one node, wherever it is: the parser lets pass what the engine refuses when it loads the file.
   *
   * @param frame The node with the way to it.
   */
  visit({ node, parent }: Frame): void {
    switch (node.type) {
      case "Identifier":
        if (!SPECIFIERS.has(parent?.node.type ?? "") && !TYPE_USES.has(parent?.node.type ?? "")) {
          this.#used.add(textOf(node, "name") ?? "");
        }
        return;
      case "RegExpLiteral":
        this.#refused ||= !isRegExp(node);
        return;
      case "ClassBody":
        this.#refused ||= countConstructors(node) > 1;
        return;
      default:
        this.#refused = true;
    }
  }

  /**
   * Ends the pass.
   *
   * @returns The top level; an uncertain one when any part of it is not certain.
   */
  async finish(): Promise<TopLevel> {
    if (this.#refused) return UNCERTAIN;
    const { program, bindings, zod } = this.#options;
    const isZodSchema = bindings.zod.size === 0 ? () => false : await zod.tester();
    const reader = new HarmlessReader({ bindings, isZodSchema });
    try {
      this.#declareFirst(reader);
      const harmless = childrenOf(program, "body").every((statement) =>
        statement !== undefined && this.#visitStatement(reader, statement)
      ) && this.#exportListed(reader);
      return harmless ? { harmless, exports: this.#exports, needs: this.#needs } : UNCERTAIN;
    } catch (error) {
      // Nested too deeply to be sure of it.
      if (error instanceof RangeError) return UNCERTAIN;
      throw error;
    }
  }

  /** Imports and functions have their values before the first statement runs. */
  #declareFirst(reader: HarmlessReader): void {
    for (const [local, { specifier, imported }] of this.#imports) {
      const isClass = imported === "ToolError" && isToolSpecifier(specifier);
      const kind = imported === "*" ? "object" : isClass ? "class" : "other";
      reader.declare(local, kind);
    }
    for (const name of this.#options.bindings.functions) reader.declare(name, "other");
  }

  #visitStatement(reader: HarmlessReader, node: SyntaxNode): boolean {
    if (IDLE.has(node.type) || node["declare"] === true) return true;
    switch (node.type) {
      case "ImportDeclaration":
        return this.#visitImport(node);
      case "ExportNamedDeclaration":
        return this.#visitExport(reader, node);
      case "ExportDefaultDeclaration":
        return this.#visitDefault(reader, childOf(node, "declaration"));
      case "ExportAllDeclaration":
        return isTypeOnly(node, "exportKind");
      case "VariableDeclaration":
        return this.#visitVariables(reader, node);
      case "ClassDeclaration":
        return this.#visitClass(reader, node);
      case "TSEnumDeclaration":
        return this.#visitEnum(reader, node);
      case "ExpressionStatement":
        return this.#visitExpression(reader, unwrap(childOf(node, "expression")));
      default:
        return false;
    }
  }

  #visitImport(node: SyntaxNode): boolean {
    if (isTypeOnly(node, "importKind")) return true;
    if (typeof node["phase"] === "string") return false;
    const names = childrenOf(node, "specifiers").flatMap((item) => {
      const local = item && identifierName(childOf(item, "local"));
      if (!item || local === undefined || isTypeOnly(item, "importKind")) return [];
      // What only types use is left out when the file is translated.
      const isNeeded = this.#options.isJavaScript || this.#used.has(local);
      return isNeeded ? [this.#imports.get(local)?.imported ?? ""] : [];
    });
    this.#need(node, names);
    return true;
  }

  #visitExport(reader: HarmlessReader, node: SyntaxNode): boolean {
    if (isTypeOnly(node, "exportKind")) return true;
    const declaration = childOf(node, "declaration");
    if (declaration) {
      return this.#visitStatement(reader, declaration) &&
        valuesOf(declaration).every((name) => this.#export(name));
    }
    const items = childrenOf(node, "specifiers").flatMap((item) =>
      item && !isTypeOnly(item, "exportKind")
        ? [{ local: nameOf(childOf(item, "local")), exported: nameOf(childOf(item, "exported")) }]
        : []
    );
    if (!childOf(node, "source")) {
      for (const { local, exported } of items) this.#listed.push([local ?? "", exported ?? ""]);
      return true;
    }
    this.#need(node, items.flatMap(({ local }) => local ?? []));
    return items.every(({ exported }) => this.#export(exported));
  }

  // A name that has no value is a type's, and is left out when the file is translated.
  #exportListed(reader: HarmlessReader): boolean {
    return this.#listed.every(([local, exported]) =>
      !reader.isDeclared(local) || this.#export(exported)
    );
  }

  #visitDefault(reader: HarmlessReader, node: SyntaxNode | undefined): boolean {
    if (node === undefined || node.type === "TSInterfaceDeclaration") return node !== undefined;
    // Its overloads stand before it, each with the word `default`.
    if (node.type === "TSDeclareFunction") return true;
    const harmless = node.type === "FunctionDeclaration" ||
      (node.type === "ClassDeclaration" ? this.#visitClass(reader, node) : reader.isHarmless(node));
    return harmless && this.#export("default");
  }

  #visitVariables(reader: HarmlessReader, node: SyntaxNode): boolean {
    const kind = textOf(node, "kind");
    if (kind !== "const" && kind !== "let" && kind !== "var") return false;
    return childrenOf(node, "declarations").every((declarator) => {
      const name = declarator && identifierName(childOf(declarator, "id"));
      const init = declarator && childOf(declarator, "init");
      if (name === undefined || (init && !reader.isHarmless(init))) return false;
      // Only a constant is certain to be what it was set to; nobody sets the others while the file loads.
      reader.declare(name, init ? reader.kindOf(init) : "other");
      return true;
    });
  }

  #visitClass(reader: HarmlessReader, node: SyntaxNode): boolean {
    if (!reader.isHarmlessClass(node)) return false;
    const name = identifierName(childOf(node, "id"));
    if (name !== undefined) reader.declare(name, "class");
    return true;
  }

  #visitEnum(reader: HarmlessReader, node: SyntaxNode): boolean {
    const members = childrenOf(childOf(node, "body") ?? node, "members");
    const harmless = members.every((member) => {
      const init = member && childOf(member, "initializer");
      return member !== undefined && (!init || reader.isPrimitive(init));
    });
    reader.declare(identifierName(childOf(node, "id")) ?? "", "object");
    return harmless;
  }

  #visitExpression(reader: HarmlessReader, node: SyntaxNode | undefined): boolean {
    if (node === undefined || !this.#isRegistration(node)) return reader.isHarmless(node);
    return this.#options.registers &&
      childrenOf(node, "arguments").every((argument) => reader.isHarmless(argument));
  }

  #isRegistration(node: SyntaxNode): boolean {
    const callee = isCall(node) ? unwrap(childOf(node, "callee")) : undefined;
    if (callee?.type !== "MemberExpression") return false;
    if (propertyName(callee, "property") !== "register") return false;
    const object = unwrap(childOf(callee, "object"));
    const { registry, namespaces } = this.#options.bindings;
    if (object?.type !== "MemberExpression") return registry.has(identifierName(object) ?? "");
    return propertyName(object, "property") === "registry" &&
      namespaces.has(identifierName(unwrap(childOf(object, "object"))) ?? "");
  }

  #need(node: SyntaxNode, names: readonly string[]): void {
    const specifier = textOf(childOf(node, "source"), "value");
    if (specifier === undefined) return;
    this.#needs.push({ specifier, names: names.filter((name) => name !== "*") });
  }

  // The parser takes two exports of one name, because they may be types; the engine does not.
  #export(name: string | undefined): boolean {
    if (name === undefined || this.#exports.has(name)) return false;
    this.#exports.add(name);
    return true;
  }
}

function isRegExp(node: SyntaxNode): boolean {
  try {
    new RegExp(String(node["pattern"]), String(node["flags"]));
    return true;
  } catch {
    return false;
  }
}
