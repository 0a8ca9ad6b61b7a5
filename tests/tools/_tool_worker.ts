/**
 * The inside of {@linkcode openTool}: loads one tool file by a computed import, under the worker's own
 * grants, and answers calls.
 * @module
 */
import { resolve as resolvePath, sep } from "node:path";
// Part of this graph, so that the tool finds it without a grant to read core/.
import "../../core/tool.ts";
import { takeRegistrations } from "../../core/pending.ts";
import type { ToolRegistration } from "../../core/registration.ts";
import type { ToolContext } from "../../core/context.ts";

interface Setup {
  readonly url: string;
  readonly workspace: string;
}

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
};
let registration: ToolRegistration | undefined;
let workspace = "";
const aborts = new Map<number, AbortController>();

function insideWorkspace(path: string): string {
  const full = resolvePath(workspace, path);
  if (full !== workspace && !full.startsWith(workspace + sep)) {
    throw new Error(`"${path}" leaves the workspace`);
  }
  return full;
}

function makeContext(signal: AbortSignal): ToolContext {
  const quiet = (): void => {};
  return {
    callId: "test",
    signal,
    config: {},
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    data: "",
    workspace,
    resolve: insideWorkspace,
    progress: quiet,
    env: (name) => Deno.env.get(name),
    elicit: () => Promise.reject(new Error("There is nobody to ask")),
    sample: () => Promise.reject(new Error("There is no model")),
    listRoots: () => Promise.reject(new Error("There are no roots")),
  };
}

async function load({ url, workspace: folder }: Setup): Promise<void> {
  workspace = folder;
  takeRegistrations((next) => {
    registration = next;
    return { status: "registered" };
  });
  await import(url);
  const { handler: _handler, ...declaration } = registration!;
  scope.postMessage({ type: "ready", declaration });
}

async function call(id: number, args: unknown): Promise<void> {
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const value = await registration!.handler(args as never, makeContext(abort.signal));
    scope.postMessage({ type: "answer", id, ok: true, value });
  } catch (error) {
    const { name, message } = error as Error;
    scope.postMessage({ type: "answer", id, ok: false, error: { name, message } });
  }
}

scope.onmessage = ({ data }) => {
  if (data.type === "load") {
    load(data).catch((error) =>
      scope.postMessage({ type: "failed", message: (error as Error).message })
    );
  } else if (data.type === "abort") aborts.get(data.id)?.abort();
  else call(data.id, data.args);
};
