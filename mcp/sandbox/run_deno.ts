/**
 * Running a command of Deno's own, with a deadline and a bound on what it prints.
 * @module
 */

/** What such a command is run with. */
export interface RunDenoOptions {
  /** The command that starts Deno. */
  readonly deno: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The folder it starts in. */
  readonly cwd: string;
  /** Deno's own folder, where it is not the usual one. */
  readonly denoDir?: string;
  /** Deadline in milliseconds. */
  readonly timeoutMs: number;
  /** How much it may print, in bytes; beyond that it is ended. */
  readonly maxBytes: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/**
 * Runs it. It inherits this program's environment: certificates and proxies for the registry are settings of the
 * operator's, and no code of a package runs in it.
 *
 * @param options What is run.
 * @returns What it printed on standard output.
 * @throws {Error} If it fails, takes too long or prints too much; the message holds what it said.
 */
export async function runDeno(options: RunDenoOptions): Promise<string> {
  const { deno, args, cwd, denoDir, timeoutMs, maxBytes, signal } = options;
  const over = new AbortController();
  const ends = [AbortSignal.timeout(timeoutMs), over.signal, ...(signal ? [signal] : [])];
  const child = new Deno.Command(deno, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...(denoDir === undefined ? {} : { DENO_DIR: denoDir }) },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.any(ends),
  }).spawn();
  const [stdout, stderr, status] = await Promise.all([
    readBounded(child.stdout, maxBytes, over),
    readBounded(child.stderr, maxBytes, over),
    child.status,
  ]);
  if (over.signal.aborted) throw new Error(`"deno ${args[0]}" printed more than ${maxBytes} bytes`);
  signal?.throwIfAborted();
  if (ends[0]!.aborted) throw new Error(`"deno ${args[0]}" did not end within ${timeoutMs} ms`);
  if (!status.success) throw new Error(stderr.trim().slice(0, 2_000) || `exit code ${status.code}`);
  return stdout;
}

async function readBounded(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  over: AbortController,
): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) {
      over.abort();
      break;
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
