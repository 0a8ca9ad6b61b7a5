/**
 * Characters that a person does not see and a model reads.
 * @module
 */

/** A text without what it hid. */
export interface PlainText {
  /** The text. */
  readonly text: string;
  /** What was taken out, in words for people; empty when nothing was. */
  readonly hidden: readonly string[];
}

interface HiddenKind {
  readonly what: string;
  readonly pattern: RegExp;
}

// Terminal sequences come first: without their ESC the rest of them would stay as text.
/** Sequences that steer a terminal: CSI, OSC and the other strings, with one or two bytes of introduction. */
const TERMINAL: HiddenKind = {
  what: "terminal sequences",
  pattern:
    // deno-lint-ignore no-control-regex
    /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]{0,4}[0-~]|\x1b/g,
};
const CONTROL: HiddenKind = {
  what: "control characters",
  // deno-lint-ignore no-control-regex
  pattern: /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g,
};
const TAGS: HiddenKind = {
  what: "tag characters",
  pattern: /[\u{E0000}-\u{E007F}]/gu,
};
const BIDI: HiddenKind = {
  what: "bidirectional controls",
  pattern: /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
};
/** A joiner between two pictures makes one picture of them, and is no way to hide anything. */
const ZERO_WIDTH: HiddenKind = {
  what: "zero-width characters",
  pattern:
    /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u2060-\u2064\u206A-\u206F\u2800\u3164\uFEFF\uFFA0]|(?<!\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D|\u200D(?!\p{Extended_Pictographic})/gu,
};
/** One selector after a character chooses how it looks; a row of them carries data. */
const SELECTORS: HiddenKind = {
  what: "variation selectors",
  pattern: /(?<=[\uFE00-\uFE0F])[\uFE00-\uFE0F]+|[\u{E0100}-\u{E01EF}]+/gu,
};

const DEFINITION_KINDS: readonly HiddenKind[] = [
  TERMINAL,
  CONTROL,
  TAGS,
  BIDI,
  ZERO_WIDTH,
  SELECTORS,
];
const RESULT_KINDS: readonly HiddenKind[] = [TERMINAL, CONTROL, TAGS];
/** Most texts hold nothing of the kind. */
const ORDINARY = /^[\t\n\r\x20-\x7e]*$/;

/**
 * Takes out of a name, a title or a description what a person would not see: zero-width and tag characters, controls
 * of direction, sequences for terminals.
 *
 * @param text The text.
 * @returns The text without them, and what they were.
 */
export function stripHidden(text: string): PlainText {
  return strip(text, DEFINITION_KINDS);
}

/**
 * Takes out of a result what no text needs: control characters, sequences for terminals, tag characters. Controls of
 * direction and joiners stay, which texts in many scripts are written with.
 *
 * @param text The text.
 * @returns The text without them.
 */
export function stripControls(text: string): string {
  return strip(text, RESULT_KINDS).text;
}

function strip(text: string, kinds: readonly HiddenKind[]): PlainText {
  if (ORDINARY.test(text)) return { text, hidden: [] };
  let rest = text.toWellFormed();
  const hidden = kinds.filter(({ pattern }) => {
    const before = rest;
    rest = rest.replace(pattern, "");
    return rest.length !== before.length;
  });
  return { text: rest, hidden: hidden.map(({ what }) => what) };
}
