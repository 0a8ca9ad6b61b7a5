/**
 * Running `deno info` so that it downloads nothing and ends.
 * @module
 */
import { joinPath } from "./paths.ts";
import type { ImportMap } from "./resolve.ts";

/** What the program printed, or why there is nothing. */
export type InfoOutput =
  | { readonly status: "ok"; readonly text: string }
  | {
    /** `not_started`: there is no such program, or it may not be started. */
    readonly status: "not_started" | "failed";
    readonly reason: string;
  };

/** The bounds of one run. */
export interface InfoLimits {
  /** The program, by name or absolute path. @default {"deno"} */
  readonly denoCommand?: string;
  /** Milliseconds after which the program is stopped. @default {15_000} */
  readonly deadlineMs?: number;
  /** Most bytes of output that are read. @default {67_108_864} */
  readonly maxOutputBytes?: number;
}

const ARGUMENTS = ["info", "--json", "--no-remote", "--no-npm", "--no-lock"];

/**
 * Asks `deno info` about a module given as text, in a private folder that is removed afterwards.
 *
 * @param source The module: imports of what is asked about.
 * @param importMap The names it may import.
 * @param limits The bounds.
 * @returns What it printed. Never rejects.
 */
export async function runDenoInfo(
  source: string,
  importMap: ImportMap,
  limits: InfoLimits,
): Promise<InfoOutput> {
  let dir: string | undefined;
  try {
    dir = Deno.makeTempDirSync({ prefix: "cloister-info-" });
    Deno.writeTextFileSync(joinPath(dir, "root.ts"), source);
    Deno.writeTextFileSync(joinPath(dir, "deno.json"), JSON.stringify({ imports: importMap }));
    return await collect(start(dir, limits.denoCommand ?? "deno"), limits);
  } catch (error) {
    return { status: "not_started", reason: `deno info cannot be started: ${textOf(error)}` };
  } finally {
    if (dir !== undefined) await removeQuietly(dir);
  }
}

function start(dir: string, denoCommand: string): Deno.ChildProcess {
  return new Deno.Command(denoCommand, {
    args: [...ARGUMENTS, "--config", joinPath(dir, "deno.json"), joinPath(dir, "root.ts")],
    cwd: dir,
    // Below a file there can be no folder: the resolver keeps its cache in memory (measured on Deno 2.9.6), and
    // the user's cache stays as it is.
    env: {
      DENO_DIR: joinPath(dir, "deno.json/cache"),
      DENO_V8_FLAGS: "--max-old-space-size=256",
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

async function collect(child: Deno.ChildProcess, limits: InfoLimits): Promise<InfoOutput> {
  const { deadlineMs = 15_000, maxOutputBytes = 67_108_864 } = limits;
  const expired = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    expired.resolve(`deno info did not end within ${deadlineMs} ms`);
    kill(child);
  }, deadlineMs);
  try {
    const text = readBounded(child, maxOutputBytes);
    const first = await Promise.race([text, expired.promise.then((reason) => ({ reason }))]);
    if (typeof first !== "string") {
      kill(child);
      await child.status;
      return { status: "failed", reason: first.reason };
    }
    const { code } = await child.status;
    if (code === 0) return { status: "ok", text: first };
    return { status: "failed", reason: `deno info ended with code ${code}` };
  } finally {
    clearTimeout(timer);
  }
}

async function readBounded(
  child: Deno.ChildProcess,
  maxBytes: number,
): Promise<string | { reason: string }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of child.stdout) {
    size += chunk.length;
    if (size > maxBytes) return { reason: `deno info printed more than ${maxBytes} bytes` };
    chunks.push(chunk);
  }
  return await new Blob(chunks).text();
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

async function removeQuietly(dir: string): Promise<void> {
  try {
    // Not at once: the files beside it are still being scanned.
    await Deno.remove(dir, { recursive: true });
  } catch {
    // A folder left in the temporary folder does no harm.
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
