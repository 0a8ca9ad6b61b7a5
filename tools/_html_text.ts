/**
 * The plain text of a tree of elements.
 * @module
 */

/** The little that is needed of a DOM node. */
export interface TextNode {
  /** 1 for an element, 3 for text. */
  readonly nodeType: number;
  /** `P`, `#text` and so on. */
  readonly nodeName: string;
  /** The text of a text node. */
  readonly textContent: string | null;
  /** The nodes inside. */
  readonly childNodes: Iterable<TextNode>;
}

const BLOCKS: ReadonlySet<string> = new Set(
  ("ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 " +
    "HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TR UL").split(" "),
);
const ELEMENT = 1;
const TEXT = 3;

/**
 * Writes a tree as plain text: a line for each block, cells parted by tabs, preformatted text as it stands.
 *
 * @param root The tree; nothing gives an empty text.
 * @returns The text.
 */
export function htmlToText(root: TextNode | null): string {
  if (root === null) return "";
  const parts: string[] = [];
  // A stack of our own: pages may be nested deeper than calls can be.
  const stack: (TextNode | string)[] = [root];
  while (stack.length > 0) {
    const next = stack.pop()!;
    if (typeof next === "string") parts.push(next);
    else visit(next, parts, stack);
  }
  return parts.join("").replace(/[ \t]*\n[ \t]*/g, "\n").replace(/\n{3,}/g, "\n\n")
    .replaceAll("\u0001", " ").trim();
}

function visit(node: TextNode, parts: string[], stack: (TextNode | string)[]): void {
  const name = node.nodeName.toUpperCase();
  if (node.nodeType === TEXT) parts.push((node.textContent ?? "").replace(/\s+/g, " "));
  else if (node.nodeType !== ELEMENT || name === "SCRIPT" || name === "STYLE") return;
  else if (name === "BR") parts.push("\n");
  // Blanks of preformatted text are shielded from the clean-up at the end.
  else if (name === "PRE") {
    parts.push(`\n${(node.textContent ?? "").replaceAll(" ", "\u0001")}\n`);
  } else {
    const edge = BLOCKS.has(name) ? "\n" : name === "TD" || name === "TH" ? "\t" : "";
    stack.push(edge, ...[...node.childNodes].reverse());
    if (edge === "\n") parts.push(edge);
  }
}
