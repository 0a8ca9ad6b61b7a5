/** What the attack tests over MCP share: the command line as an MCP server, and a real client that keeps what came. */
import assert from "node:assert/strict";
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import manifest from "../../deno.json" with { type: "json" };
import type { JsonObject } from "../../core/json.ts";
import { FIXTURES } from "./_arena.ts";

/** The checkout's folder. */
export const ROOT: string = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

/** A folder with tools, a workspace and a configuration. */
export interface Places extends AsyncDisposable {
  /** Holds everything else; the home folder of what runs here. */
  readonly base: string;
  /** The tool root. */
  readonly root: string;
  /** The workspace. */
  readonly workspace: string;
}

/** Copies fixtures of `tests/fixtures/attacks/` into a folder of their own. */
export async function makePlaces(ids: readonly string[], config: JsonObject = {}): Promise<Places> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-mcp-attack-" }));
  const places = { base, root: `${base}/tools`, workspace: `${base}/work` };
  for (const dir of [places.root, places.workspace]) await Deno.mkdir(dir);
  for (const id of ["_common", ...ids]) {
    for await (const { name, isFile } of Deno.readDir(FIXTURES + id)) {
      if (isFile) await Deno.copyFile(`${FIXTURES}${id}/${name}`, `${places.root}/${name}`);
    }
  }
  const json = JSON.stringify({ enabledToolsets: ["attack"], ...config });
  await Deno.writeTextFile(`${base}/cloister.json`, json);
  return { ...places, [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }) };
}

/** The command line with the grants that users get. */
export interface CommandWords {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Pick<Deno.CommandOptions, "cwd" | "env" | "clearEnv">;
}

