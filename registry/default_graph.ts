/**
 * Which second view this process can have.
 * @module
 */
import type { GraphRequest, GraphView, ModuleGraph } from "./graph.ts";

/**
 * Chooses the second view: Deno's resolver where `deno` may be started, else the lexer. Neither is loaded
 * before it is asked.
 *
 * @param denoCommand The program, by name or absolute path.
 * @returns The view.
 */
export function defaultGraph(denoCommand: string): ModuleGraph {
  const { state } = Deno.permissions.querySync({ name: "run", command: denoCommand });
  return state === "granted"
    ? new LazyGraph("deno-info", () => loadDenoInfo(denoCommand))
    : new LazyGraph("lexer", loadLexer);
}

class LazyGraph implements ModuleGraph {
  readonly name: string;
  readonly #load: () => Promise<ModuleGraph>;

  constructor(name: string, load: () => Promise<ModuleGraph>) {
    this.name = name;
    this.#load = load;
  }

  async prepare(): Promise<void> {
    await (await this.#load()).prepare?.();
  }

  async read(requests: readonly GraphRequest[]): Promise<readonly GraphView[]> {
    if (requests.length === 0) return [];
    return (await this.#load()).read(requests);
  }
}

async function loadDenoInfo(denoCommand: string): Promise<ModuleGraph> {
  const { DenoInfoGraph } = await import("./deno_info_graph.ts");
  return new DenoInfoGraph({ denoCommand, fallback: new LazyGraph("lexer", loadLexer) });
}

async function loadLexer(): Promise<ModuleGraph> {
  const { LexerGraph } = await import("./lexer_graph.ts");
  return new LexerGraph();
}
