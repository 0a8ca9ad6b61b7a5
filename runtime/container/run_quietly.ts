/**
 * Running a short program of the system from the front.
 * @module
 */
import { execFile } from "node:child_process";

/** How it ended. */
export interface QuietOutcome {
  /** Whether it ended well. */
  readonly ok: boolean;
  /** What it printed. */
  readonly output: string;
}

/**
 * Runs a script by `sh`, which the front may start; never rejects.
 *
 * @param script The script.
 * @param args Its arguments, from `$1` on.
 * @param env Its whole environment.
 * @returns How it ended.
 */
export function runQuietly(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<QuietOutcome> {
  const { promise, resolve } = Promise.withResolvers<QuietOutcome>();
  try {
    const options = { env: { PATH: "/usr/bin:/bin", ...env }, timeout: 10_000, maxBuffer: 65_536 };
    execFile("sh", ["-c", script, "sh", ...args], options, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}` });
    });
  } catch (error) {
    resolve({ ok: false, output: (error as Error).message });
  }
  return promise;
}
