/**
 * The view of es-module-lexer: for places where no process may be started.
 * @module
 */
import { type Import, init, parse } from "es-module-lexer";
import type { GraphEdges, GraphRequest, GraphView, ModuleGraph } from "./graph.ts";
import { resolveSpecifier } from "./resolve.ts";
import { scanImports } from "./scan.ts";

/** Reads imports with es-module-lexer; where the lexer throws, the syntax tree answers. */
export class LexerGraph implements ModuleGraph {
  /** Which kind of view it is. */
  readonly name = "lexer";

  /**
   * Reads several closures.
   *
   * @param requests The closures.
   * @returns A view for each, in their order.
   */
  async read(requests: readonly GraphRequest[]): Promise<readonly GraphView[]> {
    await init();
    return Promise.all(requests.map(readClosure));
  }
}

async function readClosure(request: GraphRequest): Promise<GraphView> {
  const files = new Map<string, GraphEdges>();
  const queue = [request.entry];
  for (let relative = queue.pop(); relative !== undefined; relative = queue.pop()) {
    if (files.has(relative)) continue;
    const bytes = request.files.get(relative);
    if (bytes === undefined) return { ok: false, reason: `no "${relative}"`, passing: false };
    const edges = await edgesOf(request, relative, bytes);
    files.set(relative, edges);
    queue.push(...[...edges.values()].filter((target) => target !== ""));
  }
  return { ok: true, files };
}

async function edgesOf(
  request: GraphRequest,
  relative: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<GraphEdges> {
  if (relative.endsWith(".json")) return new Map();
  const specifiers = lexSpecifiers(bytes) ?? await treeSpecifiers(request, relative, bytes);
  const context = { root: request.root, from: relative, importMap: request.importMap };
  return new Map(specifiers.map((specifier) => {
    const resolution = resolveSpecifier(specifier, context);
    return [specifier, resolution.kind === "local" ? resolution.relative : ""];
  }));
}

function lexSpecifiers(bytes: Uint8Array): string[] | undefined {
  try {
    const [imports] = parse(new TextDecoder().decode(bytes));
    return imports.filter(runs).map((found) => found.specifier)
      .filter((specifier) => typeof specifier === "string");
  } catch {
    return undefined;
  }
}

function runs(found: Import): boolean {
  if ("typeOnly" in found && found.typeOnly) return false;
  return !("probablyTypeOnly" in found && found.probablyTypeOnly);
}

async function treeSpecifiers(
  request: GraphRequest,
  relative: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string[]> {
  const { imports } = await scanImports({ path: `${request.root}/${relative}`, bytes });
  return imports.filter((found) => found.kind !== "type").map((found) => found.specifier);
}
