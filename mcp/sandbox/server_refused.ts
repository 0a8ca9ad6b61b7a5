/**
 * A server that is not started.
 * @module
 */

/** A server is not started because of what its entry says; it would be the same the next time. */
export class ServerRefused extends Error {
  /** The class's name. */
  override readonly name = "ServerRefused";

  /**
   * Makes the error.
   *
   * @param server The server.
   * @param reasons Why, in sentences.
   */
  constructor(server: string, reasons: readonly string[]) {
    super(`MCP server "${server}" is not started: ${reasons.join("; ")}`);
  }
}
