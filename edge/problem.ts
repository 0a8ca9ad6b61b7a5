/**
 * Errors of the HTTP face, as RFC 9457 writes them.
 * @module
 */

const TITLES: Readonly<Record<number, string>> = Object.freeze({
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
});

/** The longest detail; what a caller sent is quoted in it, so it must not grow with the request. */
const MAX_DETAIL_CHARS = 500;

/** A refusal of the HTTP face: what becomes a `application/problem+json` answer. */
export class HttpProblem extends Error {
  /** The class's name. */
  override readonly name = "HttpProblem";
  /** The HTTP status. */
  readonly status: number;
  /** A stable snake_case word for programs. */
  readonly code: string;
  /** Header fields that the answer needs, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  /**
   * Makes the refusal.
   *
   * @param status The HTTP status.
   * @param code A stable snake_case word for programs.
   * @param detail What was refused, and what was expected.
   * @param headers Header fields that the answer needs.
   */
  constructor(
    status: number,
    code: string,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * The answer for an error: a refusal as it is, anything else as a 500 that tells nothing of the inside.
 *
 * @param error What was thrown.
 * @returns The `application/problem+json` answer.
 */
export function problemResponse(error: unknown): Response {
  const problem = error instanceof HttpProblem
    ? error
    : new HttpProblem(500, "internal", "The request could not be answered; see the server's log");
  const body = {
    type: "about:blank",
    title: TITLES[problem.status] ?? "Error",
    status: problem.status,
    detail: problem.message.slice(0, MAX_DETAIL_CHARS),
    code: problem.code,
  };
  return new Response(JSON.stringify(body) + "\n", {
    status: problem.status,
    headers: { "content-type": "application/problem+json", ...problem.headers },
  });
}
