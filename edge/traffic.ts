/**
 * Which requests a server is working on.
 * @module
 */
import { HttpProblem, problemResponse } from "./problem.ts";

/** Counts the requests under way, and can be closed for new ones. */
export class Traffic {
  readonly #empty = Promise.withResolvers<"empty">();
  #underWay = 0;
  #closed = false;

  /**
   * Lets a request through, or refuses it with 503 once closed.
   *
   * @param request The request.
   * @param handler Answers it.
   * @returns The answer.
   */
  async pass(
    request: Request,
    handler: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    if (this.#closed) {
      const headers = { connection: "close" };
      return problemResponse(new HttpProblem(503, "stopping", "The server is stopping", headers));
    }
    this.#underWay++;
    try {
      return await handler(request);
    } finally {
      this.#underWay--;
      this.#settle();
    }
  }

  /**
   * Lets no new request through.
   *
   * @returns Settles when the last one under way was answered.
   */
  close(): Promise<"empty"> {
    this.#closed = true;
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.#closed && this.#underWay === 0) this.#empty.resolve("empty");
  }
}
