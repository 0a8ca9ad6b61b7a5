/**
 * The import pass: what a module imports, and what it does to import behind the resolver's back.
 * @module
 */
import { pathToFileURL } from "node:url";
import type { ModuleBindings } from "./bindings.ts";
import { dynamicAttributes, type ImportAttributes, staticAttributes } from "./import_attributes.ts";
import { importFault, type ImportFaultCode } from "./import_words.ts";
import { outermost } from "./rule.ts";
import { comparePlaces, type Findings, placeOf } from "./scan_findings.ts";
import type { ImportKind, ImportReference } from "./scan_types.ts";
import type { ScopeLookup } from "./scope.ts";
import {
  childOf,
  childrenOf,
  type Frame,
  identifierName,
  isCall,
  isMember,
  literalText,
  propertyName,
  type SyntaxNode,
  textOf,
} from "./tree.ts";
import { isValueUse } from "./value_use.ts";

const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["globalThis", "self", "window", "global"]);
const LOADERS: ReadonlyMap<string, ImportFaultCode> = new Map([
  ["Worker", "nested_worker"],
  ["SharedWorker", "nested_worker"],
  ["require", "require_call"],
]);
const PROCESS_DOORS: ReadonlySet<string> = new Set([
  "binding",
  "_linkedBinding",
  "getBuiltinModule",
  "dlopen",
]);
const BUILTINS: ReadonlyMap<string, ImportFaultCode> = new Map([
  ["module", "create_require"],
  ["worker_threads", "worker_threads"],
]);

/** The kinds of node that the pass looks at. */
export const IMPORT_NODES: ReadonlySet<string> = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
  "TSImportEqualsDeclaration",
  "MetaProperty",
  "Identifier",
]);

/** The names that the pass looks at; an identifier with any other name says nothing to it. */
export const IMPORT_NAMES: ReadonlySet<string> = new Set([
  ...GLOBAL_OBJECTS,
  ...LOADERS.keys(),
  "process",
]);

/** Collects the imports of one module. */
export class ImportPass {
  readonly #path: string;
  readonly #bindings: ModuleBindings;
  readonly #scope: ScopeLookup;
  readonly #findings: Findings;
  readonly #imports: ImportReference[] = [];

  /**
   * Starts with none.
   *
   * @param path The module's absolute path.
   * @param bindings The names at module level.
   * @param scope Looks names up.
   * @param findings Takes what cannot be admitted.
   */
  constructor(path: string, bindings: ModuleBindings, scope: ScopeLookup, findings: Findings) {
    this.#path = path;
    this.#bindings = bindings;
    this.#scope = scope;
    this.#findings = findings;
  }

  /**
   * Ends the pass: compares the imports with each other.
   *
   * @returns The imports in source order.
   */
  finish(): readonly ImportReference[] {
    const imports = this.#imports.toSorted(comparePlaces);
    const seen = new Map<string, string>();
    for (const item of imports) if (item.kind !== "type") this.#compare(item, seen);
    return imports;
  }

  /**
   * Looks at one node.
   *
   * @param frame The node with the way to it.
   */
  visit(frame: Frame): void {
    const { node } = frame;
    switch (node.type) {
      case "ImportDeclaration":
        return this.#visitStatic(node, textOf(node, "importKind") === "type" ? "type" : "static");
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        return this.#visitStatic(node, textOf(node, "exportKind") === "type" ? "type" : "export");
      case "ImportExpression":
        return this.#visitDynamic(node);
      case "TSImportType":
        return this.#add(childOf(node, "source"), "type");
      case "TSImportEqualsDeclaration":
        return this.#visitImportEquals(node);
      case "MetaProperty":
        return this.#visitMeta(frame);
      case "Identifier":
        return this.#visitName(frame, textOf(node, "name") ?? "");
    }
  }

