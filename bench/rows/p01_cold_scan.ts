/**
 * P1: a scan that knows nothing beforehand.
 * @module
 */
import { discoverInProcess, runReferenceScan } from "../harness/discovery.ts";
import { needProgram } from "../harness/processes.ts";
import type { BenchRow } from "../harness/row.ts";
import { compare } from "../harness/sample.ts";
import { tempFolder } from "../harness/temp.ts";
import { writeToolFiles } from "../harness/tool_files.ts";

const FILES = 80;

/** The row. */
export const row: BenchRow = {
  id: "P1",
  title: `cold scan of ${FILES} tool files of about 200 lines, whole process`,
  peer: `the reference rule with Python's ast, ${FILES} equivalent files, whole process`,
  async run() {
    await needProgram("python3", "python3 is not there");
    await using folder = await tempFolder();
    const [tools, python] = [`${folder.path}/tools`, `${folder.path}/python`];
    await writeToolFiles(tools, FILES, "typescript");
    await writeToolFiles(python, FILES, "python");
    let caches = 0;
    const samples = await compare(
      () => discoverInProcess(tools, `${folder.path}/cache_${caches++}`, FILES),
      () => runReferenceScan(python, FILES),
      { turns: 5, perTurn: 1, warmUp: 1 },
    );
    return [{ name: "", unit: "ms", ...samples, target: { kind: "at most", limit: 1.2 } }];
  },
};
