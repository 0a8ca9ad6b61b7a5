/**
 * What the single addresses of the HTTP face answer.
 * @module
 */
import type { JsonValue } from "../core/json.ts";
import type { Runtime } from "../runtime/runtime_types.ts";
import { readDeadline } from "./call_deadline.ts";
import { statusOfResult } from "./http_status.ts";
import { openApiDocument } from "./openapi.ts";
import { HttpProblem } from "./problem.ts";
import { readObjectText } from "./request_body.ts";
import { listTools } from "./tool_list.ts";

/** What the endpoints need to know beside the runtime. */
export interface EndpointSettings {
  /** The product's version. */
  readonly version: string;
  /** Longest body in bytes. */
  readonly maxBodyBytes: number;
  /** Milliseconds in which a body must have come. */
  readonly bodyTimeoutMs: number;
  /** Longest deadline that a caller may ask for. */
  readonly maxTimeoutMs: number;
  /** Calls that may be under way at once. */
  readonly maxConcurrentCalls: number;
  /** Whether a bearer token is needed. */
  readonly needsToken: boolean;
  /** Whether `/mcp` answers. */
  readonly hasMcp: boolean;
}

/** The addresses of the HTTP face, one method each. */
export class HttpEndpoints {
  readonly #runtime: Runtime;
  readonly #settings: EndpointSettings;
  #callsUnderWay = 0;

  /**
   * Joins the endpoints to a runtime.
   *
   * @param runtime Lists and calls the tools.
   * @param settings Bounds and names.
   */
  constructor(runtime: Runtime, settings: EndpointSettings) {
    this.#runtime = runtime;
    this.#settings = settings;
  }

  /**
   * `GET /`: what this is and where to go on.
   *
   * @returns The answer.
   */
  index(): Response {
    return json({
      name: "cloister",
      version: this.#settings.version,
      links: {
        health: "/healthz",
        ready: "/readyz",
        tools: "/tools",
        call: "/tools/{name}/call",
        openapi: "/openapi.json",
        ...(this.#settings.hasMcp ? { mcp: "/mcp" } : {}),
      },
    });
  }

  /**
   * `GET /healthz`: the process answers.
   *
   * @returns The answer.
   */
  health(): Response {
    return json({ status: "ok" });
  }

  /**
   * `GET /readyz`: whether tools can be called, and what this machine guarantees.
   *
   * @returns The answer.
   * @throws {HttpProblem} 503 until the first discovery has ended, and while no cell can be started.
   */
  ready(): Response {
    if (this.#runtime.lastDiscovery === undefined) {
      throw new HttpProblem(503, "not_ready", "The tools have not been discovered yet", {
        "retry-after": "1",
      });
    }
    const { outage } = this.#runtime;
    if (outage !== undefined) {
      throw new HttpProblem(503, "not_ready", `No tool file can be run: ${outage}`, {
        "retry-after": "30",
      });
    }
    const snapshot = this.#runtime.registry.snapshot();
    return json({
      status: "ready",
      generation: snapshot.generation,
      tools: snapshot.size,
      deno: Deno.version.deno,
      isolation: this.#runtime.isolation,
      limits: this.#runtime.limits,
    });
  }

  /**
   * `GET /tools`: the list of tools, as `cloister list --json` prints it.
   *
   * @returns The answer.
   */
  async tools(): Promise<Response> {
    return json(await listTools(this.#runtime) as unknown as JsonValue);
  }

  /**
   * `GET /openapi.json`: this face, described.
   *
   * @returns The answer.
   */
  openapi(): Response {
    return json(openApiDocument(this.#runtime.registry.snapshot().entries(), this.#settings));
  }

  /**
   * `POST /tools/:name/call`: calls a tool. The call is cancelled when the client goes away.
   *
   * @param request The request with the arguments.
   * @param name The tool's name.
   * @returns The `ToolResult`, with the status of its error code.
   * @throws {HttpProblem} If the request is refused before there is a call.
   */
  async call(request: Request, name: string): Promise<Response> {
    const timeoutMs = readDeadline(request, this.#settings.maxTimeoutMs);
    if (this.#callsUnderWay >= this.#settings.maxConcurrentCalls) throw tooManyCalls();
    this.#callsUnderWay++;
    using client = whileConnected(request);
    try {
      const args = await readObjectText(request, {
        maxBytes: this.#settings.maxBodyBytes,
        timeoutMs: this.#settings.bodyTimeoutMs,
      });
      const result = await this.#runtime.dispatch(name, args, {
        signal: client.signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      const status = statusOfResult(result);
      const headers: Record<string, string> = status === 429 ? { "retry-after": "1" } : {};
      return json(result as unknown as JsonValue, status, headers);
    } finally {
      this.#callsUnderWay--;
    }
  }
}

/**
 * A signal that aborts when the client goes away. On Deno 2.9.6 a request's own signal also aborts after its
 * answer, with a warning when somebody still listens by then.
 */
function whileConnected(request: Request): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException("The client went away", "AbortError"));
  if (request.signal.aborted) abort();
  request.signal.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => request.signal.removeEventListener("abort", abort),
  };
}

function tooManyCalls(): HttpProblem {
  return new HttpProblem(429, "overloaded", "Too many calls are under way; try again", {
    "retry-after": "1",
  });
}

function json(
  value: JsonValue,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(value) + "\n", {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}
