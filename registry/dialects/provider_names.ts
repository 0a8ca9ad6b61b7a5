/**
 * Names that every provider takes, and the way back.
 * @module
 */
import { foldName } from "../fold.ts";
import type { Dialect } from "./definition_types.ts";

/** Longest name that every provider takes. */
const MAX_NAME = 64;
/** Longest name for clients of the Model Context Protocol, which put the server's name in front. */
const MAX_MCP_NAME = 45;
/** Digits of the hash that keeps names apart: first few, then all. */
const HASH_DIGITS: readonly number[] = [8, 16];

/**
 * How long the names of a dialect may be.
 *
 * @param dialect The dialect.
 * @returns Characters.
 */
export function longestName(dialect: Dialect): number {
  return dialect === "mcp" ? MAX_MCP_NAME : MAX_NAME;
}

/**
 * Gives each tool a name of letters, digits, `_` and `-`. A name that is one already is kept; a name of another
 * tool never becomes it. The same names give the same result, in any order.
 *
 * @param names The names of all tools, not of a selection only, so that no name depends on what is selected.
 * @param longest How long a name may be.
 * @returns Registry name to provider name. A name that no room is left for is missing.
 */
export function nameTools(names: readonly string[], longest: number): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  const give = (name: string, wanted: string): boolean => {
    const folded = foldName(wanted);
    if (taken.has(folded)) return false;
    taken.add(folded);
    given.set(name, wanted);
    return true;
  };
  const sorted = names.toSorted((a, b) => a < b ? -1 : a > b ? 1 : 0);
  const others = sorted.filter((name) => !isPlain(name, longest) || !give(name, name));
  for (const name of others) candidates(name, longest).some((wanted) => give(name, wanted));
  return given;
}

function isPlain(name: string, longest: number): boolean {
  return name.length <= longest && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name);
}

function candidates(name: string, longest: number): readonly string[] {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^(?![A-Za-z_])/, "_");
  const marked = HASH_DIGITS.map((digits) => {
    const mark = hash(name).slice(0, digits);
    return `${plain.slice(0, longest - digits - 1)}_${mark}`;
  });
  return plain.length <= longest ? [plain, ...marked] : marked;
}

/** FNV-1a with 64 bits: it keeps names apart, nothing rests on it that somebody could gain by forging. */
function hash(text: string): string {
  let state = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    state = BigInt.asUintN(64, (state ^ BigInt(byte)) * 0x100000001b3n);
  }
  return state.toString(16).padStart(16, "0");
}
