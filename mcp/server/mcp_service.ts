/**
 * What all connections of an MCP server share.
 * @module
 */
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import type { Runtime } from "../../runtime/runtime_types.ts";
import { CallHandler } from "./call_handler.ts";
import { ListChanges } from "./list_changes.ts";
import { LogRouter } from "./log_router.ts";
import { ParkedCalls, type ParkedState } from "./parked_calls.ts";
import { principalOf } from "./principal.ts";
import { PrincipalSessions } from "./principal_sessions.ts";
import { ResultLinks } from "./result_links.ts";
import {
  fillServerOptions,
  type McpServerOptions,
  type McpServerSettings,
} from "./server_options.ts";
import { ToolCatalogue } from "./tool_catalogue.ts";

/** The shared parts of a server. */
export class McpService implements Disposable {
  /** The options, filled in. */
  readonly settings: McpServerSettings;
  /** The tools. */
  readonly catalogue: ToolCatalogue;
  /** The links to long results. */
  readonly links: ResultLinks;
  /** The calls that wait for answers. */
  readonly parked: ParkedCalls;
  /** Seals what clients carry between requests. */
  readonly states: RequestStateCodec<ParkedState>;
  /** Makes calls. */
  readonly calls: CallHandler;
  /** Says when the list of tools changed. */
  readonly changes: ListChanges;
  readonly #sessions: PrincipalSessions;
  readonly #logs: LogRouter;

  /**
   * Joins the parts.
   *
   * @param runtime Lists and calls the tools.
   * @param options What the server was told.
   * @throws {Error} If tools run in this process: a worker can reach its descriptors, and answer its clients
   * (measured on Deno 2.9.6).
   * @throws {RangeError} If an option is out of range.
   */
  constructor(runtime: Runtime, options: McpServerOptions) {
    assertIsolated(runtime);
    this.settings = fillServerOptions(options);
    const { pageSize, maxParkedCalls: max, parkedForMs: forMs, onFault } = this.settings;
    this.catalogue = new ToolCatalogue(runtime, pageSize);
    this.links = new ResultLinks();
    this.parked = new ParkedCalls({ max, forMs });
    this.states = createRequestStateCodec<ParkedState>({
      // Parked calls live in this process, so nobody else needs the key.
      key: crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: Math.ceil(forMs / 1_000),
      bind: ({ http }) => principalOf(http?.authInfo),
    });
    this.#sessions = new PrincipalSessions(runtime);
    this.#logs = new LogRouter(runtime);
    this.calls = new CallHandler({
      catalogue: this.catalogue,
      sessions: this.#sessions,
      links: this.links,
      logs: this.#logs,
      parked: this.parked,
      states: this.states,
      maxConcurrentCalls: this.settings.maxConcurrentCalls,
    });
    this.changes = new ListChanges({ runtime, catalogue: this.catalogue, onFault });
  }

  /** Cancels what waits for answers, and stops listening. */
  [Symbol.dispose](): void {
    this.changes[Symbol.dispose]();
    this.parked[Symbol.dispose]();
    this.#logs[Symbol.dispose]();
    this.#sessions[Symbol.dispose]();
  }
}

function assertIsolated({ isolation }: Runtime): void {
  if (isolation !== "in-process") return;
  throw new Error(
    "Cannot serve MCP where tools run in the server's own process: they could answer its clients. " +
      "Grant --allow-run=deno, or leave isolation.inProcess out of the configuration",
  );
}
