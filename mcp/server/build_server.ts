/**
 * The SDK's server for one connection or one request.
 * @module
 */
import {
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerOptions,
  type Transport,
} from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { DirectServer } from "./direct_server.ts";
import type { McpService } from "./mcp_service.ts";
import { RESULT_TEMPLATE } from "./result_links.ts";

/** What a server is built for. */
export interface ServerPurpose {
  /** Whether it serves revision 2026-07-28 or later. */
  readonly isModern: boolean;
  /** Who is served. */
  readonly principal: string;
  /** Asked before each call; throws when the principal makes too many. */
  readonly admit?: () => void;
  /** Where the messages of its channel go in the end, when calls are to be taken past the channel. */
  readonly wire?: Transport;
}

/** As long as the runtime itself takes a list for granted. */
const LIST_TTL_MS = 5_000;
const validator = new CfWorkerJsonSchemaValidator();

/**
 * Builds a server.
 *
 * @param service What all connections share.
 * @param purpose Whom it serves.
 * @returns The server, to be connected.
 */
export function buildServer(service: McpService, purpose: ServerPurpose): DirectServer {
  const { version } = service.settings;
  const { principal, isModern, admit, wire } = purpose;
  // A connection's own; requests of the modern era say it each time.
  let logLevel: LoggingLevel | undefined;
  const server: DirectServer = new DirectServer(
    { name: "cloister", version },
    optionsOf(service),
    async (params, context) =>
      await guard(service, () => {
        admit?.();
        return service.calls.call(params, context, { isModern, principal, logLevel, server });
      }),
    wire,
  );
  if (!isModern) {
    server.setRequestHandler("logging/setLevel", ({ params }) => {
      logLevel = params.level;
      return {};
    });
  }
  server.setRequestHandler(
    "tools/list",
    async ({ params }) =>
      await guard(service, () => service.catalogue.page(params?.cursor)) as never,
  );
  addResources(server, service, principal);
  addPrompts(server);
  return server;
}

function optionsOf({ settings, states }: McpService): ServerOptions {
  const hint = { ttlMs: LIST_TTL_MS, cacheScope: "private" } as const;
  const { instructions } = settings;
  return {
    capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
    ...(instructions === undefined ? {} : { instructions }),
    jsonSchemaValidator: validator,
    requestState: { verify: states.verify },
    cacheHints: {
      "tools/list": hint,
      "resources/list": hint,
      "resources/templates/list": hint,
      "prompts/list": hint,
    },
  };
}

function addResources(server: Server, service: McpService, principal: string): void {
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{
      uriTemplate: RESULT_TEMPLATE,
      name: "result",
      title: "A long result",
      description:
        "The whole text of a result that was too long; the shortened result links to it.",
      mimeType: "text/plain",
    }],
  }));
  server.setRequestHandler(
    "resources/read",
    async ({ params }) => await guard(service, () => service.links.read(params.uri, principal)),
  );
}

function addPrompts(server: Server): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: [] }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${JSON.stringify(params.name.slice(0, 200))}: this server has none`,
    );
  });
}

/** What goes wrong inside is for the log; the client only hears that it did. */
async function guard<T>(service: McpService, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    service.settings.onFault(`Cannot answer an MCP request: ${error}`);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
  }
}
