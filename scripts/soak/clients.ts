/**
 * The clients of the soak: over plain HTTP, and over the Model Context Protocol in both eras.
 * @module
 */
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { type AnsweredCall, type Kind, KINDS, NONCES } from "./kinds.ts";

/** Where calls go and what becomes of them. */
export interface Soak {
  readonly url: string;
  /** What tools that fetch are to fetch. */
  readonly echoUrl: string;
  /** Aborts at the end of the load. */
  readonly over: AbortSignal;
  /** A `fetch` whose connections end with the load. */
  readonly fetch: typeof fetch;
  readonly answers: AnsweredCall[];
  /** Calls without an answer, answers that nobody waited for, and what else does not hold. */
  readonly faults: string[];
  /** Calls that were begun, also those that have no answer yet. */
  sent: number;
}

/** Makes one call. Rejects when there is no answer. */
export type Caller = (
  kind: Kind,
  args: { readonly nonce: string; readonly url?: string },
  signal: AbortSignal,
) => Promise<Pick<AnsweredCall, "code" | "text">>;

/** How much later than its deadline a call is given up as not answered. */
const GIVE_UP_MS = 20_000;
const CANCELLED_SHARE = 0.05;
const CALLS_PER_SESSION = 30;

/** Waits, or until the signal comes; gives whether it has not come. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  const ended = Promise.withResolvers<void>();
  const timer = setTimeout(ended.resolve, ms);
  const end = () => ended.resolve();
  signal.addEventListener("abort", end);
  if (!signal.aborted) await ended.promise;
  signal.removeEventListener("abort", end);
  clearTimeout(timer);
  return !signal.aborted;
}

/** Makes a call and accounts for it; with `cancelMs` the client gives it up then. */
export async function callOnce(
  soak: Soak,
  caller: Caller,
  kind: Kind,
  cancelMs?: number,
): Promise<AnsweredCall | undefined> {
  const nonce = `N${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}Z`;
  const args = kind.name === "fetch" ? { nonce, url: `${soak.echoUrl}/${nonce}` } : { nonce };
  const giveUp = new AbortController();
  const ms = cancelMs ?? (kind.deadlineMs ?? 30_000) + GIVE_UP_MS;
  const timer = setTimeout(() => giveUp.abort(), ms);
  const from = performance.now();
  soak.sent++;
  let outcome = { code: "cancelled", text: "" };
  try {
    outcome = await caller(kind, args, giveUp.signal);
  } catch (error) {
    if (cancelMs === undefined || !giveUp.signal.aborted) {
      soak.faults.push(`${kind.name} was not answered: ${error}`);
      return undefined;
    }
  } finally {
    clearTimeout(timer);
  }
  const call = { kind, nonce, ...outcome, from, to: performance.now() };
  soak.answers.push(call);
  return call;
}

/** Calls tools of all kinds one after another, until the load is over or so many were called. */
export async function callMany(
  soak: Soak,
  caller: Caller,
  { calls = Infinity, pauseMs }: { readonly calls?: number; readonly pauseMs: number },
): Promise<void> {
  const total = KINDS.reduce((sum, { weight }) => sum + weight, 0);
  for (let call = 0; call < calls && !soak.over.aborted; call++) {
    let rest = Math.random() * total;
    const kind = KINDS.find(({ weight }) => (rest -= weight) < 0) ?? KINDS[0]!;
    const cancelMs = Math.random() < CANCELLED_SHARE ? Math.random() * 700 : undefined;
    await callOnce(soak, caller, kind, cancelMs);
    await pause(Math.random() * 2 * pauseMs, soak.over);
  }
}

/** Calls over plain HTTP. */
export function httpCaller({ url, fetch }: Soak): Caller {
  return async ({ name }, args, signal) => {
    const response = await fetch(`${url}/tools/${name}/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(args),
      signal,
    });
    const { ok, content, error, code } = await response.json();
    return { code: ok ? "ok" : error?.code ?? code, text: content ?? "" };
  };
}

function mcpCaller(soak: Soak, client: Client): Caller {
  return async ({ name }, args, signal) => {
    const result = await client.callTool({ name, arguments: args }, {
      signal,
      timeout: 120_000,
      onprogress: ({ message }) => {
        if (message !== args.nonce) soak.faults.push(`${name} got the progress of ${message}`);
      },
    });
    const text = (result.content as { text?: string }[]).map((block) => block.text).join("\n");
    return { code: result.isError ? JSON.parse(text).code : "ok", text };
  };
}

/** Connects, lists the tools, calls some and goes, again and again until the load is over. */
export async function mcpClient(
  soak: Soak,
  era: "2025-11-25" | "2026-07-28",
  connect: () => Transport = () =>
    new StreamableHTTPClientTransport(new URL("/mcp", soak.url), { fetch: soak.fetch }),
): Promise<void> {
  const versionNegotiation = era === "2026-07-28" ? { mode: { pin: era } } : undefined;
  while (!soak.over.aborted) {
    const client = new Client({ name: "soak", version: "1.0.0" }, { versionNegotiation });
    client.onerror = ({ message }) => {
      // A second answer; that of a call which was given up may have been on its way.
      const [nonce] = /unknown message ID/.test(message) && message.match(NONCES) || [];
      const call = soak.answers.find((answer) => answer.nonce === nonce);
      if (call && call.code !== "cancelled") soak.faults.push(`${era}: ${message}`);
    };
    try {
      await client.connect(connect());
      const { tools } = await client.listTools();
      const missing = KINDS.filter(({ name }) => !tools.some((tool) => tool.name === name));
      if (missing.length > 0) {
        soak.faults.push(`${era}: the list lacks ${missing.map(({ name }) => name)}`);
      }
      await callMany(soak, mcpCaller(soak, client), { calls: CALLS_PER_SESSION, pauseMs: 500 });
    } catch (error) {
      soak.faults.push(`${era}: ${error}`);
      await pause(1_000, soak.over);
    } finally {
      await client.close();
    }
  }
}
