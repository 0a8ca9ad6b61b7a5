/**
 * A call of a client of revision 2026-07-28. It cannot be asked while it waits: it gets the questions as a result,
 * and answers with the next request. The call goes on in between.
 * @module
 */
import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { InputMethod, InputSurface } from "../../core/input.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ApprovalSurface } from "../../runtime/approval/approval_types.ts";
import { approvalAnswer, approvalQuestion } from "./approval_question.ts";
import { canAsk } from "./client_abilities.ts";
import { createSurface, type Question } from "./question.ts";
import type { RoundReports } from "./round_reports.ts";

/** Questions of one turn reach us one by one when the tool runs in a cell. */
const QUIET_MS = 30;

/** What one request of the client brings to the call. */
export interface CallRound {
  /** What the client can be asked. */
  readonly capabilities: ClientCapabilities | undefined;
  /** The answers that it sent, by name. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Aborts when the client no longer waits. */
  readonly signal: AbortSignal;
  /** Takes what the call reports meanwhile. */
  readonly reports: RoundReports;
}

/** What a round ends with. */
export type RoundEnd =
  | { readonly kind: "complete"; readonly result: ToolResult }
  | { readonly kind: "ask"; readonly questions: readonly Question[] };

/** What a call is started with. */
export interface CallIo {
  /** Aborts when the call is to end. */
  readonly signal: AbortSignal;
  /** Answers what the handler asks for. */
  readonly input: InputSurface;
  /** Asks for approval; absent where the client cannot be asked. */
  readonly onApproval?: ApprovalSurface;
  /** The request that waits now; absent while none does. */
  readonly reports: () => RoundReports | undefined;
}

interface OpenQuestion {
  readonly question: Question;
  readonly settled: PromiseWithResolvers<unknown>;
}

/** One call over all its rounds. */
export class LiveCall {
  /** The call's id, a secret between this process and the client. */
  readonly id: string = crypto.randomUUID();
  /** What a request must be to go on with this call. */
  readonly binding: () => string;
  /** How many rounds have ended with questions. */
  rounds = 0;
  /** What the handler wanted to ask and the client did not declare. */
  readonly refused: Set<InputMethod> = new Set();
  readonly #abort = new AbortController();
  readonly #open = new Map<string, OpenQuestion>();
  readonly #outcome: Promise<RoundEnd>;
  #round: CallRound;
  #isWaitedFor = true;
  #early: Readonly<Record<string, unknown>>;
  #asked = Promise.withResolvers<void>();
  #quiet: ReturnType<typeof setTimeout> | undefined;

  /**
   * Starts a call.
   *
   * @param binding What a request must be to go on with it.
   * @param round The request that starts it.
   * @param run Makes the call.
   */
  constructor(
    binding: () => string,
    round: CallRound,
    run: (io: CallIo) => Promise<ToolResult>,
  ) {
    this.binding = binding;
    this.#round = round;
    this.#early = round.answers;
    this.#outcome = run(this.#io()).then((result) => ({ kind: "complete", result }));
    // Whoever parks the call may not be back when it fails.
    this.#outcome.catch(() => {});
  }

  /**
   * Goes on with the answers of a request.
   *
   * @param round The request.
   */
  async resume(round: CallRound): Promise<void> {
    this.#round = round;
    this.#isWaitedFor = true;
    this.#asked = Promise.withResolvers();
    for (const [key, { question, settled }] of [...this.#open]) {
      const answer = await readAnswer(question, round.answers);
      if (answer === undefined) continue;
      this.#open.delete(key);
      settled.resolve(answer.value);
    }
    // What was not answered is asked again, together with what the answers lead to.
    if (this.#open.size > 0) this.#askSoon();
  }

  /**
   * Waits until the call is over or asks. The request that waits can cancel the call.
   *
   * @returns How the round ended.
   */
  async next(): Promise<RoundEnd> {
    const { signal } = this.#round;
    const cancel = () => this.cancel("The client no longer waits for it");
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    try {
      return await Promise.race([this.#outcome, this.#questions()]);
    } finally {
      // The SDK aborts the signal of a request that was answered.
      signal.removeEventListener("abort", cancel);
      this.#isWaitedFor = false;
    }
  }

  /**
   * Ends the call.
   *
   * @param why The reason.
   */
  cancel(why: string): void {
    clearTimeout(this.#quiet);
    this.#abort.abort(new DOMException(why, "AbortError"));
    for (const { settled } of this.#open.values()) settled.reject(new Error(why));
    this.#open.clear();
  }

  #io(): CallIo {
    const capable = canAsk(this.#round.capabilities, "elicitation/create");
    return {
      signal: this.#abort.signal,
      input: createSurface(
        (question, signal) => this.#ask(question, signal),
        (method) => this.#isAllowed(method),
      ),
      ...(capable ? { onApproval: (request) => this.#approve(request) } : {}),
      reports: () => this.#isWaitedFor ? this.#round.reports : undefined,
    };
  }

  #isAllowed(method: InputMethod): boolean {
    if (canAsk(this.#round.capabilities, method)) return true;
    this.refused.add(method);
    return false;
  }

  async #approve(request: Parameters<ApprovalSurface>[0]) {
    const answer = await this.#ask(approvalQuestion(request), request.signal);
    return approvalAnswer(answer as Parameters<typeof approvalAnswer>[0]);
  }

  async #ask(question: Question, signal: AbortSignal): Promise<unknown> {
    const early = question.mustBeAsked ? undefined : await readAnswer(question, this.#early);
    if (early !== undefined) return early.value;
    if (signal.aborted || this.#abort.signal.aborted) throw new Error("The call is over");
    const settled = Promise.withResolvers<unknown>();
    this.#open.set(question.key, { question, settled });
    const forget = () => {
      this.#open.delete(question.key);
      settled.reject(new Error("The call is over"));
    };
    signal.addEventListener("abort", forget, { once: true });
    this.#askSoon();
    try {
      return await settled.promise;
    } finally {
      signal.removeEventListener("abort", forget);
    }
  }

  #askSoon(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#asked.resolve(), QUIET_MS);
  }

  async #questions(): Promise<RoundEnd> {
    for (;;) {
      await this.#asked.promise;
      this.#asked = Promise.withResolvers();
      const questions = [...this.#open.values()].map(({ question }) => question);
      // They may all have been withdrawn meanwhile.
      if (questions.length > 0) return { kind: "ask", questions };
    }
  }
}

/** An answer that is missing or none is asked for again. */
async function readAnswer(
  question: Question,
  answers: Readonly<Record<string, unknown>>,
): Promise<{ readonly value: unknown } | undefined> {
  if (!Object.hasOwn(answers, question.key)) return undefined;
  try {
    return { value: await question.read(answers[question.key]) };
  } catch {
    return undefined;
  }
}
