/**
 * `cloister explain`: why a tool is or is not offered.
 * @module
 */
import type { DialectFinding, Explanation } from "../runtime/runtime_types.ts";
import { type CommandContext, EXIT } from "./command.ts";
import { printDiagnostics, shortPath } from "./diagnostics.ts";
import { permissionsText } from "./grants_text.ts";
import { neutraliseLine } from "../core/neutralise.ts";
import { openRuntime } from "./options.ts";

/** How many toolsets are named of those that list a tool. */
const MOST_LISTED = 8;

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export async function run(context: CommandContext): Promise<number> {
  const { output, args, environment } = context;
  await using runtime = await openRuntime(context, {
    findings: "none",
    // Their tools are the only ones that need them.
    mcp: args[0]!.startsWith("mcp__") ? "wait" : "off",
  });
  const explanation = await runtime.explain(args[0]!);
  if (output.json) {
    output.value(explanation);
  } else {
    for (const [label, text] of explanationLines(explanation, environment.cwd)) {
      output.line(`${output.style("bold", label.padEnd(12))} ${neutraliseLine(text)}`);
    }
    printDiagnostics(output, explanation.diagnostics, environment.cwd);
  }
  return explanation.found ? EXIT.ok : EXIT.failed;
}

/**
 * An explanation as labelled lines.
 *
 * @param explanation The explanation.
 * @param cwd The current folder, for short paths.
 * @returns Labels and texts; what is not known is left out.
 */
export function explanationLines(
  explanation: Explanation,
  cwd: string,
): readonly (readonly [label: string, text: string])[] {
  const { suggestions, rule, toolset, isolation, permissions, grants, cut } = explanation;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["tool", explanation.name + (explanation.found ? "" : ": not in the table")],
    ["near names", suggestions.length === 0 ? undefined : suggestions.join(", ")],
    ["source", sourceText(explanation, cwd)],
    ["owner", explanation.owner],
    ["rule", rule],
    ...explanation.shadowed.map((claim): readonly [string, string] => [
      "shadowed",
      `${claim.owner}${claim.path ? ` (${shortPath(claim.path, cwd)})` : ""}: ${claim.reason}`,
    ]),
    ["toolset", toolset],
    ["offered", offeredText(explanation)],
    ["listed by", listedText(explanation)],
    ["available", availableText(explanation)],
    ["isolation", isolation],
    ["own cell", explanation.ownCell],
    ["commands", explanation.commands],
    ["permissions", permissions && permissionsText(permissions)],
    ["grants", grants && (grants.length === 0 ? "none" : grants.join(" "))],
    ["cut", cut && cut.length > 0 ? cut.join(" ") : undefined],
    ["integrity", explanation.integrity],
    ...(explanation.dialects ?? []).map((finding): readonly [string, string] => [
      "told to",
      dialectText(finding),
    ]),
  ];
  return lines.flatMap(([label, text]) => text === undefined ? [] : [[label, text] as const]);
}

function dialectText({ dialect, losses, omitted }: DialectFinding): string {
  if (omitted !== undefined) return `${dialect}: not at all: ${omitted}`;
  const [first, ...others] = losses;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${dialect}: without ${first!.path || "/"}: ${first!.message}${more}`;
}

function sourceText({ source }: Explanation, cwd: string): string | undefined {
  if (source?.kind === "mcp") return `MCP server ${source.server} (${source.containment})`;
  if (source?.path === undefined) return source?.kind;
  const place = source.line === undefined ? "" : `:${source.line}`;
  return `${shortPath(source.path, cwd)}${place}`;
}

function offeredText({ selection }: Explanation): string | undefined {
  return selection && (selection.enabled ? "yes" : `no: ${selection.reason ?? "unknown"}`);
}

function listedText({ selection }: Explanation): string | undefined {
  const { listedBy = [] } = selection ?? {};
  if (listedBy.length === 0) return undefined;
  const more = listedBy.length - MOST_LISTED;
  return listedBy.slice(0, MOST_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/**
 * Whether a tool is available, why, and how long ago it was looked at, in a line.
 *
 * @param explanation The explanation.
 * @returns The line; `undefined` when that is not known.
 */
export function availableText(explanation: Explanation): string | undefined {
  const { available, reason, checkedAt, ageMs } = explanation;
  if (available === undefined) return undefined;
  if (available && reason !== undefined) {
    return `yes, in grace: its newest check failed: ${reason}${
      timeText("succeeded", checkedAt, ageMs)
    }`;
  }
  const time = timeText("looked at", checkedAt, ageMs);
  return (available ? "yes" : `no: ${reason ?? "unknown"}`) + time;
}

function timeText(what: string, checkedAt: string | undefined, ageMs: number | undefined): string {
  if (checkedAt === undefined) return "";
  // What was looked at for this very answer has no age to speak of.
  const seconds = Math.round((ageMs ?? 0) / 1_000);
  return ` (${what} ${checkedAt}${seconds > 0 ? `, ${seconds} s ago` : ""})`;
}
