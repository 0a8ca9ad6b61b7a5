/**
 * Starts the front over a folder of many tools, and looks at it from outside while it works.
 * @module
 */
import type { TableFigures } from "../subjects/table_size.ts";
import { type Peaks, runToEnd, watchPeaks } from "./processes.ts";
import { type TableVariant, writeTable } from "./table_files.ts";
import { projectPath } from "./temp.ts";

/** A table that was used. */
export interface MeasuredTable extends TableFigures, Peaks {
  /** What its files have. */
  readonly variant: TableVariant;
  /** How many tools it has. */
  readonly count: number;
}

/**
 * Writes the files, has them discovered by a process that ends, and lists and calls the tools in another one: what is
 * seen of its memory is that of tools at work, and not of a parser.
 *
 * @param folder For tool files and cache.
 * @param variant What the files have.
 * @param count How many tools.
 * @returns What came of it.
 * @throws {Error} If the front ends before it is done; the message holds its standard error.
 */
export async function measureTable(
  folder: string,
  variant: TableVariant,
  count: number,
): Promise<MeasuredTable> {
  const root = `${folder}/${variant}_${count}`;
  await writeTable(root, variant, count);
  const line = (tools: number) => [
    ...["run", "-A", "--quiet", "--no-prompt", projectPath("bench/subjects/table_size.ts")],
    ...[root, `${root}_cache`, variant, String(tools)],
  ];
  await runToEnd({ program: Deno.execPath(), args: line(0) });
  const child = new Deno.Command(Deno.execPath(), {
    args: line(count),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const problems = new Response(child.stderr).text();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let peaks: (() => Peaks) | undefined;
  try {
    let text = "";
    for (;;) {
      const { done, value } = await lines.read();
      if (done) throw new Error(`The front over ${count} tools ended early: ${await problems}`);
      peaks ??= watchPeaks(child.pid);
      text += value;
      const [, figures] = /\n(.*)\n/.exec(text) ?? [];
      if (figures !== undefined) return { variant, count, ...JSON.parse(figures), ...peaks() };
    }
  } finally {
    peaks?.();
    await child.stdin.close().catch(() => {});
    await child.status;
    await lines.cancel();
  }
}
