/**
 * The Model Context Protocol for embedding programs: serving a runtime's tools to MCP clients of both protocol eras,
 * and looking after the MCP servers whose tools a runtime uses.
 *
 * @example Serve over HTTP
 * ```ts ignore
 * import { createRuntime } from "@cloister/cloister";
 * import { createMcpHttpHandler } from "@cloister/cloister/mcp";
 *
 * await using runtime = await createRuntime();
 * const mcp = createMcpHttpHandler(runtime, { gate: {} });
 * Deno.serve({ hostname: "127.0.0.1", port: 8787 }, (request) => mcp.handle(request));
 * ```
 * @module
 */
export {
  createMcpHttpHandler,
  type McpHttpHandler,
  type McpHttpOptions,
} from "./server/http_handler.ts";
export { type McpStdioOptions, serveMcpStdio } from "./server/serve_stdio.ts";
export { openStandardStreams, type StandardStreams } from "./server/standard_streams.ts";
export type { AuthInfo, OAuthTokenVerifier } from "@modelcontextprotocol/server";
export type { RateLimit } from "./server/rate_limit.ts";
export type { McpServerOptions } from "./server/server_options.ts";
export type { HttpAccessOptions, McpAuthOptions, McpGateOptions } from "./server/http_access.ts";
export { mcpServersOf } from "./servers_of.ts";
export type { HeldChange, McpServers } from "./mcp_servers.ts";
export type { DefinitionDifference } from "./catalogue/difference.ts";
export type { ServerState, ServerStatus } from "./client/connection_types.ts";
export type { McpServerConfig } from "./config/server_config.ts";
