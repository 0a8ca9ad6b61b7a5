/**
 * The transport to a server, by how it is reached. Loads the SDK.
 * @module
 */
import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { McpServerSpec } from "../config/server_config.ts";
import type { ConnectionServices, StdioLaunch } from "./connection_services.ts";
import { GatedTransport } from "./gated_transport.ts";
import { createGuardedFetch } from "./guarded_fetch.ts";
import { LaunchError } from "./link_errors.ts";
import type { MessageGate } from "./message_gate.ts";
import type { ServerLog } from "./server_log.ts";
import { StdioTransport } from "./stdio_transport.ts";

const TERMINATE_MS = 2_000;

/** A transport, and how to take leave of its server. */
export interface OpenTransport {
  /** The transport; it was not started. */
  readonly transport: Transport;
  /** Whether a process that it started is gone. */
  readonly hasEnded: () => boolean;
  /** Why it closed by itself. */
  readonly reason: () => Error | undefined;
  /** Tells the server that this client leaves, where there is a session to end. Never rejects. */
  readonly sayGoodbye: () => Promise<void>;
}

/**
 * Makes the transport to a server.
 *
 * @param spec The server.
 * @param services What the connection works with.
 * @param gate Decides what is let in.
 * @param log Takes what the server writes to standard error.
 * @returns The transport.
 * @throws {Error} If the server's process cannot be prepared.
 */
export async function openTransport(
  spec: McpServerSpec,
  services: ConnectionServices,
  gate: MessageGate,
  log: ServerLog,
): Promise<OpenTransport> {
  const { launch } = spec;
  if (launch.kind === "http") return openHttp(launch, services, gate);
  const transport = new StdioTransport({
    launch: await prepare(spec, services),
    gate,
    onErrorLine: (line) => log.relay("info", `stderr: ${line}`),
  });
  return {
    transport,
    hasEnded: () => transport.hasEnded,
    reason: () => transport.reason,
    sayGoodbye: () => Promise.resolve(),
  };
}

async function prepare(
  { name }: McpServerSpec,
  { launch }: ConnectionServices,
): Promise<StdioLaunch> {
  if (launch === undefined) {
    throw new LaunchError(name, undefined, { cause: "nothing here starts processes" });
  }
  try {
    return await launch();
  } catch (error) {
    throw new LaunchError(name, undefined, { cause: error });
  }
}

type HttpLaunch = Extract<McpServerSpec["launch"], { readonly kind: "http" }>;

function openHttp(
  { url, headers, transport: kind }: HttpLaunch,
  { authProvider }: ConnectionServices,
  gate: MessageGate,
): OpenTransport {
  const fetch = createGuardedFetch();
  const options = {
    // A login learns from refusals which rights it lacks.
    fetch: authProvider !== undefined && "watch" in authProvider
      ? authProvider.watch(fetch)
      : fetch,
    requestInit: { headers: { ...headers } },
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  const inner = kind === "sse"
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options);
  return {
    transport: new GatedTransport(inner, gate),
    hasEnded: () => false,
    reason: () => undefined,
    sayGoodbye: () => endSession(inner),
  };
}

async function endSession(
  transport: SSEClientTransport | StreamableHTTPClientTransport,
): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport)) return;
  // The server may be gone: nobody waits long for a goodbye.
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, TERMINATE_MS);
  await Promise.race([transport.terminateSession().catch(() => {}), promise]);
  clearTimeout(timer);
}
