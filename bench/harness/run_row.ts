/**
 * Runs one row once and writes what came of it to a file, so that rows do not warm or clutter each other's
 * heap and the end of one is not the end of all.
 *
 * Arguments: the row's module, the file.
 * @module
 */
import { type BenchRow, type RunOutcome, SkipRow } from "./row.ts";

async function outcomeOf(row: BenchRow): Promise<RunOutcome> {
  const { id, title, peer } = row;
  try {
    return { id, title, peer, parts: await row.run() };
  } catch (error) {
    if (error instanceof SkipRow) return { id, title, peer, skipped: error.message };
    return { id, title, peer, failed: (error as Error).stack ?? String(error) };
  }
}

const [module = "", file = ""] = Deno.args;
const { row } = await import(module) as { readonly row: BenchRow };
await Deno.writeTextFile(file, JSON.stringify(await outcomeOf(row)));
Deno.exit(0);
