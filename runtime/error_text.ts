/**
 * Making foreign text harmless before a model, a person or a terminal sees it.
 * @module
 */
import { boundMessage, MAX_ERROR_CHARS } from "../core/envelope.ts";
import { redactSecrets } from "./redact.ts";

const MARKER = "… [truncated]";
/** No longer text is looked at; the limit only keeps the work small. */
const LOOKED_AT_CHARS = 8 * MAX_ERROR_CHARS;

// Escape sequences of terminals: CSI, and OSC, DCS, SOS, PM, APC up to their end. Lengths are bounded; what
// does not fit is no sequence, and its first character is written out by the second expression.
const SEQUENCE =
  // deno-lint-ignore no-control-regex
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]{0,512}(?:\x07|\x1b\\|\x9c)/g;
// Controls except tab and line feed, soft hyphen, zero-width, bidirectional, line and paragraph separators,
// invisible operators, interlinear marks, tags, and the variation selectors that can carry hidden bytes.
const INVISIBLE =
  // deno-lint-ignore no-control-regex
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
// What models and their templates take for the frame of a conversation or of a tool call.
const FRAME_TAG =
  /<(?=\/?(?:antml:)?(?:tool_calls?|tool_results?|tool_response|tool_use|function_calls?|function_results?|function|invoke|result|response|output|input|system|assistant|user|human|developer|thinking|s)\b)/gi;
const FRAME_TOKEN = /<(?=\|)|<(?=<\/?SYS>>)|<(?=!\[CDATA\[)/gi;
const FRAME_END = /(\|)>|(\]\])>/g;
const INSTRUCTION = /\[(\/?INST)\]/g;
const FENCE = /```|~~~/g;

/**
 * Makes every character visible that is not: escape sequences go, other controls, zero-width,
 * bidirectional and tag characters are written out as `\u{…}`. Lone surrogates become U+FFFD. Takes
 * linear time; doing it twice changes nothing more.
 *
 * @param text Any text.
 * @returns A text that shows what it holds.
 */
export function neutraliseText(text: string): string {
  return text.toWellFormed()
    .replace(/\r\n/g, "\n")
    .replace(SEQUENCE, "")
    .replace(INVISIBLE, writeOut);
}

function writeOut(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
}

/**
 * The same for one line of a log: line feeds and tabs are written out too.
 *
 * @param text Any text.
 * @returns One line.
 */
export function neutraliseLine(text: string): string {
  return neutraliseText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/**
 * Breaks what a model could take for the frame of a conversation: tags such as `<system>` and
 * `</tool_call>`, template tokens such as `<|im_end|>`, CDATA, code fences.
 *
 * @param text Any text.
 * @returns The text with those marks made plain.
 */
export function neutraliseFrames(text: string): string {
  return text
    .replace(FRAME_TAG, "&lt;")
    .replace(FRAME_TOKEN, "&lt;")
    .replace(FRAME_END, "$1$2&gt;")
    .replace(INSTRUCTION, "($1)")
    .replace(FENCE, "'''");
}

/**
 * Makes an error's text fit for a model: invisible characters shown, frames broken, secrets taken out, no
 * longer than 2,048 characters and a marker. Takes linear time; doing it twice changes nothing more.
 *
 * @param text What went wrong.
 * @returns The text to show.
 */
export function sanitiseErrorText(text: string): string {
  const beginning = text.slice(0, LOOKED_AT_CHARS);
  const clean = neutraliseFrames(redactSecrets(neutraliseText(beginning))).trim();
  if (clean.length <= MAX_ERROR_CHARS) return beginning === text ? clean : clean + MARKER;
  const isBounded = clean.endsWith(MARKER) && clean.length <= MAX_ERROR_CHARS + MARKER.length;
  return isBounded ? clean : boundMessage(clean);
}
