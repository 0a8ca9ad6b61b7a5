/**
 * Who wanted a name, and why each of them does or does not have it.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { Claims } from "./claim_table.ts";
import { type PluginPolicy, whyBefore, winner } from "./policy.ts";
import { whyShadowed } from "./table_event.ts";

/** One claim on a name. */
export interface ClaimExplanation {
  /** What was claimed. */
  readonly entry: ToolEntry;
  /** Whether it is the one in the table. */
  readonly visible: boolean;
  /** Why it is visible, or why it is not; a sentence without a full stop. */
  readonly reason: string;
}

/** All claims on a name. */
export interface ClaimsExplanation {
  /** The name that was asked for. */
  readonly name: string;
  /** The visible entry, if somebody claims the name; its spelling may differ from the name asked for. */
  readonly holder?: ToolEntry;
  /** The rule that decided, as a sentence without a full stop. */
  readonly rule?: string;
  /** Every claim, the visible one first, then the others in the order in which they would take its place. */
  readonly claims: readonly ClaimExplanation[];
}

/**
 * Explains the claims on a name.
 *
 * @param name The name that was asked for.
 * @param claims The claims on it.
 * @param policy What the operator said about plugins.
 * @returns The claims with their reasons.
 */
export function explain(name: string, claims: Claims, policy: PluginPolicy): ClaimsExplanation {
  const ranked = rank(claims, policy);
  const [holder, next] = ranked;
  if (!holder) return { name, claims: [] };
  const rule = next
    ? whyBefore(holder, next, policy)
    : `${holder.owner} is the only one that claims the name`;
  return {
    name,
    holder,
    rule,
    claims: ranked.map((entry) => ({
      entry,
      visible: entry === holder,
      reason: entry === holder ? rule : whyShadowed(holder, entry, policy),
    })),
  };
}

function rank(claims: Claims, policy: PluginPolicy): readonly ToolEntry[] {
  const ranked: ToolEntry[] = [];
  let rest = claims;
  for (let best = winner(rest, policy); best; best = winner(rest, policy)) {
    const taken = best;
    ranked.push(taken);
    rest = rest.filter((claim) => claim !== taken);
  }
  return ranked;
}
