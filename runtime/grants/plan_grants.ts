/**
 * From what a tool declares to what its worker gets.
 * @module
 */
import type { Permissions, ResolvedGrants } from "../../core/permissions.ts";
import { applyCeilings, type CeilingLists, readCeilings } from "./ceilings.ts";
import { closedAddresses } from "./deny_net.ts";
import type { ArgumentGrant, GrantContext, GrantPlan, RiskClass } from "./grant_types.ts";
import {
  ENV_KIND,
  type GrantKey,
  type Kind,
  NET_KIND,
  PATH_KIND,
  type Program,
  RUN_KIND,
  SYS_KIND,
  Unreadable,
} from "./kinds.ts";
import { formatNetEntry, isNear, type NetEntry, reachOfHost } from "./net_entry.ts";
import { needsNetWord, needsPathWord } from "./operator_word.ts";

interface Findings {
  readonly missing: string[];
  readonly cut: string[];
  readonly refused: string[];
}

interface PlannedKind<T> {
  readonly entries: readonly T[];
  readonly lists: CeilingLists<T>;
}

const ARGUMENT = "$ARG.";

/**
 * Works out what a tool gets: declared, capped by every ceiling, less what any ceiling denies. Links and
 * programs are resolved now. Nothing throws for a bad declaration: what cannot be granted is told.
 *
 * @param permissions What the tool declares.
 * @param context Where its variables point, and what the operator says.
 * @returns The plan.
 */
export function planGrants(permissions: Permissions, context: GrantContext): GrantPlan {
  const findings: Findings = { missing: [], cut: [], refused: [] };
  const plan = <T>(key: GrantKey, kind: Kind<T>): PlannedKind<T> =>
    planKind(key, kind, permissions, context, findings);
  const paths = (key: GrantKey): readonly string[] => {
    const { entries, lists } = plan(key, PATH_KIND);
    return entries.filter((path) => passes(needsPathWord(key, path, lists), findings));
  };
  const net = plan("net", NET_KIND);
  const open = net.entries.filter((entry) => passes(needsNetWord(entry, net.lists), findings));
  const grants = freezeGrants({
    read: paths("read"),
    write: paths("write"),
    net: open.map(formatNetEntry),
    env: plan("env", ENV_KIND).entries,
    run: plan("run", RUN_KIND).entries.flatMap((program) => installed(program, findings)),
    sys: plan("sys", SYS_KIND).entries,
    ffi: paths("ffi"),
  });
  const argumentGrants = argumentGrantsOf(permissions, context, findings);
  return finish(grants, argumentGrants, { entries: open, lists: net.lists }, findings);
}

function passes(refusal: string | undefined, findings: Findings): boolean {
  if (refusal !== undefined) findings.refused.push(refusal);
  return refusal === undefined;
}

function planKind<T>(
  key: GrantKey,
  kind: Kind<T>,
  permissions: Permissions,
  context: GrantContext,
  findings: Findings,
): PlannedKind<T> {
  const declared = (permissions[key] || []).filter((text) => !text.startsWith(ARGUMENT));
  const entries = declared.flatMap((text) => {
    const entry = kind.parse(text, context);
    if (!(entry instanceof Unreadable)) return [entry];
    findings.refused.push(`${key}: ${entry.reason}`);
    return [];
  });
  const lists = readCeilings(key, kind, context);
  const capped = applyCeilings(key, kind, entries, lists);
  findings.cut.push(...capped.cut);
  findings.refused.push(...capped.unreadable);
  return { entries: capped.entries, lists };
}

function installed(program: Program, findings: Findings): readonly string[] {
  if (program.paths.length === 0) findings.missing.push(program.name);
  const unsafe = program.paths.find((path) => path.includes(","));
  if (unsafe === undefined) return program.paths;
  findings.refused.push(`run: the path "${unsafe}" holds a comma, which no grant can carry`);
  return [];
}

function argumentGrantsOf(
  permissions: Permissions,
  context: GrantContext,
  findings: Findings,
): readonly ArgumentGrant[] {
  for (const key of ["ffi", "env", "run", "sys"] as const) {
    for (const text of permissions[key] || []) {
      if (!text.startsWith(ARGUMENT)) continue;
      findings.refused.push(`${key}: "${text}" cannot come from an argument`);
    }
  }
  return (["read", "write", "net"] as const).flatMap((kind) =>
    (permissions[kind] || []).filter((text) => text.startsWith(ARGUMENT))
      .map((text) => Object.freeze({ kind, argument: text.slice(ARGUMENT.length) }))
      .filter((grant) => isOpen(grant, context, findings))
  );
}

function isOpen(grant: ArgumentGrant, context: GrantContext, findings: Findings): boolean {
  const { kind, argument } = grant;
  const closed = context.ceilings.find(({ allow }) =>
    allow?.[kind] !== undefined && (allow[kind] || []).length === 0
  );
  if (closed === undefined) return true;
  findings.cut.push(
    `${kind} "${ARGUMENT}${argument}" is not allowed by ${closed.source}.allow.${kind}`,
  );
  return false;
}

function finish(
  grants: ResolvedGrants,
  argumentGrants: readonly ArgumentGrant[],
  net: PlannedKind<NetEntry>,
  findings: Findings,
): GrantPlan {
  const system = net.entries.some(isNear) || grants.run.length > 0 || grants.ffi.length > 0;
  const closed = closedAddresses(net.entries, net.lists);
  findings.refused.push(...closed.refused);
  return Object.freeze({
    grants,
    argumentGrants: Object.freeze(argumentGrants),
    loopback: net.entries.some(({ host }) => reachOfHost(host) === "loopback"),
    exclusive: system,
    denyNet: Object.freeze(closed.denyNet),
    riskClass: system ? "system" : riskClassOf(grants, argumentGrants),
    missing: Object.freeze(findings.missing),
    cut: Object.freeze(findings.cut),
    refused: Object.freeze(findings.refused),
  });
}

function riskClassOf(grants: ResolvedGrants, extra: readonly ArgumentGrant[]): RiskClass {
  const files = grants.read.length + grants.write.length > 0 ||
    extra.some(({ kind }) => kind !== "net");
  const net = grants.net.length > 0 || extra.some(({ kind }) => kind === "net");
  if (files && net) return "mixed";
  if (files || net) return files ? "files" : "net";
  return grants.env.length + grants.sys.length > 0 ? "mixed" : "none";
}

function freezeGrants(grants: ResolvedGrants): ResolvedGrants {
  const unique = Object.entries(grants).map((
    [key, list],
  ) => [key, Object.freeze([...new Set(list)])]);
  return Object.freeze(Object.fromEntries(unique) as unknown as ResolvedGrants);
}
