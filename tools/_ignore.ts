/**
 * Ignore files, read as ripgrep reads them: `.rgignore` before `.ignore` before `.gitignore`, in each kind
 * the deepest folder first, the last matching line of a file decides.
 * @module
 */
import { join } from "node:path";

/** What the ignore files say of a path. */
export type Verdict = "ignored" | "kept" | "unsaid";

/** The kinds of ignore files, the one that decides first in front. */
const KINDS = [".rgignore", ".ignore", ".gitignore"] as const;

/** A line of an ignore file. */
export interface Rule {
  /** Matches paths relative to the folder of the file. */
  readonly regexp: RegExp;
  /** Whether it keeps what an earlier line ignores. */
  readonly negated: boolean;
  /** Whether it speaks of folders only. */
  readonly foldersOnly: boolean;
}

/** The ignore files of a folder and of the folders above it. */
export class IgnoreFiles {
  readonly #folder: string;
  readonly #above: IgnoreFiles | undefined;
  readonly #rules: readonly (readonly Rule[])[];
  readonly #repository: boolean;

  /**
   * Holds rules that have been read; {@linkcode IgnoreFiles.read} makes one.
   *
   * @param folder The folder.
   * @param above The ignore files of the folder above.
   * @param rules The folder's own rules, by kind.
   * @param repository Whether a repository begins here.
   */
  constructor(
    folder: string,
    above: IgnoreFiles | undefined,
    rules: readonly (readonly Rule[])[],
    repository: boolean,
  ) {
    this.#folder = folder;
    this.#above = above;
    this.#rules = rules;
    this.#repository = repository;
  }

  /**
   * Reads a folder's ignore files.
   *
   * @param folder The folder, an absolute path.
   * @param names The names in it.
   * @param above The ignore files of the folder above.
   * @returns The rules that hold in the folder.
   */
  static async read(
    folder: string,
    names: ReadonlySet<string>,
    above: IgnoreFiles | undefined,
  ): Promise<IgnoreFiles> {
    const rules = await Promise.all(
      KINDS.map((kind) => names.has(kind) ? readRules(join(folder, kind)) : []),
    );
    return new IgnoreFiles(folder, above, rules, names.has(".git"));
  }

  /** Whether any rule holds here. */
  get empty(): boolean {
    return this.#rules.every((rules) => rules.length === 0) && (this.#above?.empty ?? true);
  }

  /**
   * What is to become of a path.
   *
   * @param path An absolute path in this folder.
   * @param isFolder Whether it is a folder.
   * @returns What the first rule says that decides.
   */
  verdict(path: string, isFolder: boolean): Verdict {
    for (let kind = 0; kind < KINDS.length; kind++) {
      const verdict = this.#verdictOf(kind, path, isFolder);
      if (verdict !== "unsaid") return verdict;
    }
    return "unsaid";
  }

  #verdictOf(kind: number, path: string, isFolder: boolean): Verdict {
    const relative = path.slice(this.#folder.length + 1).replaceAll("\\", "/");
    const rule = this.#rules[kind]!.findLast(({ regexp, foldersOnly }) =>
      (isFolder || !foldersOnly) && regexp.test(relative)
    );
    if (rule) return rule.negated ? "kept" : "ignored";
    // Another repository does not know the .gitignore files of the one around it.
    if (this.#repository && KINDS[kind] === ".gitignore") return "unsaid";
    return this.#above ? this.#above.#verdictOf(kind, path, isFolder) : "unsaid";
  }
}

async function readRules(path: string): Promise<Rule[]> {
  try {
    if (!(await Deno.lstat(path)).isFile) return [];
    const text = (await Deno.readTextFile(path)).replace(/^\uFEFF/, "");
    return text.split(/\r?\n/).map(ruleOf).filter((rule) => rule !== undefined);
  } catch {
    // An ignore file that cannot be read ignores nothing, as with ripgrep.
    return [];
  }
}

function ruleOf(line: string): Rule | undefined {
  if (line.startsWith("#")) return;
  let glob = line.replace(/(?<!\\)\s+$/, "");
  const negated = glob.startsWith("!");
  if (negated) glob = glob.slice(1);
  const foldersOnly = glob.endsWith("/");
  if (foldersOnly) glob = glob.slice(0, -1);
  const anchored = glob.includes("/");
  glob = glob.replace(/^\//, "");
  if (glob === "") return;
  const source = (anchored || glob.startsWith("**/") ? "" : "(?:.*/)?") + globSource(glob);
  try {
    return { regexp: new RegExp(`^${source}$`, "sv"), negated, foldersOnly };
  } catch {
    // A line that is no glob is skipped, as with ripgrep.
    return;
  }
}

const GLOB_PARTS = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[[!^]?\]?(?:\\.|[^\]\\])*\]|\\.|[^]/gu;

function globSource(glob: string): string {
  return glob.replace(GLOB_PARTS, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "/**/") return "/(?:.*/)?";
    if (part === "/**") return "/.+";
    if (part.startsWith("*")) return "[^\\/]*";
    if (part === "?") return "[^\\/]";
    if (part.length > 2 && part.startsWith("[")) return classSource(part);
    return literalSource(part.length > 1 && part.startsWith("\\") ? part.slice(1) : part);
  });
}

function classSource(part: string): string {
  const [, negated, inside] = /^\[([!^]?)([^]*)\]$/u.exec(part)!;
  const plain = inside!.replace(/\\(.)/gu, "$1");
  const escaped = plain.replace(/[\]\\[^&~|(){}/]|^-|-$/gu, "\\$&");
  return `(?!/)[${negated ? "^" : ""}${escaped}]`;
}

function literalSource(char: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}
