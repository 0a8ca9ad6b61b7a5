/**
 * The tool `read_file`: lines of a text file, with their numbers.
 * @module
 */
import { registry, type ToolContext, ToolError } from "@cloister/cloister/tool";
import { notebookText } from "./_notebook.ts";
import { type FilePage, LineWindow, readPage, type Window } from "./_read_page.ts";
import { decodeText, ENCODING_NAMES } from "./_text.ts";
import { type Place, placeOf, regularFile } from "./_workspace.ts";

const DEFAULT_LIMIT = 500;
const MAX_CHARS = 100_000;
const MAX_NOTEBOOK_BYTES = 20_000_000;

registry.register({
  name: "read_file",
  title: "Read a file",
  toolset: "file",
  description:
    "Read a text file of the workspace. Each line comes as NUMBER|TEXT; the last line, in brackets, says " +
    "how many lines there are and how to go on. Lines over 2,000 characters are cut. Jupyter notebooks " +
    "come as the text of their cells. Binary files and answers over 100,000 characters are refused.",
  emoji: "📖",
  schema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "File, relative to the workspace." },
      offset: { type: "integer", minimum: 1, default: 1, description: "First line, from 1." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 2000,
        default: 500,
        description: "How many lines at most.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  permissions: { read: ["$WORKSPACE"] },
  // A spilled result is read back with this tool, so its own result must never be spilled.
  maxResultSizeChars: Infinity,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  handler: async ({ path, offset = 1, limit = DEFAULT_LIMIT }, context) => {
    const place = await placeOf(path, context);
    const info = await regularFile(place);
    const window = { offset, limit };
    const page = await notebookPage(place, info, window) ??
      await readPage(place.real, place.name, window, context);
    return render(page, window, place.name, context);
  },
});

async function notebookPage(
  place: Place,
  info: Deno.FileInfo,
  window: Window,
): Promise<FilePage | undefined> {
  if (!place.name.toLowerCase().endsWith(".ipynb") || info.size > MAX_NOTEBOOK_BYTES) return;
  const { text, encoding, valid } = decodeText(await Deno.readFile(place.real));
  const cells = notebookText(text);
  if (cells === undefined) return;
  const lines = new LineWindow(window);
  lines.add(cells);
  return { ...lines.finish(), encoding, valid };
}

function render(page: FilePage, window: Window, name: string, context: ToolContext): string {
  if (page.total === 0) return `[${[`"${name}" is empty`, ...traits(page)].join("; ")}]`;
  if (window.offset > page.total) {
    throw new ToolError(
      `Cannot read "${name}" from line ${window.offset}: it has ${page.total} lines`,
      { details: { total_lines: page.total } },
    );
  }
  const numbered = page.lines.map((line, index) => `${window.offset + index}|${line}`);
  refuseTooLong(numbered, name);
  context.log.debug("Lines read", { path: name, lines: numbered.length, total: page.total });
  return [...numbered, footer(page, window)].join("\n");
}

function footer(page: FilePage, { offset }: Window): string {
  const last = offset + page.lines.length - 1;
  const parts = [`lines ${offset}-${last} of ${page.total}`, ...traits(page)];
  if (last < page.total) parts.push(`go on with offset=${last + 1}`);
  return `[${parts.join("; ")}]`;
}

function traits(page: FilePage): string[] {
  const parts: string[] = [];
  if (page.encoding !== "utf-8") parts.push(ENCODING_NAMES[page.encoding]);
  if (page.crlf > 0) {
    const ends = page.total - (page.closed ? 0 : 1);
    parts.push(page.crlf === ends ? "CRLF line ends" : `${page.crlf} CRLF line ends, others LF`);
  }
  if (!page.closed) parts.push("no line end after the last line");
  if (!page.valid) parts.push(`bytes that are not ${ENCODING_NAMES[page.encoding]} show as \uFFFD`);
  return parts;
}

function refuseTooLong(numbered: readonly string[], name: string): void {
  let chars = 0;
  const fits = numbered.findIndex((line) => (chars += line.length + 1) > MAX_CHARS);
  if (fits === -1) return;
  const total = numbered.reduce((sum, line) => sum + line.length + 1, 0);
  throw new ToolError(
    `Cannot read ${numbered.length} lines of "${name}" at once: they have ${total} characters, the most ` +
      `is ${MAX_CHARS}. Use limit=${fits} or less, or look for the place with search_files`,
    { details: { characters: total, fitting_limit: fits } },
  );
}
