/**
 * What the table has to say for the log.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import { coveringNamespace, isEffectiveOverride, type PluginPolicy, whyBefore } from "./policy.ts";

/** Something that happened in the table, for the log. */
export interface TableEvent {
  /** How bad it is. */
  readonly level: "debug" | "info" | "warning" | "error";
  /** What happened, for people. */
  readonly message: string;
}

/** Receives events. What it throws is ignored. */
export type TableEventSink = (event: TableEvent) => void;

/**
 * What the operator must write to let a plugin override.
 *
 * @param claim The plugin's claim.
 * @param policy What the operator said so far.
 * @returns A clause that names the configuration key.
 */
export function grantHint(claim: ToolEntry, policy: PluginPolicy): string {
  const namespace = coveringNamespace(claim.owner, policy) ?? claim.owner;
  return `to allow it, set "allowToolOverride": true for the plugin ` +
    `"${namespace.slice("plugin:".length)}" under "plugins" in cloister.json`;
}

/**
 * Whether a claim is a plugin's override that waits for the operator's grant.
 *
 * @param claim The claim.
 * @param policy What the operator said about plugins.
 * @returns True for a dormant override.
 */
export function isDormant(claim: ToolEntry, policy: PluginPolicy): boolean {
  return claim.override && claim.owner.startsWith("plugin:") && !isEffectiveOverride(claim, policy);
}

/**
 * Why a claim is not visible, with what the operator can do where there is something.
 *
 * @param won The claim that is visible.
 * @param lost The claim that is not.
 * @param policy What the operator said about plugins.
 * @returns A sentence without a full stop.
 */
export function whyShadowed(won: ToolEntry, lost: ToolEntry, policy: PluginPolicy): string {
  const why = whyBefore(won, lost, policy);
  return isDormant(lost, policy) && won.name === lost.name
    ? `${why}; the override is not allowed: ${grantHint(lost, policy)}`
    : why;
}

/**
 * The event of a claim that is not visible.
 *
 * @param claim The claim.
 * @param reason Why.
 * @returns The event.
 */
export function rejectionEvent(claim: ToolEntry, reason: string): TableEvent {
  return {
    level: "error",
    message: `Tool registration REJECTED: "${claim.name}" of ${claim.owner}: ${reason}`,
  };
}

/**
 * The event of a visible claim that gives way to another owner's.
 *
 * @param won The claim that is visible now.
 * @param lost The claim that was.
 * @param policy What the operator said about plugins.
 * @returns The event; a warning when a plugin's override lost because it is not allowed.
 */
export function displacementEvent(
  won: ToolEntry,
  lost: ToolEntry,
  policy: PluginPolicy,
): TableEvent {
  return {
    level: isDormant(lost, policy) ? "warning" : "info",
    message: `Tool "${won.name}" of ${won.owner} takes the place of the one of ${lost.owner}: ${
      whyShadowed(won, lost, policy)
    }`,
  };
}
