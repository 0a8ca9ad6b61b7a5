/**
 * The MCP server as a face of the HTTP server, loaded with its first request.
 * @module
 */
import type { MountedFace } from "../edge/mounted_face.ts";
import type { McpHttpHandler } from "../mcp/server/http_handler.ts";
import type { Runtime } from "../runtime/runtime_types.ts";
import { VERSION } from "./version.ts";

/** `/mcp`, once somebody asks for it. */
export class LazyMcpFace implements MountedFace {
  readonly #runtime: Runtime;
  #handler: Promise<McpHttpHandler> | undefined;

  /**
   * Makes the face.
   *
   * @param runtime Lists and calls the tools.
   */
  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /**
   * Answers a request.
   *
   * @param request The request.
   * @returns The answer.
   */
  async handle(request: Request): Promise<Response> {
    this.#handler ??= this.#load();
    return await (await this.#handler).handle(request);
  }

  /**
   * Ends what is under way.
   *
   * @param graceMs Milliseconds after which the rest is cut off.
   */
  async close(graceMs: number): Promise<void> {
    await (await this.#handler)?.close(graceMs);
  }

  async #load(): Promise<McpHttpHandler> {
    const { createMcpHttpHandler } = await import("../mcp/server/http_handler.ts");
    return createMcpHttpHandler(this.#runtime, { version: VERSION });
  }
}
