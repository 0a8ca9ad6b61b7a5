/**
 * Searches files with ripgrep.
 * @module
 */
import { join, relative, sep } from "node:path";
import type { FileMatches, LineMatch } from "./_found.ts";
import { MAX_FILE_BYTES } from "./_search_own.ts";
import type { Scope, WalkOptions } from "./_walk.ts";

/** Thrown when ripgrep cannot answer; the caller then searches without it. */
export class RipgrepUnavailable extends Error {
  /** The class's name. */
  override readonly name = "RipgrepUnavailable";
}

const MOST_EXCLUSIONS = 300;

// Nothing from outside of the workspace decides: no configuration, no ignore files of folders above it.
const FLAGS = [
  "--no-config",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--no-ignore-parent",
  "--no-require-git",
  "--no-follow",
  "--no-messages",
  "--color=never",
  "--sort=path",
];

/**
 * Looks into the files of a scope.
 *
 * @param scope Where to look.
 * @param pattern The pattern in ripgrep's dialect.
 * @param context How many lines to give before and after a match.
 * @param options Signal and notes.
 * @returns The files with matches, in the order of the walk.
 * @throws {RipgrepUnavailable} If ripgrep is not there, not granted, or refuses the pattern.
 */
export async function* searchRg(
  scope: Scope,
  pattern: string,
  context: number,
  options: WalkOptions,
): AsyncGenerator<FileMatches> {
  const args = [
    "--json",
    "--crlf",
    "--no-mmap",
    `--max-filesize=${MAX_FILE_BYTES}`,
    `--context=${context}`,
    `--regexp=${pattern}`,
  ];
  const { folder, records } = run(scope, args, "\n", options);
  let file = new FileRecord();
  for await (const record of records) {
    const { type, data } = JSON.parse(record) as Message;
    if (type === "begin") file = new FileRecord();
    else if (type === "match" || type === "context") file.add(type, data);
    else if (type === "end" && data.binary_offset === null) {
      const path = textOf(data.path);
      const lines = file.matches(context);
      if (path === undefined || lines.length === 0) continue;
      const absolute = join(folder, path);
      if (absolute.startsWith(scope.root + sep)) yield { path: absolute, lines };
    }
  }
}

/**
 * Lists the files of a scope.
 *
 * @param scope Where to look.
 * @param options Signal and notes.
 * @returns The absolute paths, in the order of the walk.
 * @throws {RipgrepUnavailable} If ripgrep is not there or not granted.
 */
export async function* listRg(scope: Scope, options: WalkOptions): AsyncGenerator<string> {
  const { folder, records } = run(scope, ["--files", "--null"], "\0", options);
  for await (const record of records) {
    const path = join(folder, record);
    if (path.startsWith(scope.root + sep)) yield path;
  }
}

interface Text {
  readonly text?: string;
  readonly bytes?: string;
}

interface Data {
  readonly path: Text;
  readonly lines?: Text;
  readonly line_number?: number;
  readonly binary_offset?: number | null;
}

interface Message {
  readonly type: string;
  readonly data: Data;
}

/** The lines of one file that ripgrep gave. */
class FileRecord {
  readonly #texts = new Map<number, string>();
  readonly #matches: number[] = [];

  add(type: string, { lines, line_number: line = 0 }: Data): void {
    this.#texts.set(line, lineOf(lines ?? {}));
    if (type === "match") this.#matches.push(line);
  }

  matches(context: number): LineMatch[] {
    return this.#matches.map((line) => ({
      line,
      text: this.#texts.get(line)!,
      before: this.#range(line - context, line - 1),
      after: this.#range(line + 1, line + context),
    }));
  }

  #range(from: number, to: number): string[] {
    const texts: string[] = [];
    for (let line = from; line <= to; line++) {
      const text = this.#texts.get(line);
      if (text !== undefined) texts.push(text);
    }
    return texts;
  }
}

function lineOf({ text, bytes = "" }: Text): string {
  const line = text ?? new TextDecoder().decode(Uint8Array.fromBase64(bytes));
  return line.replace(/\r?\n$/, "").replace(/\r$/, "");
}

/** A path that is not UTF-8 cannot be named in a result. */
function textOf({ text }: Text): string | undefined {
  return text;
}

interface Running {
  readonly folder: string;
  readonly records: AsyncGenerator<string>;
}

/**
 * Without ignore files above the scope ripgrep starts there; else at the workspace, and folders beside the
 * way to the scope are left out, for it would read ignore files above the workspace otherwise.
 */
function run(scope: Scope, args: readonly string[], end: string, options: WalkOptions): Running {
  const whole = scope.above === undefined || scope.above.empty;
  const folder = whole ? scope.root : scope.path[0]!.folder;
  const exclusions = whole ? [] : exclusionsOf(scope, folder);
  const hidden = scope.hidden ? ["--hidden", "--glob=!.git"] : [];
  const all = [...FLAGS, ...hidden, ...exclusions, ...args, "--", "."];
  return { folder, records: records(start(all, folder, options.signal), end, options) };
}

function exclusionsOf({ path }: Scope, base: string): string[] {
  const exclusions = path.flatMap(({ folder, folders }) =>
    folders.map((name) => {
      const rest = relative(base, join(folder, name)).split(sep).map(escapeGlob).join("/");
      return `--glob=!/${rest}/`;
    })
  );
  if (exclusions.length > MOST_EXCLUSIONS) {
    throw new RipgrepUnavailable("Too many folders would have to be left out");
  }
  return exclusions;
}

function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}\\!#, ]/g, "\\$&");
}

function start(args: readonly string[], cwd: string, signal: AbortSignal): Deno.ChildProcess {
  try {
    return new Deno.Command("rg", {
      args: [...args],
      cwd,
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal,
    }).spawn();
  } catch (cause) {
    throw new RipgrepUnavailable("Cannot start ripgrep", { cause });
  }
}

async function* records(
  child: Deno.ChildProcess,
  end: string,
  { signal, warn }: WalkOptions,
): AsyncGenerator<string> {
  let [rest, some] = ["", false];
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + piece).split(end);
    rest = parts.pop()!;
    for (const part of parts) {
      some = true;
      yield part;
    }
  }
  const { code } = await child.status;
  signal.throwIfAborted();
  if (code < 2) return;
  if (!some) throw new RipgrepUnavailable(`Ripgrep ended with code ${code}`);
  warn("Some files could not be read");
}
