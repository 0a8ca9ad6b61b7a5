/**
 * Arguments whose text is nearly JSON.
 * @module
 */
import { type LooseToken, readObjectTokens } from "./loose_tokens.ts";

/** What repairing gave. */
export type RepairedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

const MAX_CHARS = 1_048_576;
const WORDS: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/**
 * Repairs a text that is no JSON, when there is only one way to read it: words and code fences around one
 * object are taken off; trailing commas, comments, other quotes, bare keys, line ends in texts and Python's
 * words are put right. Every text, number and bracket must come through as it was written. A text that ends
 * too early is refused: what is missing is not guessed.
 *
 * @param text The text.
 * @returns The text of a JSON object, or why it cannot be repaired.
 */
export async function repairText(text: string): Promise<RepairedText> {
  if (text.length > MAX_CHARS) return refuse("it is too long to be repaired");
  const start = text.indexOf("{");
  if (start === -1) return refuse("it holds no object");
  const tokens = readObjectTokens(text, start);
  if (tokens === "cut") {
    return refuse("it ends before its object is closed, so it was cut off; nothing was done");
  }
  if (tokens === "unclear") return refuse("it can be read in more than one way");
  const end = tokens.at(-1)!.end;
  if (/[{}[\]]/.test(text.slice(end)) || /[[\]}]/.test(text.slice(0, start))) {
    return refuse("there is more than one object in it");
  }
  return await repairObject(text.slice(start, end), tokens);
}

function refuse(reason: string): RepairedText {
  return { ok: false, reason };
}

async function repairObject(
  object: string,
  tokens: readonly LooseToken[],
): Promise<RepairedText> {
  if (isJson(object)) return { ok: true, text: object };
  const wanted = outline(tokens);
  if (wanted === undefined) return refuse("it can be read in more than one way");
  const { jsonrepair } = await import("jsonrepair");
  let repaired: string;
  try {
    repaired = jsonrepair(object);
  } catch {
    return refuse("it cannot be repaired");
  }
  const found = isJson(repaired) ? readObjectTokens(repaired, repaired.indexOf("{")) : "unclear";
  const same = typeof found !== "string" && found.at(-1)!.end === repaired.trimEnd().length &&
    outline(found)?.join("\n") === wanted.join("\n");
  return same ? { ok: true, text: repaired } : refuse("it can be read in more than one way");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a text says, without how it is written; `undefined` where that is not clear. */
function outline(tokens: readonly LooseToken[]): string[] | undefined {
  const lines: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const next = tokens[index + 1];
    if (token.kind === "mark") {
      if (token.value === ",") {
        if (isComma(before) || isOpening(before)) return undefined;
        continue;
      }
      lines.push(token.value);
      continue;
    }
    const isKey = next?.kind === "mark" && next.value === ":";
    // A value right after another one: a comma was left out, or the two belong together.
    if (!isKey && before !== undefined && before.kind !== "mark") return undefined;
    const line = lineOf(token, isKey);
    if (line === undefined) return undefined;
    lines.push(line);
  }
  return lines;
}

function isComma(token: LooseToken | undefined): boolean {
  return token?.kind === "mark" && token.value === ",";
}

function isOpening(token: LooseToken | undefined): boolean {
  return token?.kind === "mark" && "{[:".includes(token.value);
}

function lineOf({ kind, value }: LooseToken, isKey: boolean): string | undefined {
  if (kind === "number") return isKey ? undefined : `number ${value}`;
  if (kind === "text" || isKey) return `text ${JSON.stringify(value)}`;
  const known = WORDS.get(value);
  return known === undefined ? undefined : `word ${known}`;
}
