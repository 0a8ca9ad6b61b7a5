/**
 * P3: warm discovery must not grow faster than the number of files.
 * @module
 */
import { discoverInProcess, discoverWarm } from "../harness/discovery.ts";
import type { BenchRow } from "../harness/row.ts";
import { tempFolder } from "../harness/temp.ts";
import { writeToolFiles } from "../harness/tool_files.ts";

const FEW = 80;
const MANY = 1_000;

/** The row. */
export const row: BenchRow = {
  id: "P3",
  title: `discovery of ${MANY} files, warm, without the start of the process`,
  peer: `${FEW} files`,
  async run() {
    await using folder = await tempFolder();
    const toolsOf = (count: number) => `${folder.path}/tools_${count}`;
    const cacheOf = (count: number) => `${folder.path}/cache_${count}`;
    for (const count of [FEW, MANY]) {
      await writeToolFiles(toolsOf(count), count, "typescript");
      await discoverInProcess(toolsOf(count), cacheOf(count), count);
    }
    const durationOf = async (count: number) =>
      (await discoverWarm(toolsOf(count), cacheOf(count), count)).durationMs;
    const ours: number[] = [];
    const peer: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      ours.push(await durationOf(MANY));
      peer.push(await durationOf(FEW));
    }
    return [
      { name: "", unit: "ms", ours, peer, target: { kind: "at most", limit: MANY / FEW } },
    ];
  },
};
