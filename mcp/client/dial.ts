/**
 * Making a live connection to a server. Loads the SDK.
 * @module
 */
import { Client, type ElicitResult as WireElicitResult } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { ElicitResult } from "../../core/context.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import type { ConnectionServices, ServerEra } from "./connection_services.ts";
import { ContactError } from "./link_errors.ts";
import { eraKey } from "./memory_eras.ts";
import { MessageGate } from "./message_gate.ts";
import { type OpenTransport, openTransport } from "./open_transport.ts";
import { leftOut, ServerLink } from "./server_link.ts";
import type { LogLevel, ServerLog } from "./server_log.ts";
import { sieveTools } from "./sieve_tools.ts";
import { ToolSubscription } from "./tool_subscription.ts";

const PROBE_MS = 10_000;
const LEVELS: Readonly<Record<string, LogLevel>> = {
  debug: "debug",
  info: "info",
  notice: "info",
  warning: "warning",
};

/** What a server does by itself. */
export interface LinkEvents {
  /** The link is gone. */
  onClose(link: ServerLink, error: Error): void;
  /** The server's tools changed. */
  onToolsChanged(): void;
  /** The server asks something of the person. Never rejects. */
  onElicit(params: unknown): Promise<ElicitResult>;
}

/** What dialling works with. */
export interface DialOptions {
  /** The server. */
  readonly spec: McpServerSpec;
  /** What the connection works with. */
  readonly services: ConnectionServices;
  /** Takes what the server says. */
  readonly log: ServerLog;
  /** Hears what it does. */
  readonly events: LinkEvents;
  /** Gives up. */
  readonly signal: AbortSignal;
}

/**
 * Reaches a server: starts it where it is a process, finds out which era it speaks, and shakes hands.
 *
 * @param options What is dialled.
 * @returns The link.
 * @throws {Error} If the server cannot be reached.
 */
export async function dial(options: DialOptions): Promise<ServerLink> {
  const { spec, services: { eras } } = options;
  const key = eraKey(spec);
  try {
    const link = await dialOnce(options, eras.get(key));
    return link;
  } catch (error) {
    // What was known of it may be what went wrong.
    eras.set(key, undefined);
    if (!(error instanceof EndedOnProbe)) throw error;
  }
  // Some servers end when the first message is not the one of the older era.
  return await dialOnce(options, "legacy");
}

async function dialOnce(options: DialOptions, era: ServerEra | undefined): Promise<ServerLink> {
  const { spec, services, log } = options;
  const gate = new MessageGate({
    onDropped: (why, total) => {
      if (isRound(total)) {
        log.relay("warning", `Dropped ${total} messages, the last because ${why}`);
      }
    },
    onResult: (method, result) =>
      method === "tools/list"
        ? sieveTools(result, (name, why) => log.relay("warning", leftOut(name, why)))
        : result,
  });
  const open = await openTransport(spec, services, gate, log);
  const client = createClient(options);
  await shakeHands(client, open, options, era);
  services.eras.set(eraKey(spec), client.getProtocolEra());
  const subscription = await subscribe(client, options);
  const link = new ServerLink({ client, open, gate, log, subscription });
  watchClose(client, open, link, options.events);
  return link;
}

function createClient({ services, log, events }: DialOptions): Client {
  const client = new Client(services.clientInfo, {
    capabilities: { elicitation: { form: { applyDefaults: true } } },
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
  });
  client.onerror = (error) => log.relay("debug", error.message);
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    // The SDK checks the answer against its own, narrower type.
    return await events.onElicit(params) as WireElicitResult;
  });
  client.setNotificationHandler("notifications/tools/list_changed", () => events.onToolsChanged());
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const { level, logger, data } = params;
    const text = typeof data === "string" ? data : JSON.stringify(data) ?? "";
    log.relay(LEVELS[level] ?? "error", logger === undefined ? text : `${logger}: ${text}`);
  });
  return client;
}

async function shakeHands(
  client: Client,
  open: OpenTransport,
  { spec, services, signal }: DialOptions,
  era: ServerEra | undefined,
): Promise<void> {
  const { transport } = open;
  let isLate = false;
  const giveUp = () => void transport.close().catch(() => {});
  const stop = services.clock.after(spec.connectTimeoutMs, () => {
    isLate = true;
    giveUp();
  });
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(transport, {
      timeout: spec.connectTimeoutMs,
      // Asking a server of the modern era once more is the sign of life that a first contact needs.
      ...(era === "legacy" ? { prior: { kind: "legacy" as const } } : {}),
    });
  } catch (error) {
    const hasEnded = open.hasEnded();
    await transport.close().catch(() => {});
    signal.throwIfAborted();
    if (isLate) {
      throw new ContactError(`No answer within ${spec.connectTimeoutMs} ms`, { cause: error });
    }
    throw contactError(error, open, hasEnded, era);
  } finally {
    stop();
    signal.removeEventListener("abort", giveUp);
  }
}

class EndedOnProbe extends ContactError {}

function contactError(
  error: unknown,
  open: OpenTransport,
  hasEnded: boolean,
  era: ServerEra | undefined,
): unknown {
  const reason = open.reason();
  if (reason !== undefined) return reason;
  if (!hasEnded) return error;
  const ended = "The server's process ended before it answered; its last lines are in the log";
  const wasProbed = era !== "legacy";
  return wasProbed ? new EndedOnProbe(ended) : new ContactError(ended, { cause: error });
}

async function subscribe(
  client: Client,
  { services, events }: DialOptions,
): Promise<ToolSubscription | undefined> {
  if (client.getProtocolEra() !== "modern") return undefined;
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return undefined;
  const subscription = new ToolSubscription({
    client,
    clock: services.clock,
    random: services.random ?? Math.random,
    onGap: () => events.onToolsChanged(),
  });
  // Until the server heard it, a change would go by unseen.
  await subscription.start();
  return subscription;
}

function watchClose(
  client: Client,
  open: OpenTransport,
  link: ServerLink,
  events: LinkEvents,
): void {
  const tell = () => events.onClose(link, open.reason() ?? new Error("The server is gone"));
  if (client.transport === undefined) queueMicrotask(tell);
  else client.onclose = tell;
}

// 1, 10, 100 and so on: a server that sends much rubbish must not fill the log as well.
function isRound(total: number): boolean {
  return /^10*$/.test(String(total));
}
