/**
 * P4: what a lookup in the table costs.
 * @module
 */
import { ToolRegistry } from "../../mod.ts";
import { makeRegistrations } from "../harness/registrations.ts";
import type { BenchRow } from "../harness/row.ts";
import { compareLoops } from "../harness/sample.ts";

const TOOLS = 1_000;

/** The row. */
export const row: BenchRow = {
  id: "P4",
  title: "snapshot.get(name), 1,000 tools",
  peer: "bare Map.get",
  run() {
    const registry = new ToolRegistry();
    registry.update((draft) => {
      for (const registration of makeRegistrations(TOOLS)) draft.register(registration);
    });
    const snapshot = registry.snapshot();
    const map = new Map(snapshot.entries().map((entry) => [entry.name, entry]));
    const names = [...snapshot.names()];
    // A tenth of the names is unknown, as with a model that guesses.
    for (let index = 0; index < names.length; index += 10) names[index] = `none_${index}`;
    const samples = compareLoops(
      (times) => {
        let found = 0;
        for (let index = 0; index < times; index++) {
          if (snapshot.get(names[index % TOOLS]!) !== undefined) found++;
        }
        return found;
      },
      (times) => {
        let found = 0;
        for (let index = 0; index < times; index++) {
          if (map.get(names[index % TOOLS]!) !== undefined) found++;
        }
        return found;
      },
      { times: 200_000 },
    );
    const target = { kind: "at most", limit: 1.5 } as const;
    return Promise.resolve([{ name: "", unit: "ms", ...samples, target }]);
  },
};
