/**
 * Runs one row once and writes what came of it to a file, so that rows do not warm or clutter each other's
 * heap and the end of one is not the end of all.
 *
 * Arguments: the row's module, the file, `short` when it is to measure less.
 * @module
 */
import { type BenchRow, type RunOptions, type RunOutcome, SkipRow } from "./row.ts";

async function outcomeOf(row: BenchRow, options: RunOptions): Promise<RunOutcome> {
  const { id, title, peer } = row;
  try {
    return { id, title, peer, parts: await row.run(options) };
  } catch (error) {
    if (error instanceof SkipRow) return { id, title, peer, skipped: error.message };
    return { id, title, peer, failed: (error as Error).stack ?? String(error) };
  }
}

const [module = "", file = "", size = ""] = Deno.args;
const { row } = await import(module) as { readonly row: BenchRow };
await Deno.writeTextFile(file, JSON.stringify(await outcomeOf(row, { short: size === "short" })));
Deno.exit(0);
