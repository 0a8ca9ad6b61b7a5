/**
 * From a page of HTML to the text that a reader sees.
 * @module
 */
import { htmlToText, type TextNode } from "./_html_text.ts";

/** A page's readable part. */
export interface ReadablePage {
  /** The page's title; empty when it has none. */
  readonly title: string;
  /** The text, as Markdown or plain. */
  readonly text: string;
  /** Whether no article could be looked for, so that all of the page's text is given. */
  readonly plain?: boolean;
}

interface Element extends TextNode {
  getAttribute(name: string): string | null;
  remove(): void;
}

interface HtmlDocument {
  readonly title: string;
  readonly body: Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

// Defuddle's time grows with the cube of the depth (2.4 s at 500) and takes 5 s for 20,000 elements.
const MAX_DEPTH = 200;
const MAX_ELEMENTS = 20_000;
const UNSEEN = "script, style, template, iframe, object, embed";
const HIDDEN_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?![\d.]))/i;

// The packages are loaded on first use: that takes a few hundred milliseconds.
async function parse(html: string): Promise<HtmlDocument> {
  const { parseHTML } = await import("linkedom");
  const complete = /<(?:html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document } = parseHTML(complete) as unknown as { readonly document: HtmlDocument };
  dropUnseen(document);
  return document;
}

// Text that no reader sees is where instructions to a model are hidden.
function dropUnseen(document: HtmlDocument): void {
  for (const element of [...document.querySelectorAll(UNSEEN)]) element.remove();
  for (const element of [...document.querySelectorAll("[hidden], [style]")]) {
    const hidden = element.getAttribute("hidden") !== null ||
      HIDDEN_STYLE.test(element.getAttribute("style") ?? "");
    if (hidden) element.remove();
  }
}

interface Article {
  readonly title: string;
  readonly content: string;
}

// A headline that repeats the title is taken out of the content, so both come from here.
async function extract(
  html: string,
  url: string,
  markdown: boolean,
  contentSelector?: string,
): Promise<Article> {
  const { Defuddle } = await import("defuddle/node");
  const page = await parse(html);
  try {
    const { title, content } = await Defuddle(page as never, url, {
      markdown,
      contentSelector,
      // These guesses also remove short lists that belong to the text.
      removeContentPatterns: false,
      // Extractors for some sites would fetch from third parties.
      useAsync: false,
      fetch: () => Promise.reject(new Error("Only the page itself is fetched")),
    });
    return { title: title.trim(), content: content.trim() };
  } catch {
    // Markup that breaks the extraction still has a text.
    return { title: "", content: "" };
  }
}

function isTooLarge(root: TextNode | null): boolean {
  const stack: [TextNode, number][] = root === null ? [] : [[root, 0]];
  let elements = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, depth] = next;
    if (node.nodeType !== 1) continue;
    if (depth > MAX_DEPTH || ++elements > MAX_ELEMENTS) return true;
    for (const child of node.childNodes) stack.push([child, depth + 1]);
  }
  return false;
}

/**
 * Takes what a reader would read out of a page: the article, or the whole body where there is no article.
 *
 * @param html The page.
 * @param url Its address, against which links are resolved.
 * @param format Markdown or plain text.
 * @returns Title and text.
 */
export async function readHtml(
  html: string,
  url: string,
  format: "markdown" | "text",
): Promise<ReadablePage> {
  const whole = await parse(html);
  if (isTooLarge(whole.body)) {
    return { title: whole.title.trim(), text: htmlToText(whole.body), plain: true };
  }
  const markdown = format === "markdown";
  let { title, content } = await extract(html, url, markdown);
  if (content === "") ({ title, content } = await extract(html, url, markdown, "body"));
  title ||= whole.title.trim();
  if (content === "") return { title, text: htmlToText(whole.body), plain: markdown };
  return { title, text: markdown ? content : htmlToText((await parse(content)).body) };
}
