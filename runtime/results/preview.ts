/**
 * The beginning of a text.
 * @module
 */

/**
 * The beginning of a text: whole lines when the last line feed is past half, never half a character.
 *
 * @param text The text.
 * @param chars The most characters to keep.
 * @returns The beginning.
 */
export function previewOf(text: string, chars: number): string {
  const beginning = text.slice(0, chars);
  const lineEnd = beginning.lastIndexOf("\n");
  if (text.length > chars && lineEnd > chars / 2) return beginning.slice(0, lineEnd + 1);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
