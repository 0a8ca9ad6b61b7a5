/**
 * Every claim on every name, visible or not.
 * @module
 */
import type { Owner, ToolEntry } from "../core/entry.ts";
import { NO_POLICY, type PluginPolicy } from "./policy.ts";

/** The claims on one folded name, at most one per owner; among MCP servers the latest is last. */
export type Claims = readonly ToolEntry[];

const NONE: Claims = Object.freeze([]);

/** The claims by folded name, with what the operator said about plugins. */
export class ClaimTable {
  // Nearly every name has one claim, which then stands without a list around it.
  readonly #claims = new Map<string, ToolEntry | Claims>();
  #policy: PluginPolicy = NO_POLICY;

  /** What the operator said about plugins. */
  get policy(): PluginPolicy {
    return this.#policy;
  }

  /** The folded names that somebody claims. */
  get folds(): Iterable<string> {
    return this.#claims.keys();
  }

  /**
   * The claims on a name.
   *
   * @param fold The folded name.
   * @returns The claims; empty when nobody claims it.
   */
  get(fold: string): Claims {
    const slot = this.#claims.get(fold);
    if (slot === undefined) return NONE;
    return isList(slot) ? slot : [slot];
  }

  /**
   * Takes over what a draft changed.
   *
   * @param changed The changed claims by folded name.
   * @param policy What the operator says now.
   */
  commit(changed: ReadonlyMap<string, Claims>, policy: PluginPolicy): void {
    for (const [fold, claims] of changed) {
      if (claims.length === 0) this.#claims.delete(fold);
      else this.#claims.set(fold, claims.length === 1 ? claims[0]! : claims);
    }
    this.#policy = policy;
  }
}

function isList(slot: ToolEntry | Claims): slot is Claims {
  return Array.isArray(slot);
}

/**
 * The claims with an owner's new one in place of its old one.
 *
 * @param claims The claims on a name.
 * @param entry The new claim.
 * @returns The claims, the new one last.
 */
export function withClaim(claims: Claims, entry: ToolEntry): Claims {
  return [...withoutOwner(claims, entry.owner), entry];
}

/**
 * The claims without an owner's.
 *
 * @param claims The claims on a name.
 * @param owner The owner.
 * @returns The claims of the others.
 */
export function withoutOwner(claims: Claims, owner: Owner): Claims {
  return claims.filter((claim) => claim.owner !== owner);
}

/**
 * An owner's claim.
 *
 * @param claims The claims on a name.
 * @param owner The owner.
 * @returns Its claim, or `undefined`.
 */
export function claimOf(claims: Claims, owner: Owner): ToolEntry | undefined {
  return claims.find((claim) => claim.owner === owner);
}
