/**
 * Why a tool is or is not offered.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { ToolEntry } from "../core/entry.ts";
import type { Availability } from "../registry/prober.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import { isShellTool, startsContained } from "./approval/shell_tools.ts";
import type { CommandMode } from "./container/command_container.ts";
import { findingsOf } from "./entry_findings.ts";
import { describeGrants } from "./grants/mod.ts";
import type { Explanation } from "./runtime_types.ts";
import { suggestNames } from "./suggest.ts";
import type { ToolPlanner } from "./tool_planner.ts";
import type { ToolSelector } from "./tool_selector.ts";

/** What an explanation is made from. */
export interface ExplainInput {
  /** The table. */
  readonly registry: ToolRegistry;
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** What the configuration offers. */
  readonly selector: ToolSelector;
  /** Whether to say what providers cannot be told. */
  readonly withDialects: boolean;
  /** Judges availability. */
  readonly judge: (name: string) => Promise<Availability>;
  /** Why a tool has a cell of its own although its declaration asks for none. */
  readonly ownCell: (entry: ToolEntry) => string | undefined;
  /** Where the terminal's commands run. */
  readonly commands: () => Promise<CommandMode>;
  /** Tells the time, in milliseconds since the epoch. */
  readonly date: () => number;
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
  const { plan, isolation, timeoutMs, memoryMb } = input.planner.plan(entry);
  const ownCell = input.ownCell(entry);
  const commands = await commandsOf(entry, input);
  const closed = input.planner.closedTo(entry);
  const verdict = await input.judge(name);
  const now = input.date();
  const checkedAt = verdict.checkedAt ?? now;
  const { column: _, ...source } = entry.source;
  return {
    name,
    found: true,
    suggestions: [],
    source,
    owner: entry.owner,
    rule,
    shadowed,
    toolset: entry.toolset,
    selection: input.selector.explain(input.registry.snapshot(), name),
    available: verdict.available,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    checkedAt: new Date(checkedAt).toISOString(),
    ageMs: Math.max(0, now - checkedAt),
    isolation,
    ...(ownCell === undefined ? {} : { ownCell }),
    ...(commands === undefined ? {} : { commands }),
    timeoutMs,
    ...(entry.handler.kind === "module" ? { memoryMb } : {}),
    permissions: entry.permissions,
    grants: [
      ...describeGrants(plan),
      ...closed.length === 0 ? [] : [`--deny-write=${closed.join(",")}`],
    ],
    cut: [...plan.cut, ...plan.missing.map((program) => `Program "${program}" is not installed`)],
    ...(entry.handler.kind === "module" ? { integrity: entry.handler.integrity } : {}),
    ...(input.withDialects ? { dialects: await dialectsOf(entry) } : {}),
    diagnostics: [...input.diagnostics(source.path), ...findingsOf(entry)],
  };
}

async function commandsOf(entry: ToolEntry, input: ExplainInput): Promise<string | undefined> {
  if (!isShellTool(entry)) return undefined;
  const asked = "asked about, unless they only read plain files of the workspace";
  if (!startsContained(entry)) return asked;
  const mode = await input.commands();
  return mode.mode === "contained" ? "run in a container" : `${asked}: ${mode.reason}`;
}

async function dialectsOf(entry: ToolEntry): Promise<Explanation["dialects"]> {
  const { explainDialects } = await import("./explain_dialects.ts");
  return explainDialects(entry);
}