/** How the command line is started in these places. */
export function spawnWords(
  { base, root, workspace }: Places,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CommandWords {
  const [, ...task] = manifest.tasks.cli.split(" ");
  const flags = task.map((word) => word.replaceAll("$PWD", ROOT).replaceAll("$HOME", base));
  const common = ["--root", root, "--workspace", workspace, "--config", `${base}/cloister.json`];
  const own = Deno.env.toObject();
  return {
    program: Deno.execPath(),
    args: [...flags, ...words, ...common],
    options: {
      cwd: ROOT,
      env: { ...own, HOME: base, DENO_DIR: own.DENO_DIR ?? `${own.HOME}/.cache/deno`, ...env },
      clearEnv: true,
    },
  };
}

/** Starts the command line. */
export function spawn(
  places: Places,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Deno.ChildProcess {
  const { program, args, options } = spawnWords(places, words, env);
  return new Deno.Command(program, {
    ...options,
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** What a server wrote, line by line, while somebody reads on. */
export class Lines {
  /** The lines until now. */
  readonly seen: string[] = [];
  readonly #ended: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void = () => {}) {
    this.#ended = this.#read(stream, onLine);
  }

  /** Resolves at the end of the stream. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async #read(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of stream) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#add(line, onLine);
    }
    if (rest !== "") this.#add(rest, onLine);
  }

  #add(line: string, onLine: (line: string) => void): void {
    this.seen.push(line);
    onLine(line);
  }
}

/** Speaks with a child on its stdin and stdout; keeps each line, and the ids of what was asked. */
export class RecordingTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** What came on stdout. */
  readonly stdout: Lines;
  /** What came on stderr. */
  readonly stderr: Lines;
  /** The ids of the requests that were sent. */
  readonly asked = new Set<unknown>();
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.stderr = new Lines(child.stderr);
    this.stdout = new Lines(child.stdout, (line) => this.#take(line));
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message && "id" in message) this.asked.add(message.id);
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  }

  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await Promise.all([this.#child.status, this.stdout.ended, this.stderr.ended]);
    this.onclose?.();
  }

  #take(line: string): void {
    try {
      this.onmessage?.(JSON.parse(line));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

/** A connected client. */
export interface Connected extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool. */
  call(name: string, args?: JsonObject): Promise<CallToolResult>;
  /** Asserts that nothing came but messages, and one answer for each request at most. */
  assertSealed(): void;
  /** What the server wrote to stderr. */
  readonly stderr: readonly string[];
}

/** Starts `cloister mcp` and connects. */
export async function connectStdio(
  places: Places,
  makeClient: () => Client = plainClient,
): Promise<Connected> {
  const transport = new RecordingTransport(spawn(places, ["mcp"]));
  const client = makeClient();
  await client.connect(transport);
  return connected(client, transport.stderr.seen, () => {
    assertMessages(transport.stdout.seen, transport.asked);
  }, () => client.close());
}

/** A server over HTTP. */
export interface Served extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  readonly port: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Starts `cloister serve`. */
export async function startServe(
  places: Places,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(places, ["serve", "--port", "0", "--json"], env);
  const listening = Promise.withResolvers<string>();
  const stderr = new Lines(child.stderr);
  const stdout = new Lines(child.stdout, (line) => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) listening.resolve(url);
  });
  void stdout.ended.then(() => listening.reject(new Error(stderr.seen.join("\n"))));
  const url = await listening.promise;
  return {
    url,
    port: Number(new URL(url).port),
    stdout: stdout.seen,
    stderr: stderr.seen,
    [Symbol.asyncDispose]: async () => {
      await child.stdin.close().catch(() => {});
      child.kill("SIGTERM");
      await Promise.all([child.status, stdout.ended, stderr.ended]);
    },
  };
}

/** Starts `cloister serve` and connects to `/mcp`. */
export async function connectHttp(
  places: Places,
  makeClient: () => Client = plainClient,
): Promise<Connected> {
  const served = await startServe(places);
  const client = makeClient();
  const asked = new Set<unknown>();
  const bodies: { text: string }[] = [];
  const transport = new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
    fetch: async (url, init) => {
      const { id, method } = JSON.parse(String(init?.body ?? "{}"));
      if (id !== undefined && method !== undefined) asked.add(id);
      const answer = await fetch(url, init);
      return init?.method === "POST" ? tapped(answer, bodies) : answer;
    },
  });
  await client.connect(transport);
  const check = () => assertMessages(bodies.flatMap(({ text }) => messagesOf(text)), asked);
  return connected(client, served.stderr, check, async () => {
    await client.close();
    await served[Symbol.asyncDispose]();
  });
}

/** Keeps what passes by. */
function tapped(answer: Response, bodies: { text: string }[]): Response {
  if (answer.body === null) return answer;
  const kept = { text: "" };
  bodies.push(kept);
  const decoder = new TextDecoder();
  const tap = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      kept.text += decoder.decode(bytes, { stream: true });
      controller.enqueue(bytes);
    },
  });
  return new Response(answer.body.pipeThrough(tap), answer);
}

// A body is one message as JSON, or a stream of events with one in each.
function messagesOf(body: string): readonly string[] {
  if (body === "" || body.startsWith("{")) return body === "" ? [] : [body];
  return body.split("\n").filter((line) => line.startsWith("data:") && line.length > 6)
    .map((line) => line.slice(5).trim());
}

function connected(
  client: Client,
  stderr: readonly string[],
  check: () => void,
  close: () => Promise<void>,
): Connected {
  return {
    client,
    stderr,
    call: async (name, args = {}) =>
      await client.callTool({ name, arguments: args }) as CallToolResult,
    assertSealed: check,
    [Symbol.asyncDispose]: close,
  };
}

function assertMessages(lines: readonly string[], asked: ReadonlySet<unknown>): void {
  const answered = new Set<unknown>();
  assert.ok(lines.length > 0, "Nothing came");
  for (const line of lines) {
    const message = JSON.parse(line);
    assert.equal(message.jsonrpc, "2.0", line);
    if (message.method !== undefined) continue;
    assert.ok(asked.has(message.id), `Nobody asked for this answer: ${line}`);
    assert.ok(!answered.has(message.id), `A second answer to one request: ${line}`);
    answered.add(message.id);
    assert.doesNotMatch(line, /counterfeit/, `A forged answer: ${line}`);
  }
}

function plainClient(): Client {
  return new Client({ name: "attacked", version: "1.0.0" });
}

/** The text of a result. */
export function textOf(result: CallToolResult): string {
  return result.content.map((block) => block.type === "text" ? block.text : `<${block.type}>`).join(
    "\n",
  );
}
