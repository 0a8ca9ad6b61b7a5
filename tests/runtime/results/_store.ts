/** What the tests of results share. */
import { join } from "node:path";
import { SpillStore } from "../../../runtime/spill.ts";

/** Runs work with a store in a folder of its own. */
export async function withStore(work: (store: SpillStore) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "cloister-results-" });
  try {
    await work(new SpillStore(join(dir, "spill")));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}
