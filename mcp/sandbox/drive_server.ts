/**
 * Starting a server once, to see whether it works: a handshake and its list of tools. Loads the SDK.
 * @module
 */
import { Client } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { StdioLaunch } from "../client/connection_services.ts";
import { MessageGate } from "../client/message_gate.ts";
import { StdioTransport } from "../client/stdio_transport.ts";

const PROBE_MS = 5_000;
const MAX_ERROR_LINES = 20;

/** How a server did. */
export interface DriveResult {
  /** The names of its tools; absent when it gave no list. */
  readonly tools?: readonly string[];
  /** Why it gave none. */
  readonly failure?: string;
}

/**
 * Starts a server, asks for its tools and ends it.
 *
 * @param launch How it is started.
 * @param options Deadline and who gives up.
 * @returns How it did. What it printed to standard error stands in `failure` for a person to read; nothing is taken
 * from it.
 */
export async function driveServer(
  launch: StdioLaunch,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<DriveResult> {
  signal?.throwIfAborted();
  const lines: string[] = [];
  const transport = new StdioTransport({
    launch,
    gate: new MessageGate({ onDropped: () => {} }),
    onErrorLine: (line) => {
      if (lines.length < MAX_ERROR_LINES) lines.push(line);
    },
  });
  const client = new Client({ name: "cloister", version: "0.1.0" }, {
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
  });
  const giveUp = () => void transport.close().catch(() => {});
  const timer = setTimeout(giveUp, timeoutMs);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs });
    return { tools: tools.map(({ name }) => name) };
  } catch (error) {
    signal?.throwIfAborted();
    return { failure: lines.length > 0 ? lines.join("\n") : (error as Error).message };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
    // Its end is waited for: what it touched last stands in the audit file only then.
    await transport.close().catch(() => {});
  }
}
