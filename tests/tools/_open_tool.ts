/**
 * Runs a built-in tool as it will be run: in a worker that holds only the grants it declares.
 * @module
 */
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolRegistration } from "../../core/registration.ts";

/** The grants of the worker, in Deno's own spelling. */
export interface WorkerGrants {
  /** Absolute paths. */
  readonly read?: readonly string[];
  /** `host:port`. */
  readonly net?: readonly string[];
  /** Names. */
  readonly env?: readonly string[];
  /** Absolute paths. */
  readonly run?: readonly string[];
}

/** What a call came to. */
export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly name: string; readonly message: string } };

/** A tool in its worker. */
export interface OpenTool extends Disposable {
  /** What it registered, without the handler. */
  readonly declaration: Omit<ToolRegistration, "handler">;
  /** Makes a call; `signal` is carried into the worker. */
  call(args: object, signal?: AbortSignal): Promise<Answer>;
}

/**
 * Finds a program on the PATH, as it is spelled there.
 *
 * @param name The program's name.
 * @returns Its absolute path, or `undefined`.
 */
export function onPath(name: string): string | undefined {
  for (const folder of (Deno.env.get("PATH") ?? "").split(delimiter)) {
    try {
      if (Deno.statSync(join(folder, name)).isFile) return join(folder, name);
    } catch {
      continue;
    }
  }
  return undefined;
}

/**
 * Loads `tools/<name>.ts` in a worker.
 *
 * @param name The file's name without its ending.
 * @param grants What the worker may touch beside the tool's own files.
 * @param workspace The workspace folder.
 * @returns The loaded tool.
 */
export async function openTool(
  name: string,
  grants: WorkerGrants,
  workspace: string,
): Promise<OpenTool> {
  const folder = new URL("../../tools/", import.meta.url);
  const { read = [], net = [], env = [], run = [] } = grants;
  const permissions = {
    read: [fileURLToPath(folder), ...read],
    net,
    env,
    run,
    write: false,
    sys: false,
    ffi: false,
    import: false,
  };
  const worker = new Worker(
    new URL("./_tool_worker.ts", import.meta.url),
    { type: "module", deno: { permissions } } as WorkerOptions,
  );
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  const ready = Promise.withResolvers<OpenTool["declaration"]>();
  worker.onerror = (event) => {
    event.preventDefault();
    ready.reject(new Error(event.message));
    for (const { reject } of waiting.values()) reject(new Error(event.message));
  };
  worker.onmessage = ({ data }) => {
    if (data.type === "ready") ready.resolve(data.declaration);
    else if (data.type === "failed") ready.reject(new Error(data.message));
    else waiting.get(data.id)?.resolve(data);
  };
  worker.postMessage({ type: "load", url: new URL(`${name}.ts`, folder).href, workspace });
  let calls = 0;
  return {
    declaration: await ready.promise,
    call(args, signal) {
      const id = calls++;
      const answer = Promise.withResolvers<Answer>();
      waiting.set(id, answer);
      worker.postMessage({ type: "call", id, args });
      signal?.addEventListener("abort", () => worker.postMessage({ type: "abort", id }));
      return answer.promise;
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}
