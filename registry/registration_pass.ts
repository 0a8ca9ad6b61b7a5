/**
 * Finds the registrations of a module, and everything near them.
 * @module
 */
import { isToolSpecifier, type ModuleBindings } from "./bindings.ts";
import { reasonOfCall, reasonOfMember, reasonOfValue } from "./near_miss.ts";
import { nearMiss, type NearMissCode } from "./near_miss_words.ts";
import { outermost, type RegistrationSite, siteOf } from "./rule.ts";
import type { Findings } from "./scan_findings.ts";
import type { ScopeLookup } from "./scope.ts";
import {
  childOf,
  childrenOf,
  type Frame,
  identifierName,
  isCall,
  isMember,
  propertyName,
  type SyntaxNode,
  textOf,
} from "./tree.ts";

/** The kinds of node that the pass looks at. */
export const REGISTRATION_NODES: ReadonlySet<string> = new Set([
  "Identifier",
  "MemberExpression",
  "OptionalMemberExpression",
  "ExportNamedDeclaration",
]);

/** Looks at every use of the registry in a module. */
export class RegistrationPass {
  /** The registrations that the rule accepts. */
  readonly sites: RegistrationSite[] = [];
  readonly #bindings: ModuleBindings;
  readonly #scope: ScopeLookup;
  readonly #findings: Findings;

  /**
   * Starts with none.
   *
   * @param bindings The names at module level.
   * @param scope Looks names up.
   * @param findings Takes what is near the rule but outside it.
   */
  constructor(bindings: ModuleBindings, scope: ScopeLookup, findings: Findings) {
    this.#bindings = bindings;
    this.#scope = scope;
    this.#findings = findings;
  }

  /** The names that the pass looks at; an identifier with any other name says nothing to it. */
  get names(): ReadonlySet<string> {
    const { registry, namespaces } = this.#bindings;
    return new Set([...registry, ...namespaces, "registry"]);
  }

  /**
   * Looks at one node.
   *
   * @param frame The node with the way to it.
   */
  visit(frame: Frame): void {
    const { node } = frame;
    const name = identifierName(node);
    if (name !== undefined) this.#visitName(frame, name);
    else if (isMember(node)) this.#visitForeignMember(frame);
    else if (node.type === "ExportNamedDeclaration") this.#visitReExport(node);
  }

  #visitName(frame: Frame, name: string): void {
    const { registry, namespaces } = this.#bindings;
    if (registry.has(name)) {
      if (this.#scope.isShadowed(frame, name)) this.#visitLookAlike(frame, "local_registry");
      else this.#visitRegistry(frame);
    } else if (namespaces.has(name)) {
      if (!this.#scope.isShadowed(frame, name)) this.#visitNamespace(frame);
    } else if (name === "registry") {
      this.#visitLookAlikeAtTop(frame, this.#originOf(frame, name));
    }
  }

  #originOf(frame: Frame, name: string): NearMissCode {
    const { declared, foreign } = this.#bindings;
    if (declared.has(name) || this.#scope.isShadowed(frame, name)) return "local_registry";
    return foreign.has(name) ? "foreign_registry" : "unbound_registry";
  }

  #visitRegistry(registry: Frame): void {
    const { parent, key } = outermost(registry);
    if (parent && isMember(parent.node) && key === "object") this.#visitMember(parent, registry);
    else this.#report(registry, reasonOfValue(registry));
  }

  #visitMember(member: Frame, registry: Frame): void {
    const name = propertyName(member.node, "property");
    const computed = member.node["computed"] === true;
    if (computed && (name === undefined || name === "register")) {
      this.#report(registry, "computed_member");
    } else if (name === "register") this.#visitRegister(member, registry);
  }

  #visitRegister(member: Frame, registry: Frame): void {
    const { parent, key } = outermost(member);
    if (!parent || !isCall(parent.node) || key !== "callee") {
      this.#report(registry, reasonOfMember(member));
    } else if (isOptional(member.node) || isOptional(parent.node)) {
      this.#report(registry, "optional_call");
    } else {
      const site = siteOf(parent);
      if (site) this.sites.push(site);
      else if (!this.#findings.full) this.#report(registry, reasonOfCall(parent));
    }
  }

  #visitNamespace(frame: Frame): void {
    const { parent, key } = outermost(frame);
    if (parent && isMember(parent.node) && key === "object") {
      if (propertyName(parent.node, "property") !== "registry") return;
      if (parent.node["computed"] === true) this.#report(frame, "computed_member");
      else this.#visitRegistry(parent);
    } else if (takesRegistry(parent?.node)) this.#report(frame, "destructured");
  }

  #visitForeignMember(frame: Frame): void {
    if (propertyName(frame.node, "property") !== "registry") return;
    const root = identifierName(childOf(frame.node, "object"));
    if (root !== undefined && this.#bindings.namespaces.has(root)) return;
    this.#visitLookAlikeAtTop(frame, "foreign_registry");
  }

  #visitLookAlikeAtTop(frame: Frame, code: NearMissCode): void {
    const call = registerCallOf(frame);
    if (call && siteOf(call)) this.#report(frame, code);
  }

  #visitLookAlike(frame: Frame, code: NearMissCode): void {
    if (registerCallOf(frame)) this.#report(frame, code);
  }

  #visitReExport(node: SyntaxNode): void {
    const source = textOf(childOf(node, "source"), "value");
    if (source === undefined || !isToolSpecifier(source)) return;
    for (const item of childrenOf(node, "specifiers")) {
      const local = item && childOf(item, "local");
      if (item && identifierName(local) === "registry") {
        this.#findings.add(item, nearMiss("re_exported"));
      }
    }
  }

  #report(frame: Frame, code: NearMissCode | undefined): void {
    if (code) this.#findings.add(frame.node, nearMiss(code));
  }
}

function isOptional(node: SyntaxNode): boolean {
  return node.type.startsWith("Optional");
}

function registerCallOf(registry: Frame): Frame | undefined {
  const member = outermost(registry).parent;
  if (!member || !isMember(member.node)) return undefined;
  if (propertyName(member.node, "property") !== "register") return undefined;
  const { parent, key } = outermost(member);
  return parent && isCall(parent.node) && key === "callee" ? parent : undefined;
}

function takesRegistry(declarator: SyntaxNode | undefined): boolean {
  const id = declarator?.type === "VariableDeclarator" ? childOf(declarator, "id") : undefined;
  return id?.type === "ObjectPattern" &&
    childrenOf(id, "properties").some((property) =>
      property !== undefined && propertyName(property, "key") === "registry"
    );
}
