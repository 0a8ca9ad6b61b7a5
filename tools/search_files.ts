/**
 * The tool `search_files`: finds files by content or by name.
 * @module
 */
import {
  type JsonObject,
  registry,
  type ToolContext,
  ToolError,
  toolResult,
} from "@cloister/cloister/tool";
import { relative, sep } from "node:path";
import { type FileMatches, type PageRequest, Tally } from "./_found.ts";
import { type Pattern, readPattern } from "./_pattern.ts";
import { type Query, searchFile, searchOwn } from "./_search_own.ts";
import { listRg, RipgrepUnavailable, searchRg } from "./_search_rg.ts";
import { type Scope, scopeOf, walk, type WalkOptions } from "./_walk.ts";
import { displayName, missing, type Place, placeOf, regularFile } from "./_workspace.ts";

registry.register({
  name: "search_files",
  title: "Search files",
  toolset: "file",
  description:
    'Search the workspace. Target "content": lines that match a regular expression (ripgrep syntax; a ' +
    "match lies within one line; (?i) in front ignores case; look-around and back-references work too). " +
    'Target "files": files whose name matches a glob such as *.ts or src/**/*.test.ts. Hidden and binary ' +
    "files, links and what ignore files name are left out; a path given as such is searched all the same, " +
    "and a glob with a name that begins with a dot sees hidden files. Sorted by path.",
  emoji: "🔎",
  schema: {
    type: "object",
    properties: {
      pattern: {
        type: "string",
        minLength: 1,
        description: "Regular expression, or glob for files.",
      },
      target: { type: "string", enum: ["content", "files"], default: "content" },
      path: { type: "string", default: ".", description: "Folder or file to search." },
      file_glob: {
        type: "string",
        description:
          "Only look into files that match; without a slash the name counts, at any depth.",
      },
      limit: { type: "integer", minimum: 1, maximum: 1000, default: 50 },
      offset: { type: "integer", minimum: 0, default: 0, description: "Results to skip." },
      output_mode: {
        type: "string",
        enum: ["content", "files_only", "count"],
        default: "content",
        description: "Matching lines, names of files, or how many lines match in each file.",
      },
      context: {
        type: "integer",
        minimum: 0,
        maximum: 20,
        default: 0,
        description: "Lines to show before and after each match.",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  permissions: { read: ["$WORKSPACE"], run: ["rg"] },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  handler: async (args, context) => {
    const place = await placeOf(args.path ?? ".", context);
    if (!place.info) throw await missing(place);
    const page: PageRequest = {
      mode: args.output_mode ?? "content",
      offset: args.offset ?? 0,
      limit: args.limit ?? 50,
      show: (path) => displayName(relative(place.root, path)),
    };
    const warnings: string[] = [];
    const options = { signal: context.signal, warn: (text: string) => void warnings.push(text) };
    const search = { place, page, options, context };
    const found = args.target === "files"
      ? await byName(args.pattern, args.file_glob, search)
      : await byContent(args.pattern, args.file_glob, args.context ?? 0, search);
    return toolResult(warnings.length > 0 ? { ...found, warnings: warnings.slice(0, 10) } : found);
  },
});

interface Search {
  readonly place: Place;
  readonly page: PageRequest;
  readonly options: WalkOptions;
  readonly context: ToolContext;
}

async function byName(
  pattern: string,
  fileGlob: string | undefined,
  { place, page, options, context }: Search,
): Promise<JsonObject> {
  if (!place.info!.isDirectory) {
    throw new ToolError(`Cannot look for names in "${place.name}": it is not a directory`);
  }
  const accepts = await bothGlobs(place.real, pattern, fileGlob);
  const scope = await scopeOf(place.real, place.root, namesHidden(pattern, fileGlob));
  const tally = await firstThatWorks(
    [() => listRg(scope, options), () => walk(scope, options)],
    page,
    (tally, path) => accepts(path) && tally.addName(path),
    context,
  );
  return tally.result(true);
}

async function byContent(
  source: string,
  fileGlob: string | undefined,
  lines: number,
  { place, page, options, context }: Search,
): Promise<JsonObject> {
  const pattern = readPattern(source);
  const accepts = await bothGlobs(place.real, undefined, fileGlob);
  const query: Query = { regexp: pattern.regexp, accepts, context: lines };
  if (!place.info!.isDirectory) return await inOneFile(place, query, page, options);
  const scope = await scopeOf(place.real, place.root, namesHidden(fileGlob));
  const tally = await firstThatWorks(
    sources(scope, pattern, query, options),
    page,
    (tally, found: FileMatches) => accepts(found.path) && tally.add(found),
    context,
  );
  return tally.result(false);
}

function sources(
  scope: Scope,
  { rust }: Pattern,
  query: Query,
  options: WalkOptions,
): (() => AsyncGenerator<FileMatches>)[] {
  const own = () => searchOwn(scope, query, options);
  return rust === undefined ? [own] : [() => searchRg(scope, rust, query.context, options), own];
}

async function inOneFile(
  place: Place,
  query: Query,
  page: PageRequest,
  options: WalkOptions,
): Promise<JsonObject> {
  await regularFile(place);
  const tally = new Tally(page);
  const lines = await searchFile(place.real, query, options.warn);
  if (lines.length > 0) tally.add({ path: place.real, lines });
  return tally.result(false);
}

/** Ripgrep first; when it cannot answer, the walk of our own starts from the beginning. */
async function firstThatWorks<T>(
  ways: readonly (() => AsyncGenerator<T>)[],
  page: PageRequest,
  take: (tally: Tally, found: T) => unknown,
  context: ToolContext,
): Promise<Tally> {
  for (const way of ways) {
    const tally = new Tally(page);
    try {
      for await (const found of way()) take(tally, found);
      return tally;
    } catch (error) {
      if (!(error instanceof RipgrepUnavailable)) throw error;
      context.log.debug("Searching without ripgrep", { reason: error.message });
    }
  }
  throw new ToolError("Cannot search: no way of searching worked");
}

async function bothGlobs(
  root: string,
  ...globs: (string | undefined)[]
): Promise<(path: string) => boolean> {
  const wanted = globs.filter((glob) => glob !== undefined);
  const tests = await Promise.all(wanted.map(globTest));
  return (path) => {
    const name = path.slice(root.length + 1).split(sep).join("/");
    return tests.every((test) => test(name));
  };
}

async function globTest(glob: string): Promise<(name: string) => boolean> {
  const { default: picomatch } = await import("picomatch");
  const clean = glob.replace(/^\.?\//, "");
  try {
    const test: (name: string) => boolean = picomatch(clean, {
      dot: true,
      basename: !glob.includes("/"),
    });
    return test;
  } catch (cause) {
    throw new ToolError(`Cannot use the glob ${JSON.stringify(glob)}: it is not valid`, { cause });
  }
}

function namesHidden(...globs: (string | undefined)[]): boolean {
  return globs.some((glob) => glob !== undefined && /(?:^|\/)\.[^./]/.test(glob));
}
