/**
 * How the programs that a tool starts are made to end with its cell.
 * @module
 */
import { spawn } from "node:child_process";

/**
 * `namespace`: the cell is the first process of a process-id namespace, the kernel ends everything in it when
 * the cell ends. `group`: the cell leads a process group that is killed as a whole; a program that leaves
 * the group escapes. `none`: only the cell itself is killed.
 */
export type Containment = "namespace" | "group" | "none";

/** The arguments of `unshare` that come before the cell's own command. */
export const UNSHARE_ARGS: readonly string[] = Object.freeze([
  "--map-current-user",
  "--pid",
  "--fork",
  "--kill-child",
  "--",
]);

function succeeds(command: string, args: readonly string[], path: string): Promise<boolean> {
  const done = Promise.withResolvers<boolean>();
  try {
    const child = spawn(command, args, { stdio: "ignore", env: { PATH: path } });
    child.on("error", () => done.resolve(false));
    child.on("exit", (code) => done.resolve(code === 0));
  } catch {
    done.resolve(false);
  }
  return done.promise;
}

/**
 * Finds the strongest containment that works on this machine with this process's grants, by trying.
 *
 * @param path The PATH for looking up programs.
 * @returns The containment.
 */
export async function probeContainment(path: string): Promise<Containment> {
  if (Deno.build.os === "linux" && await succeeds("unshare", [...UNSHARE_ARGS, "true"], path)) {
    return "namespace";
  }
  if (Deno.build.os !== "windows" && await succeeds("sh", ["-c", "exit 0"], path)) return "group";
  return "none";
}

/**
 * Kills a process group.
 *
 * @param pid The group leader's process id.
 * @param path The PATH for looking up programs.
 * @returns When the killing program has ended; false when it failed, as when the group is already gone.
 */
export function killGroup(pid: number, path: string): Promise<boolean> {
  // A kill by Deno itself needs a bare run grant for a negative id (measured on Deno 2.9.6).
  return succeeds("sh", ["-c", `kill -9 -${pid}`], path);
}
