/**
 * P16: how long a person waits for the list of tools.
 * @module
 */
import { runToEnd } from "../harness/processes.ts";
import type { BenchRow } from "../harness/row.ts";
import { compare } from "../harness/sample.ts";
import { projectPath, tempFolder } from "../harness/temp.ts";

/** The row. */
export const row: BenchRow = {
  id: "P16",
  title: "cli list, warm, whole process",
  peer: "deno run of an empty file",
  async run() {
    await using folder = await tempFolder();
    const flags = ["run", "-A", "--quiet", "--no-prompt"];
    const list = async () => {
      const text = await runToEnd({
        program: "env",
        args: [
          `CLOISTER_CACHE=${folder.path}/cache`,
          Deno.execPath(),
          ...flags,
          projectPath("cli/main.ts"),
          "list",
          "--root",
          projectPath("bench/tools"),
          "--json",
        ],
        cwd: folder.path,
      });
      const names: string[] = JSON.parse(text).tools.map((tool: { name: string }) => tool.name);
      if (!names.includes("echo")) throw new Error(`The list has only ${names.join(", ")}`);
    };
    const empty = () =>
      runToEnd({
        program: Deno.execPath(),
        args: [...flags, projectPath("bench/peers/empty.ts")],
        cwd: folder.path,
      });
    const samples = await compare(list, empty, { turns: 5, perTurn: 2, warmUp: 2 });
    return [{ name: "", unit: "ms", ...samples, target: { kind: "at most", limit: 4 } }];
  },
};
