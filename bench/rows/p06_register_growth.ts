/**
 * P6: single registrations must not grow quadratically.
 * @module
 */
import { ToolRegistry } from "../../mod.ts";
import { makeRegistrations, type PlainRegistration } from "../harness/registrations.ts";
import type { BenchRow } from "../harness/row.ts";
import { compare } from "../harness/sample.ts";

function registerAll(registrations: readonly PlainRegistration[]): number {
  const registry = new ToolRegistry();
  for (const registration of registrations) registry.register(registration);
  if (registry.snapshot().size !== registrations.length) {
    throw new Error(`The table has ${registry.snapshot().size} tools`);
  }
  return registry.generation;
}

/** The row. */
export const row: BenchRow = {
  id: "P6",
  title: "10,000 single register calls into one table",
  peer: "1,000 of them",
  async run() {
    const many = makeRegistrations(10_000);
    const few = many.slice(0, 1_000);
    const samples = await compare(() => registerAll(many), () => registerAll(few), {
      turns: 5,
      perTurn: 1,
      warmUp: 2,
    });
    return [{ name: "", unit: "ms", ...samples, target: { kind: "at most", limit: 15 } }];
  },
};
