/**
 * What a running server asks for and is not given, as proposals. None is ever taken by itself.
 * @module
 */
import type { ResolvedGrants } from "../../core/permissions.ts";
import type { AuditFile } from "./audit_file.ts";
import { type JudgeContext, type Judgement, judgeWant } from "./judge_want.ts";
import { findWants } from "./wants.ts";

/** How many proposals a server can cause. */
export const MAX_PROPOSALS = 50;
/** How often the file is looked at: often enough that a server which asks without end cannot fill the disk. */
const LOOK_MS = 5_000;

/** What watching works with. */
export interface WatchDenialsOptions {
  /** The file; it is closed with the watch. */
  readonly audit: AuditFile;
  /** What the server was given. */
  readonly grants: ResolvedGrants;
  /** The server's folders and arguments. */
  readonly context: JudgeContext;
  /** Hears of each proposal once. Must not throw. */
  readonly onProposal: (proposal: Judgement) => void;
  /** What was proposed before, by {@linkcode proposalKey}; grows. @default {nothing} */
  readonly known?: Set<string>;
}

/**
 * What makes two proposals the same.
 *
 * @param proposal The proposal.
 * @returns A text.
 */
export function proposalKey({ kind, grant }: Pick<Judgement, "kind" | "grant">): string {
  return `${kind} ${grant}`;
}

/** Looks from time to time, on demand and at the end. */
export class DenialWatch implements AsyncDisposable {
  readonly #options: WatchDenialsOptions;
  readonly #known: Set<string>;
  readonly #timer: ReturnType<typeof setInterval>;

  /**
   * Begins to look.
   *
   * @param options Where to look.
   */
  constructor(options: WatchDenialsOptions) {
    this.#options = options;
    this.#known = options.known ?? new Set();
    this.#timer = setInterval(() => void this.look().catch(() => {}), LOOK_MS);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  /** Looks now. */
  async look(): Promise<void> {
    const { audit, grants, context, onProposal } = this.#options;
    for (const want of findWants(await audit.read(), grants, context.places.neutral)) {
      if (this.#known.size >= MAX_PROPOSALS) return;
      const proposal = judgeWant(want, context);
      if (proposal === undefined || !isWorthAWord(proposal)) continue;
      const key = proposalKey(proposal);
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      onProposal(proposal);
    }
  }

  /** Looks a last time and deletes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.look().catch(() => {});
    await this.#options.audit[Symbol.asyncDispose]();
  }
}

// A variable that is not set is looked for all the time, and granting it changes nothing.
function isWorthAWord({ kind, isQuestion }: Judgement): boolean {
  return kind !== "env" || isQuestion;
}

const MAX_SHOWN = 300;

/**
 * Says what a server asked for, and how to allow it.
 *
 * @param server The server's name.
 * @param proposal What it asked for.
 * @returns One line.
 */
export function describeProposal(server: string, { kind, grant, reason }: Judgement): string {
  const shown = grant.length > MAX_SHOWN ? `${grant.slice(0, MAX_SHOWN)}…` : grant;
  return `it asked for ${kind} access to "${shown}" and did not get it (${reason}); ` +
    `to allow it, add "${shown}" to mcpServers.${server}.permissions.${kind}`;
}
