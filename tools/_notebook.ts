/**
 * The text of a Jupyter notebook.
 * @module
 */

interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
  readonly outputs?: unknown;
}

/**
 * Writes a notebook's cells as text: a heading for each cell, its source, and what it printed.
 *
 * @param json The notebook file's text.
 * @returns The text, or `undefined` when the file is no notebook.
 */
export function notebookText(json: string): string | undefined {
  const cells = cellsOf(json);
  return cells?.map(cellText).join("\n");
}

function cellsOf(json: string): readonly Cell[] | undefined {
  try {
    const cells: unknown = (JSON.parse(json) as { cells?: unknown } | null)?.cells;
    return Array.isArray(cells)
      ? cells.filter((cell) => cell && typeof cell === "object")
      : undefined;
  } catch {
    return undefined;
  }
}

function cellText(cell: Cell, index: number): string {
  const kind = typeof cell.cell_type === "string" ? cell.cell_type : "unknown";
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(outputText) : [];
  const parts = [`## Cell ${index + 1} (${kind})`, joined(cell.source)];
  for (const text of outputs.filter((text) => text !== "")) parts.push("## Output", text);
  return parts.map((part) => part.endsWith("\n") ? part : `${part}\n`).join("");
}

function outputText(output: unknown): string {
  if (!output || typeof output !== "object") return "";
  const { text, data, ename, evalue } = output as Record<string, unknown>;
  if (text !== undefined) return joined(text);
  if (typeof ename === "string") return `${ename}: ${String(evalue ?? "")}`;
  if (!data || typeof data !== "object") return "";
  const plain = joined((data as Record<string, unknown>)["text/plain"]);
  const others = Object.keys(data).filter((type) => type !== "text/plain");
  return [plain, ...others.map((type) => `[${type} left out]`)].filter((part) => part !== "")
    .join("\n");
}

function joined(source: unknown): string {
  if (typeof source === "string") return source;
  return Array.isArray(source) ? source.filter((part) => typeof part === "string").join("") : "";
}
