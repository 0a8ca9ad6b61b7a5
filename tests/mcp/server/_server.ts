/** What the tests of the MCP server share: a runtime with tools, served over HTTP or over streams. */
import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import {
  createMcpHttpHandler,
  type McpHttpHandler,
  type McpHttpOptions,
} from "../../../mcp/server/http_handler.ts";
import { type McpStdioOptions, serveMcpStdio } from "../../../mcp/server/serve_stdio.ts";
import { startRuntime, type TestRuntime, type TestRuntimeOptions } from "../../runtime/_runtime.ts";
import { registerTools, type ToolProbe } from "./_tools.ts";

export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";
export const ERAS = [LEGACY, MODERN] as const;
/** A revision that stands for its era. */
export type Era = (typeof ERAS)[number];

/** A runtime whose tools the test can watch. */
export interface ServedRuntime extends TestRuntime {
  readonly registry: ToolRegistry;
  readonly probe: ToolProbe;
}

/** Makes a runtime with the tools of `_tools.ts`. */
export async function startTools(options: TestRuntimeOptions = {}): Promise<ServedRuntime> {
  const registry = new ToolRegistry();
  const probe = registerTools(registry);
  const test = await startRuntime({ registry, ...options });
  return Object.assign(test, { registry, probe });
}

/** A server over HTTP. */
export interface HttpServed extends AsyncDisposable {
  readonly url: string;
  readonly handler: McpHttpHandler;
  readonly faults: readonly string[];
}

/** Serves over HTTP on a free port. */
export function serveHttp(test: TestRuntime, options: McpHttpOptions = {}): HttpServed {
  const faults: string[] = [];
  const handler = createMcpHttpHandler(test.runtime, {
    version: "1.2.3",
    gate: {},
    onFault: (message) => void faults.push(message),
    ...options,
  });
  const abort = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: abort.signal,
    onListen() {},
  }, (request) => handler.handle(request));
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    handler,
    faults,
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      abort.abort();
      await server.finished;
    },
  };
}

/** A server over a pair of streams in this process. */
export interface StreamServed extends AsyncDisposable {
  readonly transport: Transport;
  /** Settles when the server is over. */
  readonly finished: Promise<void>;
  readonly faults: readonly string[];
  /** Ends the client's messages. */
  end(): Promise<void>;
  /** Sends a line as it is. */
  sendLine(line: string): Promise<void>;
  /** The lines that came, in order. */
  readonly lines: string[];
  /** The next line that came. */
  nextLine(): Promise<string>;
}

/** Serves over a pair of streams. */
export function serveStreams(
  test: TestRuntime,
  options: Partial<McpStdioOptions> = {},
): StreamServed {
  const toServer = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    { highWaterMark: 1_000 },
    { highWaterMark: 1_000 },
  );
  const faults: string[] = [];
  const finished = serveMcpStdio(test.runtime, {
    readable: toServer.readable,
    writable: toClient.writable,
    version: "1.2.3",
    onFault: (message) => void faults.push(message),
    ...options,
  });
  const wire = new LineWire(toClient.readable, toServer.writable);
  return {
    transport: wire,
    finished,
    faults,
    end: () => wire.end(),
    sendLine: (line) => wire.sendLine(line),
    lines: wire.lines,
    nextLine: () => wire.nextLine(),
    [Symbol.asyncDispose]: async () => {
      await wire.end();
      await finished;
    },
  };
}

/** Messages on lines, for a client in this process or the parent of a child. */
export class LineWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly lines: string[] = [];
  readonly #readable: ReadableStream<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting: ((line: string) => void)[] = [];
  #read = 0;
  #isEnded = false;

  constructor(readable: ReadableStream<Uint8Array>, writable: WritableStream<Uint8Array>) {
    this.#readable = readable;
    this.#writer = writable.getWriter();
    void this.#pump();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.sendLine(JSON.stringify(message));
  }

  async sendLine(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(line + "\n"));
  }

  nextLine(): Promise<string> {
    if (this.#read < this.lines.length) return Promise.resolve(this.lines[this.#read++]!);
    const next = Promise.withResolvers<string>();
    this.#waiting.push((line) => {
      this.#read++;
      next.resolve(line);
    });
    return next.promise;
  }

  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#writer.close().catch(() => {});
  }

  async close(): Promise<void> {
    await this.end();
    this.onclose?.();
  }

  async #pump(): Promise<void> {
    const decoded = this.#readable.pipeThrough(new TextDecoderStream() as never) as ReadableStream<
      string
    >;
    let rest = "";
    for await (const part of decoded) {
      const lines = (rest + part).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#take(line);
    }
    this.onclose?.();
  }

  #take(line: string): void {
    this.lines.push(line);
    this.#waiting.shift()?.(line);
    this.onmessage?.(JSON.parse(line));
  }
}

/** A client of an era. */
export async function connect(
  target: string | Transport,
  era: Era,
  options: ClientOptions = {},
): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: "test", version: "0" }, {
    ...options,
    versionNegotiation: { mode: era === MODERN ? { pin: MODERN } : "legacy" },
  });
  const transport = typeof target === "string"
    ? new StreamableHTTPClientTransport(new URL(target))
    : target;
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** A request of the modern era by hand. */
export interface RawRequest {
  readonly url: string;
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly capabilities?: { readonly [key: string]: unknown };
  readonly meta?: { readonly [key: string]: unknown };
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What a request by hand gave. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- the tests look at what came, whatever it is
  readonly body: any;
  /** The messages before the answer, when it streamed. */
  // deno-lint-ignore no-explicit-any -- see above
  readonly events: readonly any[];
}

/** Sends a request of the modern era by hand. */
export async function post(request: RawRequest): Promise<RawAnswer> {
  const response = await send(request);
  const text = await response.text();
  const { status, headers } = response;
  if (!headers.get("content-type")?.startsWith("text/event-stream")) {
    return { status, headers, body: text === "" ? undefined : JSON.parse(text), events: [] };
  }
  const events = text.split("\n").filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)));
  return { status, headers, body: events.at(-1), events: events.slice(0, -1) };
}

/** Sends it, and leaves the answer's body to the test. */
export async function send(
  { url, method, params = {}, capabilities = {}, meta = {}, headers = {}, signal }: RawRequest,
): Promise<Response> {
  const name = params.name ?? params.uri;
  return await fetch(url, {
    method: "POST",
    signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": MODERN,
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
          "io.modelcontextprotocol/clientCapabilities": capabilities,
          ...meta,
        },
      },
    }),
  });
}

/** Calls a tool by hand. */
export function callTool(
  url: string,
  name: string,
  args: unknown = {},
  more: Partial<RawRequest> & { readonly retry?: { readonly [key: string]: unknown } } = {},
): Promise<RawAnswer> {
  const { retry = {}, ...rest } = more;
  return post({ url, method: "tools/call", params: { name, arguments: args, ...retry }, ...rest });
}

/** Waits for something, with a bound. */
export async function within<T>(promise: Promise<T>, what: string, ms = 10_000): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} did not come in ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
