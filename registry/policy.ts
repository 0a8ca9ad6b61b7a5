/**
 * Who wins a name. Order of arrival is no input, except among MCP servers.
 * @module
 */
import type { Owner, ToolEntry } from "../core/entry.ts";

/** What the operator said about plugins. */
export interface PluginPolicy {
  /** Namespace (`plugin:<id>`) to whether its overrides count. */
  readonly overrides: ReadonlyMap<string, boolean>;
  /** Namespaces in the order of the configuration. */
  readonly order: readonly string[];
}

/** No plugin may override, and none comes before another. */
export const NO_POLICY: PluginPolicy = Object.freeze({ overrides: new Map(), order: [] });

/**
 * The claim that is visible. Of the claims that do not override, the first by owner (built-in, program,
 * user, plugins, MCP servers) decides how the name is spelled; of the claims with that spelling, the
 * overrides that count go first, then the same order of owners.
 *
 * @param claims The claims on one folded name, at most one per owner; among MCP servers the latest is last.
 * @param policy What the operator said about plugins.
 * @returns The winner, or `undefined` when there is no claim.
 */
export function winner(
  claims: readonly ToolEntry[],
  policy: PluginPolicy,
): ToolEntry | undefined {
  if (claims.length < 2) return claims[0];
  const { name } = first(claims, policy, compareOwners);
  return first(claims.filter((claim) => claim.name === name), policy, compareClaims);
}

/**
 * Whether a claim asks to override and may: the program and the user always, a plugin with the operator's
 * grant, nobody else.
 *
 * @param claim The claim.
 * @param policy What the operator said about plugins.
 * @returns True for an override that counts.
 */
export function isEffectiveOverride(claim: ToolEntry, policy: PluginPolicy): boolean {
  if (!claim.override) return false;
  if (claim.owner === "program" || claim.owner === "user") return true;
  return claim.owner.startsWith("plugin:") && isGranted(claim.owner, policy);
}

/**
 * The namespace whose grant, given or refused, covers an owner: the longest prefix that ends where a part
 * of the id ends.
 *
 * @param owner The owner.
 * @param policy What the operator said about plugins.
 * @returns The namespace, or `undefined` when none covers it.
 */
export function coveringNamespace(owner: Owner, policy: PluginPolicy): string | undefined {
  return prefixesOf(owner).find((prefix) => policy.overrides.has(prefix));
}

/**
 * Why one claim goes before another, as a sentence without a full stop.
 *
 * @param won The claim that wins the name.
 * @param other Another claim on the name.
 * @param policy What the operator said about plugins.
 * @returns The rule that decided between the two.
 */
export function whyBefore(won: ToolEntry, other: ToolEntry, policy: PluginPolicy): string {
  if (won.name !== other.name) {
    return `"${other.name}" (${place(other)}) differs only in spelling from "${won.name}" ` +
      `(${place(won)}), and a second spelling of a held name is never visible`;
  }
  const overrides = isEffectiveOverride(won, policy);
  if (overrides !== isEffectiveOverride(other, policy)) {
    return `${won.owner} overrides, and ${
      won.owner.startsWith("plugin:")
        ? "the operator allows it to"
        : "the operator's own word counts"
    }, so it goes before ${other.owner}`;
  }
  return whyOwnerBefore(won.owner, other.owner, policy);
}

function whyOwnerBefore(won: Owner, other: Owner, policy: PluginPolicy): string {
  if (rank(won) !== rank(other)) {
    return `${won} goes before ${other}: the order is builtin, program, user, plugins, MCP servers`;
  }
  if (won.startsWith("mcp:")) return `${won} registered the name after ${other}`;
  return position(won, policy) !== position(other, policy)
    ? `${won} comes before ${other} in the configuration`
    : `${won} comes before ${other} by id; the configuration does not order them`;
}

type Comparison = (a: ToolEntry, b: ToolEntry, policy: PluginPolicy) => number;

function first(
  claims: readonly ToolEntry[],
  policy: PluginPolicy,
  compare: Comparison,
): ToolEntry {
  return claims.reduce((best, claim) => compare(claim, best, policy) < 0 ? claim : best);
}

function compareClaims(a: ToolEntry, b: ToolEntry, policy: PluginPolicy): number {
  const overrides = Number(isEffectiveOverride(b, policy)) - Number(isEffectiveOverride(a, policy));
  return overrides || compareOwners(a, b, policy);
}

function compareOwners(a: ToolEntry, b: ToolEntry, policy: PluginPolicy): number {
  const ranks = rank(a.owner) - rank(b.owner);
  if (ranks !== 0) return ranks;
  // `a` stands behind `b` in the list, so it is the later one.
  if (a.owner.startsWith("mcp:")) return -1;
  const positions = position(a.owner, policy) - position(b.owner, policy);
  return positions || (a.owner < b.owner ? -1 : 1);
}

function rank(owner: Owner): number {
  if (owner === "builtin") return 0;
  if (owner === "program") return 1;
  if (owner === "user") return 2;
  return owner.startsWith("plugin:") ? 3 : 4;
}

function position(owner: Owner, policy: PluginPolicy): number {
  const prefixes = prefixesOf(owner);
  for (const prefix of prefixes) {
    const index = policy.order.indexOf(prefix);
    if (index >= 0) return index;
  }
  return policy.order.length;
}

function isGranted(owner: Owner, policy: PluginPolicy): boolean {
  const namespace = coveringNamespace(owner, policy);
  return namespace !== undefined && policy.overrides.get(namespace) === true;
}

function prefixesOf(owner: Owner): readonly string[] {
  const parts = owner.split("/");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

function place(claim: ToolEntry): string {
  const { path, line } = claim.source;
  if (path === undefined) return claim.owner;
  return `${claim.owner}, ${path}${line === undefined ? "" : `:${line}`}`;
}
