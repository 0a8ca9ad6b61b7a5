/**
 * P13: results of a size, through a cell with sealed frames.
 * @module
 */
import type { BenchRow, Part } from "../harness/row.ts";
import { type OpenRuntime, openRuntime } from "../harness/runtime.ts";
import { compare } from "../harness/sample.ts";
import { startFramePeer } from "../peers/bare_frames.ts";

const SIZES = [
  { name: "10 KB", chars: 10_000, limit: 2, perTurn: 60 },
  { name: "1 MB", chars: 1_000_000, limit: 3, perTurn: 6 },
] as const;

async function measure(opened: OpenRuntime, size: typeof SIZES[number]): Promise<Part> {
  const { name, chars, limit, perTurn } = size;
  await using peer = startFramePeer(chars);
  const call = async () => {
    const content = await opened.call("records", { chars });
    if (content.length < chars) throw new Error(`The result has ${content.length} characters`);
  };
  const samples = await compare(call, () => peer.ask(), { perTurn, warmUp: perTurn * 2 });
  return { name, unit: "ms", ...samples, target: { kind: "at most", limit } };
}

/** The row. */
export const row: BenchRow = {
  id: "P13",
  title: "results of 10 KB and 1 MB through a cell, sealed",
  peer: "bare socket frames of that size, JSON parsed",
  async run() {
    await using opened = await openRuntime();
    const parts: Part[] = [];
    for (const size of SIZES) parts.push(await measure(opened, size));
    return parts;
  },
};
