/**
 * What a run says when a server wants a person to sign in.
 * @module
 */

/** Why a person is needed. */
export type LoginReason = "not_signed_in" | "refused" | "scope" | "refresh_failed";

const REASONS: Readonly<Record<LoginReason, string>> = Object.freeze({
  not_signed_in: "it asks for a login and none is stored",
  refused: "it no longer takes the stored login",
  scope: "the stored login lacks a right that this needs",
  refresh_failed: "its authorization server no longer renews the stored login",
});

/** A server cannot be used before a person has signed in. No browser is opened by a run. */
export class LoginRequiredError extends Error {
  /** The class's name. */
  override readonly name = "LoginRequiredError";
  /** The server's name in the configuration. */
  readonly server: string;
  /** Why a person is needed. */
  readonly reason: LoginReason;

  /**
   * Makes the error.
   *
   * @param server The server's name in the configuration.
   * @param reason Why a person is needed.
   */
  constructor(server: string, reason: LoginReason) {
    super(
      `Cannot use MCP server ${JSON.stringify(server)}: ${REASONS[reason]}; ` +
        `run "cloister mcp login ${server}"`,
    );
    this.server = server;
    this.reason = reason;
  }
}
