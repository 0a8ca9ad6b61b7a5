/**
 * The server that the suite and the inspector look at: the product's own, over the fixtures.
 * @module
 */
import { fileURLToPath } from "node:url";

const SERVE = fileURLToPath(new URL("../../tests/conformance/serve.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** A server in a process of its own; dispose of it to end it. */
export interface FixtureServer extends AsyncDisposable {
  /** The address of `/mcp`. */
  readonly url: string;
  /** What it wrote to stderr so far. */
  readonly log: () => string;
}

/**
 * Starts the server.
 *
 * @param args Arguments of `tests/conformance/serve.ts`.
 * @returns The server, listening.
 * @throws {Error} If it ends without saying where it listens.
 */
export async function startFixtureServer(args: readonly string[] = []): Promise<FixtureServer> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", CONFIG, SERVE, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let log = "";
  const reading = child.stderr.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void (log += text) }));
  const close = async (): Promise<void> => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
    // It serves until its stdin ends.
    await child.stdin.close().catch(() => {});
    await Promise.all([child.status, reading]);
    clearTimeout(timer);
  };
  const line = await firstLine(child.stdout);
  const url: unknown = line === undefined ? undefined : JSON.parse(line).url;
  if (typeof url === "string") return { url, log: () => log, [Symbol.asyncDispose]: close };
  await close();
  throw new Error(`Cannot start the server over the fixtures: ${log}`);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return undefined;
    text += value;
    const end = text.indexOf("\n");
    if (end < 0) continue;
    void reader.cancel();
    return text.slice(0, end);
  }
}