  #visitStatic(node: SyntaxNode, kind: ImportKind): void {
    const source = childOf(node, "source");
    if (!source) return;
    if (node["phase"] === "defer" || node["phase"] === "source") {
      this.#findings.add(source, importFault("import_phase"));
    }
    if (kind !== "type" && importsProcessDoor(node)) {
      this.#findings.add(source, importFault("process_binding"));
    }
    this.#add(source, kind, staticAttributes(node));
  }

  #visitDynamic(node: SyntaxNode): void {
    const source = childOf(node, "source");
    const attributes = dynamicAttributes(childOf(node, "options"));
    if (typeof node["phase"] === "string") this.#findings.add(node, importFault("import_phase"));
    if (literalText(source) === undefined) {
      this.#findings.add(node, importFault("import_not_literal"));
    } else if (attributes === "dynamic") {
      this.#findings.add(node, importFault("attributes_not_literal"));
      this.#add(source, "dynamic");
    } else this.#add(source, "dynamic", attributes);
  }

  #visitImportEquals(node: SyntaxNode): void {
    const reference = childOf(node, "moduleReference");
    if (reference?.type !== "TSExternalModuleReference") return;
    const isType = textOf(node, "importKind") === "type";
    if (!isType) this.#findings.add(node, importFault("import_equals"));
    this.#add(childOf(reference, "expression"), isType ? "type" : "static");
  }

  #visitMeta(frame: Frame): void {
    if (identifierName(childOf(frame.node, "meta")) !== "import") return;
    const { parent, key } = outermost(frame);
    const isAccess = parent !== undefined && isMember(parent.node) && key === "object";
    const name = isAccess ? propertyName(parent.node, "property") : undefined;
    const reaches = isAccess
      ? name === undefined || name === "resolve"
      : isValueUse(outermost(frame));
    if (reaches) this.#findings.add(frame.node, importFault("import_meta_resolve"));
  }

  #visitName(frame: Frame, name: string): void {
    if (GLOBAL_OBJECTS.has(name)) this.#visitGlobalObject(frame, name);
    else if (name === "process") this.#visitProcess(frame, name);
    else if (LOADERS.has(name) && isLoaderUse(frame)) {
      const code = LOADERS.get(name);
      if (code && this.#isGlobal(frame, name)) this.#findings.add(frame.node, importFault(code));
    }
  }

  #visitGlobalObject(frame: Frame, name: string): void {
    const { parent, key } = outermost(frame);
    if (!parent || !isMember(parent.node) || key !== "object") return;
    const property = propertyName(parent.node, "property") ?? "";
    if (property === "process") return this.#visitProcess(parent, name);
    const code = LOADERS.get(property);
    if (code && this.#isGlobal(frame, name)) this.#findings.add(frame.node, importFault(code));
  }

  #visitProcess(frame: Frame, name: string): void {
    const { parent, key } = outermost(frame);
    if (!parent || !isMember(parent.node) || key !== "object") return;
    if (!PROCESS_DOORS.has(propertyName(parent.node, "property") ?? "")) return;
    if (this.#isGlobal(frame, name) || this.#bindings.foreign.has(name)) {
      this.#findings.add(frame.node, importFault("process_binding"));
    }
  }

  #isGlobal(frame: Frame, name: string): boolean {
    const { declared, foreign } = this.#bindings;
    return !declared.has(name) && !foreign.has(name) && !this.#scope.isShadowed(frame, name);
  }

  #add(source: SyntaxNode | undefined, kind: ImportKind, attributes?: ImportAttributes): void {
    const specifier = literalText(source);
    if (!source || specifier === undefined) return;
    const given = attributes ? { attributes } : {};
    this.#imports.push({ specifier, ...placeOf(source), kind, ...given });
    if (kind !== "type") this.#check(source, specifier);
  }

  #check(source: SyntaxNode, specifier: string): void {
    const builtin = BUILTINS.get(specifier.replace(/^node:/, ""));
    if (builtin) this.#findings.add(source, importFault(builtin));
    const target = this.#resolve(specifier);
    if (/^(?:data|blob):/.test(target)) this.#findings.add(source, importFault("inline_module"));
  }

  #compare(item: ImportReference, seen: Map<string, string>): void {
    const target = this.#resolve(item.specifier);
    const text = JSON.stringify(Object.entries(item.attributes ?? {}).toSorted());
    const before = seen.get(target);
    if (before === undefined) seen.set(target, text);
    else if (before !== text) this.#findings.addAt(item, importFault("attributes_differ"));
  }

  #resolve(specifier: string): string {
    const isRelative = /^\.{0,2}\//.test(specifier);
    const base = isRelative ? pathToFileURL(this.#path).href : undefined;
    return URL.parse(specifier, base)?.href ?? specifier;
  }
}

function isLoaderUse(frame: Frame): boolean {
  const outer = outermost(frame);
  const { parent, key } = outer;
  if (key === "callee" && (isCall(parent?.node) || parent?.node.type === "NewExpression")) {
    return true;
  }
  return (parent !== undefined && isMember(parent.node) && key === "object") || isValueUse(outer);
}

function importsProcessDoor(node: SyntaxNode): boolean {
  const specifier = literalText(childOf(node, "source"));
  if (specifier !== "node:process" && specifier !== "process") return false;
  return childrenOf(node, "specifiers").some((item) => {
    const imported = item && (childOf(item, "imported") ?? childOf(item, "local"));
    const name = identifierName(imported) ?? literalText(imported);
    return name !== undefined && PROCESS_DOORS.has(name);
  });
}
