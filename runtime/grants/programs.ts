/**
 * Finding programs.
 * @module
 */
import { delimiter, isAbsolute, join, resolve } from "../paths.ts";

/**
 * Where a program is. A grant needs both answers: Deno compares the path that a name is found under
 * without following links (measured on 2.9.6), so `sh` is not the `/usr/bin/dash` behind it.
 *
 * @param program A name or an absolute path.
 * @param path The `PATH` to look in.
 * @returns The path where it is found and its real path, without repeats; empty when it is not installed.
 */
export function findProgram(program: string, path: string | undefined): readonly string[] {
  const candidates = isAbsolute(program)
    ? [resolve(program)]
    : [...new Set((path ?? "").split(delimiter))].filter(isAbsolute).flatMap((folder) =>
      withExtensions(join(folder, program))
    );
  const found = candidates.find(isProgram);
  return found === undefined ? [] : [...new Set([found, Deno.realPathSync(found)])];
}

function withExtensions(file: string): string[] {
  return Deno.build.os === "windows" ? [file, `${file}.exe`, `${file}.cmd`, `${file}.bat`] : [file];
}

// By its mode: asking whether this very user may run it would need a grant for user ids.
function isProgram(file: string): boolean {
  try {
    const info = Deno.statSync(file);
    return info.isFile && (Deno.build.os === "windows" || ((info.mode ?? 0) & 0o111) !== 0);
  } catch {
    return false;
  }
}
