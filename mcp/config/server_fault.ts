/**
 * What is wrong with, or worth saying of, the configuration of an MCP server.
 * @module
 */

/** One thing to say. A server with an `error` is not used. */
export interface ServerFault {
  /** The server. */
  readonly server: string;
  /** How grave it is. */
  readonly severity: "error" | "warning" | "info";
  /** A stable snake_case word for it. */
  readonly code: string;
  /** What was found, and what is expected. */
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
}

/** Takes what is found in one server's entry. */
export class FaultList {
  readonly #server: string;
  readonly #faults: ServerFault[] = [];

  /**
   * Begins.
   *
   * @param server The server's name.
   */
  constructor(server: string) {
    this.#server = server;
  }

  /** What was found, in order. */
  get faults(): readonly ServerFault[] {
    return this.#faults;
  }

  /** Whether the server cannot be used. */
  get isFatal(): boolean {
    return this.#faults.some(({ severity }) => severity === "error");
  }

  /**
   * Notes something.
   *
   * @param severity How grave it is.
   * @param code A stable word for it.
   * @param message What was found.
   * @param hint What to do.
   */
  add(severity: ServerFault["severity"], code: string, message: string, hint?: string): void {
    this.#faults.push(Object.freeze({
      server: this.#server,
      severity,
      code,
      message: `MCP server "${this.#server}": ${message}`,
      ...(hint === undefined ? {} : { hint }),
    }));
  }
}
