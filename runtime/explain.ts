/**
 * Why a tool is or is not offered.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Availability } from "../registry/prober.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import { describeGrants } from "./grants/mod.ts";
import type { Explanation } from "./runtime_types.ts";
import { suggestNames } from "./suggest.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** What an explanation is made from. */
export interface ExplainInput {
  /** The table. */
  readonly registry: ToolRegistry;
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Judges availability. */
  readonly judge: (name: string) => Promise<Availability>;
  /** Findings about a file. */
  readonly diagnostics: (path: string | undefined) => readonly Diagnostic[];
  /** Findings that mention the name, for a tool that is not there. */
  readonly allDiagnostics: () => readonly Diagnostic[];
}

/**
 * Explains a name.
 *
 * @param name The name.
 * @param input What the explanation is made from.
 * @returns The explanation.
 */
export async function explainTool(name: string, input: ExplainInput): Promise<Explanation> {
  const { registry } = input;
  const claims = registry.explainClaims(name);
  const shadowed = claims.claims.filter((claim) => !claim.visible || claim.entry.name !== name)
    .map(({ entry, reason }) => ({ owner: entry.owner, path: entry.source.path, reason }));
  const found = registry.getEntry(name) !== undefined;
  if (!found) {
    return {
      name,
      found,
      suggestions: suggestNames(name, registry.getAllToolNames(), 3),
      shadowed,
      diagnostics: input.allDiagnostics().filter(({ message }) => message.includes(`"${name}"`)),
    };
  }
  return await explainFound(name, input, shadowed, claims.rule);
}

async function explainFound(
  name: string,
  input: ExplainInput,
  shadowed: Explanation["shadowed"],
  rule: string | undefined,
): Promise<Explanation> {
  const entry = input.registry.getEntry(name)!;
  const { plan, isolation } = input.planner.plan(entry);
  const verdict = await input.judge(name);
  const { kind, path, line } = entry.source;
  return {
    name,
    found: true,
    suggestions: [],
    source: { kind, ...(path && { path }), ...(line && { line }) },
    owner: entry.owner,
    rule,
    shadowed,
    toolset: entry.toolset,
    available: verdict.available,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    checkedAt: new Date(verdict.checkedAt ?? Date.now()).toISOString(),
    isolation,
    permissions: entry.permissions,
    grants: describeGrants(plan),
    cut: [...plan.cut, ...plan.missing.map((program) => `Program "${program}" is not installed`)],
    ...(entry.handler.kind === "module" ? { integrity: entry.handler.integrity } : {}),
    diagnostics: input.diagnostics(path),
  };
}
