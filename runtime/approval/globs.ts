/**
 * Patterns that shells expand, as far as they name places of a system.
 * @module
 */

const MAX_ALTERNATIVES = 64;
const MAX_PATTERN_CHARS = 256;

/**
 * Whether a pattern matches everything in a folder, or everything hidden.
 *
 * @param pattern One part of a path.
 * @returns True when it does.
 */
export function matchesAll(pattern: string): boolean {
  return /^\.?(?:\[[!^]\.\])?[*?]*\*[*?]*$/.test(pattern);
}

/**
 * Whether a pattern matches a name: `*`, `?` and `[…]`, which counts as any character.
 *
 * @param pattern One part of a path.
 * @param name The name.
 * @returns True when it may.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!/[*?[]/.test(pattern) || pattern.length > MAX_PATTERN_CHARS) return false;
  const tokens = pattern.match(/\[[^\]]*\]|[\s\S]/g) ?? [];
  let reached = new Set([0]);
  for (const char of name) reached = step(skipStars(reached, tokens), tokens, char);
  return skipStars(reached, tokens).has(tokens.length);
}

function skipStars(places: Set<number>, tokens: readonly string[]): Set<number> {
  // A set also gives what is added to it while it is walked through.
  for (const place of places) if (tokens[place] === "*") places.add(place + 1);
  return places;
}

function step(places: Set<number>, tokens: readonly string[], char: string): Set<number> {
  const next = new Set<number>();
  for (const place of places) {
    const token = tokens[place];
    if (token === "*") next.add(place);
    else if (token === "?" || token === char || (token?.length ?? 0) > 1) next.add(place + 1);
  }
  return next;
}

/**
 * The words that braces stand for: `/{bin,etc}` is `/bin` and `/etc`.
 *
 * @param text A word.
 * @returns At most 64 words; the word itself when it has no braces.
 */
export function expandBraces(text: string): readonly string[] {
  const done: string[] = [];
  const open = [text];
  for (let word = open.pop(); word !== undefined; word = open.pop()) {
    const match = done.length + open.length < MAX_ALTERNATIVES && word.length <= MAX_PATTERN_CHARS
      ? /\{([^{}]*,[^{}]*)\}/.exec(word)
      : undefined;
    if (!match) {
      done.push(word);
      continue;
    }
    const before = word.slice(0, match.index);
    const after = word.slice(match.index + match[0].length);
    for (const part of match[1]!.split(",").slice(0, MAX_ALTERNATIVES)) {
      open.push(before + part + after);
    }
  }
  return done;
}
