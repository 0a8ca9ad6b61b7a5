/**
 * Copies of the echo tool, each in a file of its own and so with a worker of its own.
 * @module
 */
import { projectPath } from "./temp.ts";

/**
 * Writes copies of the echo tool.
 *
 * @param folder The folder; is made.
 * @param count How many.
 * @param original The tool's file. @default {"bench/tools/echo.ts"}
 * @returns Their names.
 */
export async function writeEchoCopies(
  folder: string,
  count: number,
  original = "bench/tools/echo.ts",
): Promise<string[]> {
  await Deno.mkdir(folder, { recursive: true });
  const source = await Deno.readTextFile(projectPath(original));
  const names = Array.from({ length: count }, (_, index) => `echo_${index}`);
  for (const name of names) {
    await Deno.writeTextFile(`${folder}/${name}.ts`, source.replace(`"echo"`, `"${name}"`));
  }
  return names;
}
