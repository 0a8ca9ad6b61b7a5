/**
 * Asking the client's person whether a call may run.
 * @module
 */
import type { ElicitResult } from "../../core/context.ts";
import { neutralise, neutraliseLine } from "../../core/neutralise.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../runtime/approval/approval_types.ts";
import { elicitation, type Question } from "./question.ts";

/** The question's name; no handler's question can be in the way, because it comes before the handler. */
const KEY = "cloister.approval";
const MAX_ARGUMENT_CHARS = 4_000;
const MAX_LINE_CHARS = 500;
const MAX_LINES = 20;

/**
 * The question.
 *
 * @param request What is to be approved.
 * @returns The question: what would run, with what, what it may touch, and why somebody is asked.
 */
export function approvalQuestion({ name, args, grants, reasons }: ApprovalRequest): Question {
  const message = [
    `Run the tool ${JSON.stringify(neutraliseLine(name))} once?`,
    ...section("Asked because", reasons),
    `Arguments: ${shownArguments(args)}`,
    ...section("It may", grants.length > 0 ? grants : ["nothing outside its own process"]),
  ].join("\n");
  const question = elicitation(KEY, {
    message,
    requestedSchema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          title: "Run it once?",
          enum: ["no", "yes"],
          default: "no",
        },
      },
      required: ["decision"],
    },
  });
  return { ...question, mustBeAsked: true };
}

/**
 * What the person decided.
 *
 * @param answer The answer.
 * @returns `once` for a yes, else `deny`.
 */
export function approvalAnswer({ action, content }: ElicitResult): ApprovalAnswer {
  return action === "accept" && content?.decision === "yes" ? "once" : "deny";
}

function section(title: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => cut(neutraliseLine(line), MAX_LINE_CHARS));
  const more = lines.length - shown.length;
  return [`${title}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`];
}

function shownArguments(args: unknown): string {
  return cut(neutralise(JSON.stringify(args)), MAX_ARGUMENT_CHARS);
}

function cut(text: string, max: number): string {
  return text.length > max
    ? `${text.slice(0, max).toWellFormed()} … and ${text.length - max} more characters`
    : text;
}
