/**
 * Approval rules of a session beside those of the configuration: a session may only be stricter.
 * @module
 */
import { type ApprovalRule, approvalRule, type ApprovalSubject } from "./approval_rules.ts";
import type { ApprovalConfig, ApprovalMode } from "./approval_types.ts";

/** What is decided for a tool, by whom, and for commands that may do damage. */
export interface DecidedRule extends ApprovalRule {
  /** Who decided, for sentences. */
  readonly source: "the configuration" | "the session";
  /** What is decided for commands that may do damage. */
  readonly dangerousCommands: ApprovalMode;
}

const STRICTNESS: readonly ApprovalMode[] = ["allow", "ask", "deny"];

/**
 * The stricter one of what the configuration and a session say.
 *
 * @param config The configuration's section, if there is one.
 * @param session The session's, if there is one.
 * @param entry The tool.
 * @returns The rule.
 */
export function decideApproval(
  config: ApprovalConfig = {},
  session: ApprovalConfig | undefined,
  entry: ApprovalSubject,
): DecidedRule {
  const general = approvalRule(config, entry);
  const { dangerousCommands = "ask" } = config;
  if (!session) return { ...general, source: "the configuration", dangerousCommands };
  const own = approvalRule(session, entry);
  const commands = stricter(dangerousCommands, session.dangerousCommands ?? "allow");
  return stricter(general.mode, own.mode) === general.mode
    ? { ...general, source: "the configuration", dangerousCommands: commands }
    : { ...own, source: "the session", dangerousCommands: commands };
}

function stricter(first: ApprovalMode, second: ApprovalMode): ApprovalMode {
  return STRICTNESS.indexOf(second) > STRICTNESS.indexOf(first) ? second : first;
}
