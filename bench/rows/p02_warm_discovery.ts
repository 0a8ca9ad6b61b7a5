/**
 * P2: a discovery that finds everything in its manifest.
 * @module
 */
import { discoverInProcess, discoverWarm, runReferenceScan } from "../harness/discovery.ts";
import { needProgram, runToEnd } from "../harness/processes.ts";
import type { BenchRow } from "../harness/row.ts";
import { compare } from "../harness/sample.ts";
import { projectPath, tempFolder } from "../harness/temp.ts";
import { writeToolFiles } from "../harness/tool_files.ts";

const FILES = 80;

function startNothing(): Promise<string> {
  const args = ["run", "-A", "--quiet", projectPath("bench/peers/empty.ts")];
  return runToEnd({ program: Deno.execPath(), args });
}

/** The row. */
export const row: BenchRow = {
  id: "P2",
  title: `warm discovery of ${FILES} files, whole process`,
  peer: "the reference rule of P1, whole process",
  async run() {
    await needProgram("python3", "python3 is not there");
    await using folder = await tempFolder();
    const [tools, python] = [`${folder.path}/tools`, `${folder.path}/python`];
    await writeToolFiles(tools, FILES, "typescript");
    await writeToolFiles(python, FILES, "python");
    const cache = `${folder.path}/cache`;
    await discoverInProcess(tools, cache, FILES);
    const ours = () => discoverWarm(tools, cache, FILES);
    const often = { turns: 5, perTurn: 2, warmUp: 1 };
    const samples = await compare(ours, () => runReferenceScan(python, FILES), often);
    const floor = await compare(ours, startNothing, often);
    return [
      { name: "", unit: "ms", ...samples, target: { kind: "at most", limit: 0.15 } },
      { name: "to `deno run` of an empty file", unit: "ms", ...floor },
    ];
  },
};
