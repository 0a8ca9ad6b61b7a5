/**
 * Which toolsets can be used now, computed from one snapshot.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { Availability, ProbePass, Prober } from "./prober.ts";
import type { RegistrySnapshot } from "./snapshot.ts";

/** What is known of a toolset. */
export interface ToolsetReport {
  /** Whether at least one of its tools can be used. */
  readonly available: boolean;
  /** Names of its tools, sorted. */
  readonly tools: readonly string[];
  /** Kept for compatibility; empty, because toolsets have no description of their own. */
  readonly description: string;
  /** Environment variables that its tools need, each one once. */
  readonly requirements: readonly string[];
}

/** What a toolset needs, in the shape that older programs know. */
export interface ToolsetRequirements {
  /** The toolset. */
  readonly name: string;
  /** Environment variables that its tools need, each one once. */
  readonly envVars: readonly string[];
  /**
   * Asks the check of the first tool, by name, that has one: where the tool runs, and answered from what is known as
   * everywhere else. Absent when no tool of the toolset has a check. Never rejects.
   */
  readonly checkFn?: () => Promise<boolean>;
  /** Kept for compatibility: no tool names an address for setting it up. */
  readonly setupUrl: null;
  /** Names of its tools, sorted. */
  readonly tools: readonly string[];
}

/** A toolset that cannot be used. */
export interface UnavailableToolset {
  /** The toolset. */
  readonly name: string;
  /** Environment variables that its tools need, each one once. */
  readonly envVars: readonly string[];
  /** Names of its tools, sorted. */
  readonly tools: readonly string[];
  /** Why its tools cannot be used, each reason once. */
  readonly reasons: readonly string[];
}

/** Toolsets by whether they can be used. */
export interface AvailabilityReport {
  /** Toolsets with at least one tool that can be used, sorted. */
  readonly available: readonly string[];
  /** The others, sorted by name. */
  readonly unavailable: readonly UnavailableToolset[];
}

/** A toolset with the verdicts on its tools. */
export interface ProbedToolset {
  /** The toolset. */
  readonly name: string;
  /** Its tools, sorted by name. */
  readonly entries: readonly ToolEntry[];
  /** The verdict on each, in the same order. */
  readonly verdicts: readonly Availability[];
}

/**
 * Probes every tool of some toolsets, all at once.
 *
 * @param snapshot The table.
 * @param prober Who looks at the tools.
 * @param only The toolset to look at. @default {all of them}
 * @returns The toolsets, sorted by name.
 */
export async function probeToolsets(
  snapshot: RegistrySnapshot,
  prober: Prober,
  only?: string,
): Promise<readonly ProbedToolset[]> {
  const groups = groupEntries(snapshot)
    .filter(([name]) => only === undefined || name === only);
  const pass = prober.pass?.() ?? prober;
  return await Promise.all(groups.map(([name, entries]) => probe(name, entries, pass)));
}

/**
 * What toolsets need, without asking anything.
 *
 * @param snapshot The table.
 * @param prober Who looks at the tools, when somebody asks a check.
 * @returns Toolset to what it needs, sorted by toolset.
 */
export function toolsetRequirements(
  snapshot: RegistrySnapshot,
  prober: Prober,
): Record<string, ToolsetRequirements> {
  return Object.fromEntries(
    groupEntries(snapshot).map(([name, entries]) => {
      const checked = entries.find((entry) => entry.hasCheckFn);
      const requirements: ToolsetRequirements = {
        name,
        envVars: variablesOf(entries),
        ...(checked && { checkFn: async () => (await ask(prober, checked)).available }),
        setupUrl: null,
        tools: entries.map((entry) => entry.name),
      };
      return [name, requirements];
    }),
  );
}

/**
 * Whether a toolset can be used: at least one of its tools can.
 *
 * @param toolset The probed toolset.
 * @returns True when it can.
 */
export function isUsable(toolset: ProbedToolset): boolean {
  return toolset.verdicts.some((verdict) => verdict.available);
}

/**
 * Sorts toolsets by whether they can be used.
 *
 * @param toolsets The probed toolsets, sorted by name.
 * @returns The report.
 */
export function toAvailabilityReport(toolsets: readonly ProbedToolset[]): AvailabilityReport {
  return {
    available: toolsets.filter(isUsable).map((toolset) => toolset.name),
    unavailable: toolsets.filter((toolset) => !isUsable(toolset)).map((toolset) => ({
      name: toolset.name,
      envVars: variablesOf(toolset.entries),
      tools: toolset.entries.map((entry) => entry.name),
      reasons: unique(toolset.verdicts.flatMap((verdict) => verdict.reason ?? [])),
    })),
  };
}

/**
 * What is known of a toolset.
 *
 * @param toolset The probed toolset.
 * @returns The report.
 */
export function toToolsetReport(toolset: ProbedToolset): ToolsetReport {
  return {
    available: isUsable(toolset),
    tools: toolset.entries.map((entry) => entry.name),
    description: "",
    requirements: variablesOf(toolset.entries),
  };
}

async function probe(
  name: string,
  entries: readonly ToolEntry[],
  pass: ProbePass,
): Promise<ProbedToolset> {
  return { name, entries, verdicts: await Promise.all(entries.map((entry) => ask(pass, entry))) };
}

async function ask(pass: ProbePass, entry: ToolEntry): Promise<Availability> {
  try {
    return await pass.probe(entry);
  } catch (error) {
    return { available: false, reason: `The probe failed: ${String(error)}` };
  }
}

function groupEntries(
  snapshot: RegistrySnapshot,
): readonly (readonly [name: string, entries: readonly ToolEntry[]])[] {
  return [...Map.groupBy(snapshot.entries(), (entry) => entry.toolset)]
    .sort(([a], [b]) => a < b ? -1 : 1);
}

function variablesOf(entries: readonly ToolEntry[]): readonly string[] {
  return unique(entries.flatMap((entry) => entry.requiresEnv).flat());
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
