/**
 * P5: the list of definitions while the table does not change.
 * @module
 */
import { makeRegistrations } from "../harness/registrations.ts";
import type { BenchRow } from "../harness/row.ts";
import { openRuntime } from "../harness/runtime.ts";
import { compare } from "../harness/sample.ts";
import { startMcpMemory } from "../peers/mcp_memory.ts";

const TOOLS = 100;

function expect(count: number): void {
  if (count !== TOOLS) throw new Error(`Expected ${TOOLS} definitions, got ${count}`);
}

/** The row. */
export const row: BenchRow = {
  id: "P5",
  title: `getDefinitions of ${TOOLS} tools, unchanged generation`,
  peer: "MCP SDK tools/list in memory",
  async run() {
    await using opened = await openRuntime({ roots: [] });
    await using peer = await startMcpMemory(TOOLS);
    const { runtime } = opened;
    runtime.registry.update((draft) => {
      for (const registration of makeRegistrations(TOOLS)) draft.register(registration);
    });
    const samples = await compare(
      async () => expect((await runtime.getDefinitions({}, { dialect: "mcp" })).tools.length),
      async () => expect(await peer.list()),
      { perTurn: 20, warmUp: 30 },
    );
    return [{ name: "", unit: "ms", ...samples, target: { kind: "at most", limit: 0.02 } }];
  },
};
