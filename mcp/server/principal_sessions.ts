/**
 * A session of the runtime for each principal, so that one cannot read what another's calls gave.
 * @module
 */
import type { Runtime } from "../../runtime/runtime_types.ts";
import type { Session } from "../../runtime/session_types.ts";

/** Sessions that are kept; the one that was quiet for longest goes first. */
const MAX_SESSIONS = 256;

/** The sessions of one server. */
export class PrincipalSessions implements Disposable {
  readonly #runtime: Runtime;
  readonly #sessions = new Map<string, Session>();

  /**
   * Makes none yet.
   *
   * @param runtime Whose sessions they are.
   */
  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /**
   * The session of a principal.
   *
   * @param principal Who makes calls.
   * @returns The session.
   */
  of(principal: string): Session {
    const session = this.#sessions.get(principal) ?? this.#runtime.session();
    this.#sessions.delete(principal);
    this.#sessions.set(principal, session);
    if (this.#sessions.size > MAX_SESSIONS) this.#end(this.#sessions.keys().next().value!);
    return session;
  }

  /** Ends every session. Calls in flight go on. */
  [Symbol.dispose](): void {
    for (const principal of [...this.#sessions.keys()]) this.#end(principal);
  }

  #end(principal: string): void {
    this.#sessions.get(principal)?.[Symbol.dispose]();
    this.#sessions.delete(principal);
  }
}
