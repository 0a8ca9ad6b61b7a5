/**
 * Deciding whether a call may run, and asking where nobody decided before.
 * @module
 */
import type { ErrorCode } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import type { ApprovalFile, KeptApproval } from "./approval_file.ts";
import { ApprovalLedger } from "./approval_ledger.ts";
import type { ApprovalAnswer, ApprovalRequest, ApprovalSurface } from "./approval_types.ts";

/** How long a person may take where the configuration says nothing. */
const DEFAULT_TIMEOUT_MS = 300_000;
const ANSWERS: ReadonlySet<unknown> = new Set(["once", "session", "always", "deny"]);

/** Why a call must not run. */
export interface Refusal {
  /** Which kind. */
  readonly code: ErrorCode;
  /** Why, for the model. */
  readonly message: string;
  /** More for the program. */
  readonly details?: JsonValue;
}

/** A question without its signal. */
export type ApprovalQuestion = Omit<ApprovalRequest, "signal">;

/** What an answer is remembered by when it holds for longer than the call. */
export type ApprovalKey = Pick<KeptApproval, "key" | "what">;

/** Options of {@linkcode Approver}. */
export interface ApproverOptions {
  /** Asks a person; absent where nobody can be asked. */
  readonly surface?: ApprovalSurface;
  /** After how many milliseconds no answer means no. @default {300_000} */
  readonly timeoutMs?: number;
  /** Keeps what holds always; absent where nothing is kept. */
  readonly file?: ApprovalFile;
  /** Receives what is wrong with the surface. */
  readonly warn: (message: string) => void;
}

/** Options of one question. */
export interface ApproveOptions {
  /** What the answer is remembered by. @default {the question's binding} */
  readonly keys?: readonly ApprovalKey[];
  /** What can be done where nobody can be asked. */
  readonly hint?: string;
  /** The id of a question that was answered since. */
  readonly approval?: string;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Asks a person in place of the runtime's surface. */
  readonly surface?: ApprovalSurface;
}

/** Gets approvals. */
export class Approver {
  readonly #options: ApproverOptions;
  readonly #ledger = new ApprovalLedger();

  /**
   * Makes an approver that remembers nothing yet.
   *
   * @param options How to ask.
   */
  constructor(options: ApproverOptions) {
    this.#options = options;
  }

  /**
   * Gets the approval of a call.
   *
   * @param question What is asked.
   * @param options What the program knows, and how long to wait.
   * @returns Why the call must not run; `undefined` when it is approved.
   */
  async approve(
    question: ApprovalQuestion,
    { approval, signal, surface = this.#options.surface, keys, hint }: ApproveOptions = {},
  ): Promise<Refusal | undefined> {
    const { binding, sessionId, name } = question;
    if (approval !== undefined) {
      if (this.#ledger.redeem(approval, binding)) return undefined;
      return {
        code: "approval_denied",
        message:
          `Cannot call "${name}": the approval was given for something else. It holds once, ` +
          "for the same tool, arguments and grants. Call without it to ask again",
      };
    }
    if (surface === undefined) return this.#leaveOpen(question, hint);
    const answer = await this.#ask(surface, question, signal);
    const kept = keys ?? [{ key: binding, what: JSON.stringify(question.args).slice(0, 500) }];
    if (answer === "session" || answer === "always") {
      const holder = answer === "session" ? sessionId : undefined;
      for (const { key } of kept) this.#ledger.remember(key, holder);
    }
    if (answer === "always") {
      await this.#options.file?.add(kept.map((one) => ({ ...one, tool: name })));
    }
    return typeof answer === "string" ? refusalOf(answer, question) : answer;
  }

  /**
   * Whether everything was approved before, for the session or always.
   *
   * @param keys What an answer would be remembered by.
   * @param sessionId The session that makes the call.
   * @returns True when nobody needs to be asked.
   */
  isApproved(keys: readonly string[], sessionId: string | undefined): boolean {
    const open = keys.filter((key) => !this.#ledger.isGiven(key, sessionId));
    if (keys.length === 0 || open.length === 0) return keys.length > 0;
    const always = this.#options.file?.keys();
    return always !== undefined && open.every((key) => always.has(key));
  }

  /**
   * Forgets what was approved for a session.
   *
   * @param sessionId The session.
   */
  endSession(sessionId: string): void {
    this.#ledger.endSession(sessionId);
  }

  #leaveOpen({ binding, name, reasons }: ApprovalQuestion, hint: string | undefined): Refusal {
    return {
      code: "approval_required",
      message: `Cannot call "${name}" without approval, and nobody can be asked here: ` +
        reasons.join("; ") + (hint === undefined ? "" : `. ${hint}`),
      details: { approval: this.#ledger.open(binding), binding, reasons: [...reasons] },
    };
  }

  async #ask(
    surface: ApprovalSurface,
    question: ApprovalQuestion,
    signal: AbortSignal | undefined,
  ): Promise<ApprovalAnswer | Refusal> {
    const { name } = question;
    const denied = (message: string): Refusal => ({ code: "approval_denied", message });
    const end = Promise.withResolvers<Refusal>();
    const controller = new AbortController();
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const late = () => end.resolve(denied(`Nobody approved "${name}" within ${timeoutMs} ms`));
    const cancel = () =>
      end.resolve({ code: "cancelled", message: `Cancelled while "${name}" waited for approval` });
    const timer = setTimeout(late, timeoutMs);
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      const request = Object.freeze({ ...question, signal: controller.signal });
      return await Promise.race([this.#hear(surface, request), end.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      controller.abort();
    }
  }

  async #hear(surface: ApprovalSurface, request: ApprovalRequest): Promise<ApprovalAnswer> {
    try {
      const answer: unknown = await surface(request);
      if (ANSWERS.has(answer)) return answer as ApprovalAnswer;
      this.#options.warn(
        `Took an answer for "deny" that is not one: expected "once", "session", "always" or "deny" ` +
          `for "${request.name}"`,
      );
    } catch (error) {
      this.#options.warn(`Asking for approval of "${request.name}" failed: ${error}`);
    }
    return "deny";
  }
}

function refusalOf(
  answer: ApprovalAnswer,
  { name, reasons }: ApprovalQuestion,
): Refusal | undefined {
  if (answer !== "deny") return undefined;
  return {
    code: "approval_denied",
    message: `The call of "${name}" was not approved. It was asked because: ${reasons.join("; ")}`,
  };
}
