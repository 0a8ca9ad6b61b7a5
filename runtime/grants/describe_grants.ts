/**
 * Grants as people and command lines write them.
 * @module
 */
import type { ResolvedGrants } from "../../core/permissions.ts";
import type { ArgumentGrant, GrantPlan } from "./grant_types.ts";

const KEYS = ["read", "write", "net", "env", "run", "sys", "ffi"] as const;

/**
 * The plan in the words of `deno run`, for people. What comes with the call stays `$ARG.<name>`.
 *
 * @param plan The plan.
 * @returns One `--allow-…` for each kind; empty when the tool gets nothing.
 */
export function describeGrants(
  plan: { readonly grants: ResolvedGrants; readonly argumentGrants: readonly ArgumentGrant[] },
): string[] {
  return KEYS.flatMap((key) => {
    const extra = plan.argumentGrants.filter(({ kind }) => kind === key)
      .map(({ argument }) => `$ARG.${argument}`);
    return flag(`--allow-${key}`, [...plan.grants[key], ...extra]);
  });
}

/**
 * The flags of a process that gets exactly these grants. A kind without a grant has no flag, because a
 * flag without a value grants everything.
 *
 * @param grants The grants.
 * @param denyNet Addresses that stay closed; left out when no address is granted.
 * @returns The flags.
 * @throws {RangeError} If a grant holds a comma, which Deno would read as the end of the entry.
 */
export function denoFlags(
  grants: ResolvedGrants,
  denyNet: GrantPlan["denyNet"] = [],
): string[] {
  const allow = KEYS.flatMap((key) => flag(`--allow-${key}`, grants[key]));
  return grants.net.length === 0 ? allow : [...allow, ...flag("--deny-net", denyNet)];
}

function flag(name: string, values: readonly string[]): string[] {
  const unsafe = values.find((value) => value.includes(",") || value === "");
  if (unsafe !== undefined) {
    throw new RangeError(`Cannot write ${name} for "${unsafe}": expected a text without a comma`);
  }
  return values.length === 0 ? [] : [`${name}=${values.join(",")}`];
}
