/**
 * Loads a tool file in this isolate and calls its handler on a folder of the test's own.
 * @module
 */
import { join, relative, resolve, sep } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { takeRegistrations } from "../../core/pending.ts";
import type { ToolRegistration } from "../../core/registration.ts";

/**
 * Imports a tool file and takes what it registers.
 *
 * @param url The file's URL; it must not have been imported before.
 * @returns The registration.
 */
export async function captureTool(url: URL): Promise<ToolRegistration> {
  const captured: ToolRegistration[] = [];
  takeRegistrations((registration) => {
    captured.push(registration);
    return { status: "registered" };
  });
  await import(url.href);
  if (captured.length !== 1) throw new Error(`"${url}" registered ${captured.length} tools`);
  return captured[0]!;
}

/**
 * A context whose workspace is a folder.
 *
 * @param workspace The folder, an absolute path.
 * @param signal Aborts the call.
 * @returns The context.
 */
export function testContext(
  workspace: string,
  signal: AbortSignal = new AbortController().signal,
): ToolContext {
  const silent = (): void => {};
  return {
    callId: "call-1",
    signal,
    config: {},
    log: { debug: silent, info: silent, warn: silent, error: silent },
    data: join(workspace, ".data"),
    workspace,
    resolve: (path) => inside(workspace, path),
    progress: silent,
    env: () => undefined,
    elicit: () => Promise.reject(new ToolError("There is nobody to ask")),
    sample: () => Promise.reject(new ToolError("There is no model")),
    listRoots: () => Promise.reject(new ToolError("There are no roots")),
  };
}

/** A folder that is removed at the end of its scope. */
export interface TemporaryFolder extends AsyncDisposable {
  /** Its real path. */
  readonly path: string;
  /** Makes files in it, with the folders they need. */
  fill(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** The names of everything in it, sorted, folders with a slash. */
  names(): Promise<string[]>;
}

/**
 * Makes a folder for a test.
 *
 * @returns The folder.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-test-" }));
  return {
    path,
    fill: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await Deno.mkdir(join(path, name, ".."), { recursive: true });
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        await Deno.writeFile(join(path, name), bytes);
      }
    },
    names: async () => (await namesIn(path, "")).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

async function namesIn(root: string, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(join(root, prefix))) {
    const name = prefix + entry.name;
    if (entry.isDirectory) names.push(`${name}/`, ...await namesIn(root, `${name}/`));
    else names.push(name);
  }
  return names;
}

function inside(workspace: string, path: string): string {
  const absolute = resolve(workspace, path);
  const rest = relative(workspace, absolute);
  if (rest === ".." || rest.startsWith(`..${sep}`)) {
    throw new ToolError(`"${path}" leaves the workspace`);
  }
  return absolute;
}
