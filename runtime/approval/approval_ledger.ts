/**
 * Approvals that were given, and questions that nobody was there to answer.
 * @module
 */

/** How long a question stays open for a later call. */
const OPEN_MS = 600_000;
/** How much is remembered; the oldest goes first. */
const CAPACITY = 1_000;

interface OpenQuestion {
  readonly binding: string;
  readonly openUntil: number;
}

/** Remembers approvals by what they are bound to. */
export class ApprovalLedger {
  readonly #given = new Set<string>();
  readonly #open = new Map<string, OpenQuestion>();
  readonly #now: () => number;

  /**
   * Makes an empty ledger.
   *
   * @param now The time in milliseconds. @default {that of the process, which never goes back}
   */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Remembers an approval.
   *
   * @param binding What it is bound to.
   * @param sessionId Its session; left out, it holds for all.
   */
  remember(binding: string, sessionId: string | undefined): void {
    this.#given.add(keyOf(binding, sessionId));
    dropOldest(this.#given);
  }

  /**
   * Whether an approval was given before.
   *
   * @param binding What it would be bound to.
   * @param sessionId The session that makes the call.
   * @returns True when it was.
   */
  isGiven(binding: string, sessionId: string | undefined): boolean {
    return this.#given.has(keyOf(binding, undefined)) ||
      sessionId !== undefined && this.#given.has(keyOf(binding, sessionId));
  }

  /**
   * Forgets what was approved for a session.
   *
   * @param sessionId The session.
   */
  endSession(sessionId: string): void {
    for (const key of this.#given) {
      if (key.endsWith(`\0${sessionId}`)) this.#given.delete(key);
    }
  }

  /**
   * Opens a question that the program may answer with a later call.
   *
   * @param binding What the answer would be bound to.
   * @returns The question's id; it works once.
   */
  open(binding: string): string {
    const id = crypto.randomUUID();
    this.#open.set(id, { binding, openUntil: this.#now() + OPEN_MS });
    dropOldest(this.#open);
    return id;
  }

  /**
   * Uses up the answer to an open question.
   *
   * @param id The question's id.
   * @param binding What is about to run.
   * @returns Whether the answer holds for that. It is used up in any case.
   */
  redeem(id: string, binding: string): boolean {
    const question = this.#open.get(id);
    this.#open.delete(id);
    return question !== undefined && question.binding === binding &&
      this.#now() < question.openUntil;
  }
}

function keyOf(binding: string, sessionId: string | undefined): string {
  return sessionId === undefined ? binding : `${binding}\0${sessionId}`;
}

function dropOldest(kept: Set<string> | Map<string, unknown>): void {
  if (kept.size <= CAPACITY) return;
  const oldest = kept.keys().next();
  if (!oldest.done) kept.delete(oldest.value);
}
