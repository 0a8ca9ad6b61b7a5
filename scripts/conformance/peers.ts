/**
 * The programs that others wrote to check servers and clients of the Model Context Protocol: the conformance suite
 * and the inspector. Their versions, and those of all that they need, are pinned in `tests/conformance/peers`; the
 * project's own lock file knows nothing of them.
 * @module
 */
import { fileURLToPath } from "node:url";

/** The folder with the packages' versions and lock file. Programs start in it, so that Deno finds both. */
export const PEERS_FOLDER: string = fileURLToPath(
  new URL("../../tests/conformance/peers/", import.meta.url),
);

/** What can be started. */
export type Peer = "conformance" | "inspector";

const PACKAGES: Readonly<Record<Peer, string>> = {
  conformance: "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
  inspector: "npm:@modelcontextprotocol/inspector@2.12.0",
};
/** Loads all of the program and ends, whether or not its packages are complete. */
const PROBES: Readonly<Record<Peer, readonly string[]>> = {
  conformance: ["--version"],
  inspector: ["--cli", "--help"],
};
const LOCKED = ["--frozen", "--node-modules-dir=none"];
/** What Deno says when it has no way to the registry, as opposed to one that refuses. */
const UNREACHABLE =
  /error sending request|client error \(Connect\)|dns error|failed to lookup|timed out/i;

/** How a program ended. */
export interface PeerResult {
  /** The exit code. */
  readonly code: number;
  /** What it wrote. */
  readonly stdout: string;
  /** What it wrote to stderr. */
  readonly stderr: string;
  /** Whether it was ended at its deadline. */
  readonly timedOut: boolean;
}

/** Whether a program can be started. */
export type Readiness =
  | { readonly ready: true }
  | {
    readonly ready: false;
    /** Why not. */
    readonly reason: string;
  };

/**
 * Downloads a program's packages unless they are there.
 *
 * @param peer The program.
 * @returns Ready, or that the registry cannot be reached and the packages are not there.
 * @throws {Error} If the packages cannot be had for another reason, such as a lock file that does not fit.
 */
export async function preparePeer(peer: Peer): Promise<Readiness> {
  if ((await runPeer(peer, PROBES[peer], 30_000)).code === 0) return { ready: true };
  const download = await run(["cache", ...LOCKED, PACKAGES[peer]], 300_000);
  if (download.code === 0) return { ready: true };
  const said = download.timedOut ? "timed out" : download.stderr.trim();
  if (!UNREACHABLE.test(said)) {
    throw new Error(`Cannot prepare ${PACKAGES[peer]}: ${said}`);
  }
  return {
    ready: false,
    reason: `${PACKAGES[peer]} is not cached, and the registry is not reached`,
  };
}

/**
 * Runs a program to its end, from the cache.
 *
 * @param peer The program.
 * @param args Its arguments.
 * @param timeoutMs Milliseconds after which it is ended.
 * @returns How it ended.
 */
export function runPeer(
  peer: Peer,
  args: readonly string[],
  timeoutMs: number,
): Promise<PeerResult> {
  return run(["run", "-A", "--cached-only", ...LOCKED, PACKAGES[peer], ...args], timeoutMs);
}

async function run(args: readonly string[], timeoutMs: number): Promise<PeerResult> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: PEERS_FOLDER,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  const { code, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr), timedOut };
}
