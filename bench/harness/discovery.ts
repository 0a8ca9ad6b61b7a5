/**
 * Starts the subject that discovers a folder, and the reference rule that looks through one.
 * @module
 */
import type { Command } from "./processes.ts";
import { runToEnd } from "./processes.ts";
import { projectPath } from "./temp.ts";

/** What the subject prints. */
export interface DiscoveryFigures {
  /** Tools found. */
  readonly tools: number;
  /** Files that the manifest knew. */
  readonly hits: number;
  /** Files that were read anew. */
  readonly misses: number;
  /** Milliseconds inside the process. */
  readonly durationMs: number;
}

/**
 * Discovers a folder in a process of its own.
 *
 * @param dir The folder with tool files.
 * @param cacheDir Where manifest and store are.
 * @param expected How many tools there are.
 * @returns What the subject prints.
 * @throws {Error} If it does not find them all.
 */
export async function discoverInProcess(
  dir: string,
  cacheDir: string,
  expected: number,
): Promise<DiscoveryFigures> {
  const script = projectPath("bench/subjects/discover.ts");
  const args = ["run", "-A", "--quiet", "--no-prompt", script, dir, cacheDir];
  const text = await runToEnd({ program: Deno.execPath(), args });
  const figures: DiscoveryFigures = JSON.parse(text);
  if (figures.tools !== expected) {
    throw new Error(`Expected ${expected} tools in "${dir}", the subject says ${text}`);
  }
  return figures;
}

/**
 * The command line of the reference rule.
 *
 * @param dir The folder with Python files.
 * @returns The command.
 */
export function referenceScan(dir: string): Command {
  return { program: "python3", args: [projectPath("bench/peers/reference_scan.py"), dir] };
}

/**
 * Runs the reference rule and checks what it says.
 *
 * @param dir The folder with Python files.
 * @param expected How many of them register a tool.
 * @throws {Error} If it finds another number.
 */
export async function runReferenceScan(dir: string, expected: number): Promise<void> {
  const found = Number(await runToEnd(referenceScan(dir)));
  if (found !== expected) throw new Error(`The reference rule found ${found} of ${expected} files`);
}

/**
 * Discovers a folder whose files the manifest knows.
 *
 * @param dir The folder with tool files.
 * @param cacheDir Where manifest and store are.
 * @param expected How many tools there are.
 * @returns What the subject prints.
 * @throws {Error} If a file had to be read anew.
 */
export async function discoverWarm(
  dir: string,
  cacheDir: string,
  expected: number,
): Promise<DiscoveryFigures> {
  const figures = await discoverInProcess(dir, cacheDir, expected);
  if (figures.misses > 0) throw new Error(`The manifest did not know ${figures.misses} files`);
  return figures;
}
