/**
 * What holds for a page of the documentation: its links lead somewhere, its tasks exist.
 * @module
 */
import { dirname, join, normalize } from "node:path/posix";

/** A fault of a page, with its place. */
export interface DocFault {
  /** The page, relative to the root. */
  readonly path: string;
  /** The line, from 1. */
  readonly line: number;
  /** What is wrong. */
  readonly message: string;
}

/** What a page is checked against. */
export interface DocContext {
  /** The names of the tasks. */
  readonly tasks: ReadonlySet<string>;
  /**
   * Whether there is a file or folder.
   *
   * @param path Its path, relative to the root.
   * @returns True when there is.
   */
  exists(path: string): boolean;
  /**
   * The text of another page.
   *
   * @param path Its path, relative to the root.
   * @returns Its text, or `undefined` when it cannot be read.
   */
  read(path: string): string | undefined;
}

interface Line {
  readonly number: number;
  readonly text: string;
  readonly inFence: boolean;
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const LINK = /\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g;
const TASK = /\bdeno task (?:(?:-q|--quiet) )?([a-z][\w:-]*)/g;

/**
 * Checks a page.
 *
 * @param path The page, relative to the root.
 * @param text Its text.
 * @param context What it is checked against.
 * @returns Its faults, in source order.
 */
export function checkPage(path: string, text: string, context: DocContext): readonly DocFault[] {
  return linesOf(text).flatMap((line) =>
    [...linkFaults(path, line, text, context), ...taskFaults(line, context)]
      .map((message) => ({ path, line: line.number, message }))
  );
}

/**
 * The anchors that the headings of a page make, as GitHub writes them.
 *
 * @param text The page's text.
 * @returns The anchors, without `#`.
 */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text: line, inFence } of linesOf(text)) {
    const heading = inFence ? undefined : /^#{1,6}\s+(.*?)\s*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function linesOf(text: string): Line[] {
  let fence: string | undefined;
  return text.split("\n").map((line, index) => {
    const mark = FENCE.exec(line)?.[1];
    const wasIn = fence !== undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    return { number: index + 1, text: line, inFence: wasIn || mark !== undefined };
  });
}

function linkFaults(path: string, line: Line, page: string, context: DocContext): string[] {
  if (line.inFence) return [];
  const visible = line.text.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
  return [...visible.matchAll(LINK)].flatMap(([, target]) =>
    whyBroken(path, target!, page, context) ?? []
  );
}

function whyBroken(
  path: string,
  target: string,
  page: string,
  context: DocContext,
): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return undefined;
  const [file = "", anchor] = target.split("#");
  const full = file === "" ? path : normalize(join(dirname(path), decodeURIComponent(file)));
  if (!context.exists(full)) return `The link "${target}" leads nowhere: there is no "${full}"`;
  if (anchor === undefined) return undefined;
  const text = file === "" ? page : context.read(full);
  if (text !== undefined && anchorsOf(text).has(anchor)) return undefined;
  return `The link "${target}" leads nowhere: "${full}" has no heading for "#${anchor}"`;
}

function taskFaults(line: Line, context: DocContext): string[] {
  return [...line.text.matchAll(TASK)]
    .filter(([, task]) => !context.tasks.has(task!))
    .map(([, task]) => `There is no task "${task}" in deno.json`);
}
