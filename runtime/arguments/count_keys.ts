/**
 * Counting the fields of a JSON text, to see whether one was written twice.
 * @module
 */

/**
 * How many fields all objects of a JSON text have together, repeated ones counted each time.
 *
 * @param text A valid JSON text.
 * @returns The number.
 */
export function countWrittenKeys(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open !== -1;) {
    const next = afterSpace(text, closingQuote(text, open) + 1);
    if (text.charCodeAt(next) === 58) count++;
    open = text.indexOf('"', next);
  }
  return count;
}

function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 92) before--;
  return (at - before) % 2 === 0;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at++;
  return at;
}

/**
 * How many fields all objects of a value have together.
 *
 * @param value A value that JSON.parse gave.
 * @returns The number.
 */
export function countKeys(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (typeof item !== "object" || item === null) continue;
    const members = Object.values(item);
    if (!Array.isArray(item)) count += members.length;
    for (const member of members) waiting.push(member);
  }
  return count;
}
