/**
 * Another face that answers some addresses of the HTTP server, behind the same gate.
 * @module
 */

/** What answers `/mcp` and the addresses that belong to it. */
export interface MountedFace {
  /** Whether it checks tokens itself; the gate then lets every request for it through. @default {false} */
  readonly checksTokens?: boolean;
  /**
   * Answers a request whose Host, Origin and, unless it does so itself, token were checked.
   *
   * @param request The request.
   * @returns The answer, which may stream.
   */
  handle(request: Request): Promise<Response>;
  /**
   * Takes no new request, lets those under way end, and then ends its streams.
   *
   * @param graceMs Milliseconds after which the rest is cut off.
   */
  close(graceMs: number): Promise<void>;
}
