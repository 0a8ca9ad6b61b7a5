/**
 * Says on what the figures were measured.
 * @module
 */
import { cpus, loadavg, release, totalmem } from "node:os";
import { runToEnd } from "./processes.ts";

/** The machine and the versions. */
export interface Machine {
  /** The processor. */
  readonly cpu: string;
  /** Its cores. */
  readonly cores: number;
  /** Its memory in gigabytes. */
  readonly memoryGb: number;
  /** The system and its release. */
  readonly system: string;
  /** The version of Deno. */
  readonly deno: string;
  /** The version of Python, where there is one. */
  readonly python: string | undefined;
  /** The load averages of 1, 5 and 15 minutes before the benchmark. */
  readonly load: readonly number[];
}

async function pythonVersion(): Promise<string | undefined> {
  try {
    return (await runToEnd({ program: "python3", args: ["--version"] })).trim();
  } catch {
    return undefined;
  }
}

/**
 * Looks at the machine.
 *
 * @returns What it is.
 */
export async function describeMachine(): Promise<Machine> {
  const processors = cpus();
  return {
    cpu: processors[0]?.model ?? "unknown",
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${Deno.build.os} ${release()} ${Deno.build.arch}`,
    deno: Deno.version.deno,
    python: await pythonVersion(),
    load: loadavg().map((value) => Math.round(value * 100) / 100),
  };
}
