/**
 * Letters of other scripts that look like Latin ones.
 * @module
 */

/** Latin letter to the letters that look like it, as they are drawn (capitals where those look alike). */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  // Cyrillic, Greek, Armenian, Cherokee, Latin extensions, in this order.
  a: "аАαΑɑᎪ",
  b: "ВвΒβᏴЬь",
  c: "сСϲϹᏟᴄ",
  d: "ԁԀᎠժ",
  e: "еЕЁёΕεᎬҽ℮",
  f: "Ϝϝք",
  g: "ɡԌԍցᏀᶃ",
  h: "һҺНнΗհᎻ",
  i: "іІїЇιΙıІᎥɩ",
  j: "јЈϳյᎫ",
  k: "кКκΚᏦ",
  l: "ӏӀլᏞ",
  m: "мМΜᎷ",
  n: "ոռηΝп",
  o: "оОοΟσօՕ",
  p: "рРρΡᏢ",
  q: "ԛԚգզ",
  r: "гᎡᏒ",
  s: "ѕЅՏᏚꜱ",
  t: "тТτΤᎢ",
  u: "υսՍ",
  v: "ѵѴνᏙᴠ",
  w: "ԝԜωᎳᴡ",
  x: "хХχΧ×",
  y: "уУүҮγΥყ",
  z: "ΖζᏃᴢ",
  "_": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u02D7\u06D4",
};

function invert(): ReadonlyMap<string, string> {
  const latin = new Map<string, string>();
  for (const [letter, others] of Object.entries(LOOK_ALIKES)) {
    for (const other of others) latin.set(other, letter);
  }
  return latin;
}

/** Each look-alike letter with its Latin letter in lower case; dashes with the underscore. */
export const CONFUSABLES: ReadonlyMap<string, string> = invert();
