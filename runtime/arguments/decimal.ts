/**
 * Numbers as their digits, to tell whether a number says the same as its text.
 * @module
 */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MAX_CHARS = 400;

/**
 * The number that a text writes, when JavaScript holds every digit of it.
 *
 * @param text The text; spaces around it do not count.
 * @returns The number; `undefined` when the text is no JSON number, or some digits would be lost.
 *
 * @example Exact or not at all
 * ```ts ignore
 * exactNumber("42.0"); // 42
 * exactNumber("007"); // undefined
 * exactNumber("9007199254740993"); // undefined
 * ```
 */
export function exactNumber(text: string): number | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const wanted = digitsOf(text.trim());
  if (wanted === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && digitsOf(String(value)) === wanted ? value : undefined;
}

/** Sign, digits and exponent of a JSON number, without zeros that say nothing. */
function digitsOf(text: string): string | undefined {
  const parts = NUMBER.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = parts;
  const all = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return `${sign}0`;
  return `${sign}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}

/**
 * Whether a number lost something on its way from its text in a JSON document: it became infinite or
 * nothing, or it is written as a whole number and became another one.
 *
 * @param value The number.
 * @param source Its text.
 * @returns True when it is not what the text says.
 */
export function isLostNumber(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /^[^eE]*[1-9]/.test(source);
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) && BigInt(source) !== BigInt(value);
}
