/**
 * The options of `serve` and `start`.
 * @module
 */
import type { HttpServerOptions } from "../edge/http_server.ts";
import { type CommandContext, type OptionTable, UsageError } from "./command.ts";
import { VERSION } from "./version.ts";

/** The port when none is named. */
export const DEFAULT_PORT = 8787;

/** The options. */
export const SERVE_OPTIONS: OptionTable = Object.freeze({
  port: {
    type: "string",
    value: "P",
    help: `port to listen on, 0 for a free one (default: ${DEFAULT_PORT})`,
  },
  host: { type: "string", value: "H", help: "address to listen on (default: 127.0.0.1)" },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "accept this Host too, as host or host:port; may be repeated",
  },
  "allow-origin": {
    type: "string",
    multiple: true,
    value: "URL",
    help: "let pages of this origin in; may be repeated",
  },
});

/**
 * What the options mean for the server.
 *
 * @param context What was typed.
 * @returns Where to listen and who may talk.
 * @throws {UsageError} If the port is not one.
 */
export function serverOptions(context: CommandContext): HttpServerOptions {
  const { options, environment } = context;
  return {
    hostname: options.text("host") ?? "127.0.0.1",
    port: readPort(options.text("port")),
    allowedHosts: options.texts("allow-host"),
    allowedOrigins: options.texts("allow-origin"),
    version: VERSION,
    ...(environment.token === undefined ? {} : { token: environment.token }),
  };
}

/**
 * Whether an address is reached from this machine only.
 *
 * @param hostname The address to listen on.
 * @returns True for loopback.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(`The port ${JSON.stringify(text)} is not a number from 0 to 65535`);
}
