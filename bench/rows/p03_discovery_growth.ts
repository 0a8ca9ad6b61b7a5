/**
 * P3: warm discovery must not grow faster than the number of files.
 * @module
 */
import { discoverInProcess } from "../harness/discovery.ts";
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
    const durationOf = async (count: number) => {
      const [tools, cache] = [`${folder.path}/tools_${count}`, `${folder.path}/cache_${count}`];
      return (await discoverInProcess(tools, cache, count)).durationMs;
    };
    for (const count of [FEW, MANY]) {
      await writeToolFiles(`${folder.path}/tools_${count}`, count, "typescript");
      await durationOf(count);
    }
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
