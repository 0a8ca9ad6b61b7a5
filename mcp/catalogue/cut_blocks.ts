/**
 * The hard limit of a result's text, before the runtime's own budget.
 * @module
 */
import type { ContentBlock } from "../../core/content.ts";

/** Most characters of a result's text. */
export const MAX_TEXT_CHARS = 2_000_000;
const HEAD_SHARE = 0.4;

/**
 * Cuts the middle out of blocks whose texts are too long together: 40 % of the limit is kept from the beginning and
 * 60 % from the end, where results and errors usually are.
 *
 * @param blocks The blocks.
 * @param limit Most characters. @default {2,000,000}
 * @returns The blocks, with a line that says what was cut; the same ones when they fit.
 */
export function cutBlocks(
  blocks: readonly ContentBlock[],
  limit: number = MAX_TEXT_CHARS,
): readonly ContentBlock[] {
  const total = blocks.reduce((sum, block) => sum + (textOf(block)?.length ?? 0), 0);
  if (total <= limit) return blocks;
  const head = Math.floor(limit * HEAD_SHARE);
  const tail = total - (limit - head);
  const text = `\n[Left out: ${tail - head} characters in the middle of a result of ${total}]\n`;
  const cut: ContentBlock[] = [];
  let at = 0;
  let isTold = false;
  for (const block of blocks) {
    const whole = textOf(block);
    if (whole === undefined) {
      cut.push(block);
      continue;
    }
    const within = (edge: number): number => Math.min(Math.max(edge - at, 0), whole.length);
    const from = within(head);
    const to = within(tail);
    at += whole.length;
    const tells: boolean = !isTold && from < to;
    isTold ||= tells;
    const rest = whole.slice(0, from) + (tells ? text : "") + whole.slice(to);
    if (rest !== "") cut.push(withText(block, rest.toWellFormed()));
  }
  return cut;
}

function textOf(block: ContentBlock): string | undefined {
  if (block.type === "text") return block.text;
  return block.type === "resource" ? block.resource.text : undefined;
}

function withText(block: ContentBlock, text: string): ContentBlock {
  return block.type === "resource"
    ? { type: "resource", resource: { ...block.resource, text } }
    : { type: "text", text };
}
