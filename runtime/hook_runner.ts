/**
 * Running the hooks of a call, each exactly once.
 * @module
 */
import type { BeforeCallAnswer, HookedCall, HookOutcome, ToolHooks } from "./hooks.ts";

/** After how many milliseconds a hook is not waited for any longer. */
const HOOK_TIMEOUT_MS = 10_000;

/** What the hooks of a call say together. */
export interface HookVerdict {
  /** Why the call must not run; the first hook that blocks decides. */
  readonly block?: string;
  /** Why a person must be asked; empty when nobody wants that. */
  readonly ask: readonly string[];
}

/** Options of {@linkcode HookRunner}. */
export interface HookRunnerOptions {
  /** The hooks, in the order in which they run. */
  readonly hooks: readonly ToolHooks[];
  /** Receives what is wrong with a hook. */
  readonly warn: (message: string) => void;
  /** After how many milliseconds a hook is not waited for. @default {10_000} */
  readonly timeoutMs?: number;
}

/** Runs hooks. */
export class HookRunner {
  readonly #hooks: readonly ToolHooks[];
  readonly #warn: (message: string) => void;
  readonly #timeoutMs: number;

  /**
   * Makes a runner.
   *
   * @param options The hooks.
   */
  constructor(options: HookRunnerOptions) {
    this.#hooks = options.hooks;
    this.#warn = options.warn;
    this.#timeoutMs = options.timeoutMs ?? HOOK_TIMEOUT_MS;
  }

  /**
   * Asks every `beforeCall`, also after one that blocks: each of them learns of each call.
   *
   * @param call The call.
   * @param signal Ends the waiting.
   * @returns What they say together.
   */
  async before(call: HookedCall, signal?: AbortSignal): Promise<HookVerdict> {
    let block: string | undefined;
    const ask: string[] = [];
    for (const hooks of this.#hooks) {
      if (!hooks.beforeCall) continue;
      const answer = await this.#ask(() => hooks.beforeCall!(call), call, signal);
      if (answer?.action === "block") block ??= answer.message;
      if (answer?.action === "ask") ask.push(answer.message ?? "A hook of the program asks for it");
    }
    return { ...(block === undefined ? {} : { block }), ask };
  }

  /**
   * Tells every `afterCall`, then asks each `transformResult` until one gives a text.
   *
   * @param call The call.
   * @param outcome How it ended.
   * @returns The text that replaces the content, if there is one.
   */
  async after(call: HookedCall, outcome: HookOutcome): Promise<string | undefined> {
    for (const hooks of this.#hooks) {
      await this.#try("afterCall", call, () => hooks.afterCall?.(call, outcome));
    }
    // What did not run has no result.
    if (outcome.status === "blocked") return undefined;
    for (const hooks of this.#hooks) {
      const text = await this.#try(
        "transformResult",
        call,
        () => hooks.transformResult?.(call, outcome),
      );
      if (typeof text === "string") return text.toWellFormed();
      if (text !== undefined && text !== null) {
        this.#warn(`Ignored what transformResult gave for "${call.name}": expected a text`);
      }
    }
    return undefined;
  }

  // A guard that breaks must not wave calls through.
  async #ask(
    ask: () => unknown,
    call: HookedCall,
    signal: AbortSignal | undefined,
  ): Promise<BeforeCallAnswer | undefined> {
    try {
      const answer = await this.#within(ask(), signal);
      return this.#readAnswer(answer, call);
    } catch (error) {
      this.#warn(`Blocked a call of "${call.name}": its beforeCall hook failed: ${error}`);
      return { action: "block", message: `A hook of the program failed on "${call.name}"` };
    }
  }

  #readAnswer(answer: unknown, { name }: HookedCall): BeforeCallAnswer | undefined {
    if (answer === undefined || answer === null) return undefined;
    const { action, message } = typeof answer === "object"
      ? answer as { readonly action?: unknown; readonly message?: unknown }
      : {};
    const text = typeof message === "string" && message.trim() !== "" ? message : undefined;
    if (action === "block" && text !== undefined) return { action, message: text };
    if (action === "ask" && (text !== undefined || message === undefined)) {
      return { action, ...(text === undefined ? {} : { message: text }) };
    }
    this.#warn(
      `Ignored what beforeCall answered for "${name}": expected nothing, ` +
        `{ action: "block", message } or { action: "ask", message? }`,
    );
    return undefined;
  }

  async #try(hook: string, { name }: HookedCall, run: () => unknown): Promise<unknown> {
    try {
      return await this.#within(run(), undefined);
    } catch (error) {
      this.#warn(`The hook ${hook} failed on "${name}": ${error}`);
      return undefined;
    }
  }

  async #within(answer: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    if (!isThenable(answer)) return answer;
    const end = Promise.withResolvers<never>();
    const stop = (): void => end.reject(new Error("the call was cancelled"));
    const late = (): void => end.reject(new Error(`no answer within ${this.#timeoutMs} ms`));
    const timer = setTimeout(late, this.#timeoutMs);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    try {
      return await Promise.race([answer, end.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { readonly then?: unknown }).then === "function";
}
