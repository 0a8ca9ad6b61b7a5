/**
 * Grants: from a declaration and the operator's ceilings to what a worker gets.
 * @module
 */
export { resolveArgumentGrants } from "./argument_grants.ts";
export { DENY_NET } from "./deny_net.ts";
export { denoFlags, describeGrants } from "./describe_grants.ts";
export type {
  ArgumentGrant,
  ArgumentGrantOutcome,
  Ceiling,
  GrantContext,
  GrantPlan,
  RiskClass,
} from "./grant_types.ts";
export { planGrants } from "./plan_grants.ts";
