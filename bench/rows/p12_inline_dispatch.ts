/**
 * P12: dispatch of a tool that the program links statically, arguments checked.
 * @module
 */
import { z } from "zod";
import { toolResult } from "../../mod.ts";
import type { BenchRow } from "../harness/row.ts";
import { openRuntime } from "../harness/runtime.ts";
import { compare } from "../harness/sample.ts";
import { startMcpMemory } from "../peers/mcp_memory.ts";

/** The row. */
export const row: BenchRow = {
  id: "P12",
  title: "dispatch of an inline tool with validation",
  peer: "MCP SDK in-memory tools/call",
  async run() {
    await using opened = await openRuntime({ roots: [] });
    await using peer = await startMcpMemory(1);
    opened.runtime.registry.register({
      name: "tool_0",
      toolset: "bench",
      description: "Gives the text back.",
      schema: z.object({ text: z.string(), count: z.number().int().min(0).max(1000) }),
      handler: ({ text, count }) => toolResult({ text, count }),
    });
    const expected = `{"text":"x","count":3}`;
    const expect = (text: string): void => {
      if (text !== expected) throw new Error(`The call came back as ${text}`);
    };
    const samples = await compare(
      async () => expect(await opened.call("tool_0", { text: "x", count: 3 })),
      async () => expect(await peer.call("x", 3)),
      { perTurn: 300, warmUp: 1_000 },
    );
    return [{ name: "", unit: "ms", ...samples, target: { kind: "at most", limit: 0.5 } }];
  },
};
