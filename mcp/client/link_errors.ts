/**
 * How reaching a server fails, beside what the SDK throws.
 * @module
 */

/** A server's process cannot be started. */
export class LaunchError extends Error {
  /** The class's name. */
  override readonly name = "LaunchError";

  /**
   * Makes the error.
   *
   * @param command The program.
   * @param cwd The folder it was to start in.
   * @param options The cause.
   */
  constructor(command: string, cwd: string | undefined, options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? options.cause.message : String(options?.cause);
    const where = cwd === undefined ? "" : ` in "${cwd}"`;
    super(`Cannot start "${command}"${where}: ${reason}`, options);
  }
}

/** A message was not sent: the server has not seen it. */
export class NotSentError extends Error {
  /** The class's name. */
  override readonly name = "NotSentError";

  /**
   * Makes the error.
   *
   * @param options The cause.
   */
  constructor(options?: ErrorOptions) {
    super("The message was not sent: the server is gone", options);
  }
}

/** The connection was ended because of what the server did. */
export class LinkLostError extends Error {
  /** The class's name. */
  override readonly name = "LinkLostError";
  /** The same as when a connection ends by itself. */
  readonly code = "CONNECTION_CLOSED";
}

/** The connection ended before the first contact was made. */
export class ContactError extends Error {
  /** The class's name. */
  override readonly name = "ContactError";
}

/** Marks the answer that stands for one that was lost with its stream. */
export const STREAM_ENDED: Readonly<Record<string, never>> = Object.freeze({});
