/**
 * The entry to a server. Loads no package until the server is reached.
 * @module
 */
import type { McpServerSpec } from "../config/server_config.ts";
import type { ConnectionServices } from "./connection_services.ts";
import type { ServerConnection } from "./connection_types.ts";
import { McpServerConnection } from "./server_connection.ts";

/**
 * Opens a connection to a server; nothing is started before {@linkcode ServerConnection.connect} or, for a lazy
 * server, its first call.
 *
 * @param spec The server.
 * @param services What the connection works with.
 * @returns The connection.
 */
export function openConnection(
  spec: McpServerSpec,
  services: ConnectionServices,
): ServerConnection {
  return new McpServerConnection(spec, services);
}
