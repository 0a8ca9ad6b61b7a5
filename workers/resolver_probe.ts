/**
 * Finds whether names can be granted on this machine.
 * @module
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { RESOLVER_ENV } from "../core/host_names.ts";

const known = new Map<string, Promise<boolean>>();

/**
 * Whether the resolver of the processes that a command starts takes {@linkcode RESOLVER_ENV}. Found by trying,
 * once for each command.
 *
 * @param deno The command that starts Deno.
 * @param path The PATH for looking it up.
 * @returns True when names can be granted.
 */
export function areNamesSafe(deno: string, path: string): Promise<boolean> {
  const key = JSON.stringify([deno, path]);
  const found = known.get(key) ?? tryOnce(deno, path).then((taken) => {
    // The machine may just have been out of processes.
    if (taken === undefined) known.delete(key);
    return taken ?? false;
  });
  known.set(key, found);
  return found;
}

async function tryOnce(deno: string, path: string): Promise<boolean | undefined> {
  if (Deno.build.os !== "linux") return false;
  const url = new URL("./resolver_check.ts", import.meta.url);
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  const file = url.protocol === "file:" ? fileURLToPath(url) : url.href;
  const flags = ["--no-prompt", "--no-config", "--no-lock", "--cached-only", "--allow-ffi"];
  try {
    const child = spawn(deno, ["run", ...flags, file], {
      stdio: "ignore",
      env: { ...RESOLVER_ENV, PATH: path, NO_COLOR: "1" },
    });
    child.on("error", () => resolve(undefined));
    child.on("exit", (code) => resolve(code === null ? undefined : code === 0));
  } catch {
    resolve(undefined);
  }
  return await promise;
}
