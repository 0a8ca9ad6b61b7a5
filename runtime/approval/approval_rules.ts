/**
 * What the configuration says about the approval of a tool.
 * @module
 */
import type { Owner, ToolEntry } from "../../core/entry.ts";
import type { ToolAnnotations } from "../../core/registration.ts";
import type { ApprovalConfig, ApprovalMode } from "./approval_types.ts";

/** What is decided for a tool, and by which key. */
export interface ApprovalRule {
  /** What is decided. */
  readonly mode: ApprovalMode;
  /** The key of the configuration that decides. */
  readonly key: string;
}

/** What the rule is chosen by. */
export type ApprovalSubject = Pick<ToolEntry, "name" | "toolset" | "annotations" | "owner">;

const STRICTNESS: readonly ApprovalMode[] = ["allow", "ask", "deny"];

/**
 * What holds for a tool: its own key, else its toolset's, else the strictest of its annotations', else the default.
 * Where the default is to ask, tools of the operator's own that say that they change nothing are let through; what a
 * plugin or a server says of itself loosens nothing.
 *
 * @param config The section of the configuration.
 * @param entry The tool.
 * @returns The rule.
 */
export function approvalRule(config: ApprovalConfig, entry: ApprovalSubject): ApprovalRule {
  const tool = own(config.tools, entry.name);
  if (tool) return { mode: tool, key: `approval.tools.${entry.name}` };
  const toolset = own(config.toolsets, entry.toolset);
  if (toolset) return { mode: toolset, key: `approval.toolsets.${entry.toolset}` };
  const annotated = strictest(config.annotations ?? {}, entry.annotations);
  if (annotated) return annotated;
  const mode = config.default ?? "allow";
  const isHarmless = entry.annotations.readOnlyHint === true && isTrusted(entry.owner);
  return { mode: mode === "ask" && isHarmless ? "allow" : mode, key: "approval.default" };
}

function strictest(
  modes: NonNullable<ApprovalConfig["annotations"]>,
  hints: ToolAnnotations,
): ApprovalRule | undefined {
  const rules = Object.entries(modes)
    .filter(([hint, mode]) => mode !== undefined && holds(hint as keyof typeof modes, hints))
    .map(([hint, mode]) => ({ mode: mode as ApprovalMode, key: `approval.annotations.${hint}` }));
  return rules.sort((a, b) => STRICTNESS.indexOf(b.mode) - STRICTNESS.indexOf(a.mode))[0];
}

// The defaults are those of the Model Context Protocol: who says nothing may destroy, and reaches out.
function holds(
  hint: keyof NonNullable<ApprovalConfig["annotations"]>,
  hints: ToolAnnotations,
): boolean {
  const isReadOnly = hints.readOnlyHint === true;
  if (hint === "readOnlyHint") return isReadOnly;
  return hint === "destructiveHint"
    ? !isReadOnly && hints.destructiveHint !== false
    : hints.openWorldHint !== false;
}

function isTrusted(owner: Owner): boolean {
  return owner === "builtin" || owner === "program" || owner === "user";
}

function own<T>(record: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
