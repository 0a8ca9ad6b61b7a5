/**
 * The view of Deno's own resolver, through `deno info`.
 * @module
 */
import { type InfoOutput, runDenoInfo } from "./deno_info.ts";
import type { GraphEdges, GraphRequest, GraphView, ModuleGraph } from "./graph.ts";
import { type InfoModule, parseInfo } from "./info_json.ts";
import { fileUrlToPath, joinPath, pathToFileUrl, relativeInside } from "./paths.ts";

/** How the resolver is asked. */
export interface DenoInfoOptions {
  /** The program, by name or absolute path. @default {"deno"} */
  readonly denoCommand?: string;
  /** Milliseconds after which the program is stopped. @default {15_000} */
  readonly deadlineMs?: number;
  /** Most bytes of output that are read. @default {67_108_864} */
  readonly maxOutputBytes?: number;
  /** Asked when the program cannot be started at all. */
  readonly fallback?: ModuleGraph;
}

/** Asks `deno info` about all modules of a batch in one process. */
export class DenoInfoGraph implements ModuleGraph {
  /** Which kind of view it is. */
  readonly name = "deno-info";
  readonly #options: DenoInfoOptions;

  /**
   * Makes a graph; nothing is started yet.
   *
   * @param options How the resolver is asked.
   */
  constructor(options: DenoInfoOptions = {}) {
    this.#options = options;
  }

  /**
   * Reads several closures with one process; when that fails, halves the batch, so that one bad module does
   * not take the others along.
   *
   * @param requests The closures.
   * @returns A view for each, in their order.
   */
  read(requests: readonly GraphRequest[]): Promise<readonly GraphView[]> {
    return this.#read(requests, this.#options.deadlineMs ?? 15_000);
  }

  async #read(
    requests: readonly GraphRequest[],
    deadlineMs: number,
  ): Promise<readonly GraphView[]> {
    const first = requests[0];
    if (first === undefined) return [];
    const limits = { ...this.#options, deadlineMs };
    const output = await runDenoInfo(sourceOf(requests), first.importMap, limits);
    if (output.status === "not_started" && this.#options.fallback !== undefined) {
      return this.#options.fallback.read(requests);
    }
    if (output.status === "failed" && requests.length > 1) {
      return this.#halve(requests, Math.max(1_000, deadlineMs / 2));
    }
    return requests.map((request) => viewOf(request, output));
  }

  async #halve(
    requests: readonly GraphRequest[],
    deadlineMs: number,
  ): Promise<readonly GraphView[]> {
    const middle = Math.ceil(requests.length / 2);
    const left = await this.#read(requests.slice(0, middle), deadlineMs);
    return [...left, ...await this.#read(requests.slice(middle), deadlineMs)];
  }
}

function sourceOf(requests: readonly GraphRequest[]): string {
  return requests.map((request) => `import ${JSON.stringify(urlOf(request, request.entry))};\n`)
    .join("");
}

function urlOf(request: GraphRequest, relative: string): string {
  return pathToFileUrl(joinPath(request.root, relative));
}

function viewOf(request: GraphRequest, output: InfoOutput): GraphView {
  if (output.status !== "ok") return { ok: false, reason: output.reason, passing: true };
  const modules = modulesOf(output);
  if (modules === undefined) {
    return { ok: false, reason: "deno info printed something else than its JSON", passing: true };
  }
  return walk(request, modules);
}

const parsed = new WeakMap<InfoOutput, ReadonlyMap<string, InfoModule> | undefined>();

function modulesOf(output: InfoOutput & { status: "ok" }): ReturnType<typeof parseInfo> {
  // One output answers for a whole batch: it is parsed once.
  if (!parsed.has(output)) parsed.set(output, parseInfo(output.text));
  return parsed.get(output);
}

function walk(request: GraphRequest, modules: ReadonlyMap<string, InfoModule>): GraphView {
  const files = new Map<string, GraphEdges>();
  const queue = [request.entry];
  for (let relative = queue.pop(); relative !== undefined; relative = queue.pop()) {
    if (files.has(relative)) continue;
    const module = modules.get(urlOf(request, relative));
    if (module === undefined || module.error !== undefined) return unread(relative, module);
    const edges = edgesOf(request, module);
    files.set(relative, edges);
    queue.push(...[...edges.values()].filter((target) => target !== ""));
  }
  return { ok: true, files };
}

function unread(relative: string, module: InfoModule | undefined): GraphView {
  const detail = module?.error?.split("\n")[0] ?? "the resolver does not list it";
  return { ok: false, reason: `"${relative}": ${detail}`, passing: false };
}

function edgesOf(request: GraphRequest, module: InfoModule): GraphEdges {
  return new Map(
    module.dependencies.map(({ specifier, target }) => [specifier, localTarget(request, target)]),
  );
}

function localTarget(request: GraphRequest, target: string | undefined): string {
  const url = target === undefined ? null : URL.parse(target);
  const path = url === null ? undefined : fileUrlToPath(url);
  return path === undefined ? "" : relativeInside(request.root, path) ?? "";
}
