/**
 * What the operator's ceilings leave of a declaration.
 * @module
 */
import type { Ceiling, GrantContext } from "./grant_types.ts";
import { type GrantKey, type Kind, Unreadable } from "./kinds.ts";

/** What became of the entries of one kind. */
export interface Capped<T> {
  /** What is left. */
  readonly entries: readonly T[];
  /** What was taken away, in sentences. */
  readonly cut: readonly string[];
  /** What cannot be read, in sentences. */
  readonly unreadable: readonly string[];
}

/** The entries of one ceiling for one kind. */
interface CeilingList<T> {
  readonly source: string;
  readonly entries: readonly T[];
}

/** The ceilings that speak of one kind. */
export interface CeilingLists<T> {
  /** Each one caps. */
  readonly allow: readonly CeilingList<T>[];
  /** Each one takes away. */
  readonly deny: readonly CeilingList<T>[];
  /** Entries that cannot be read, in sentences. */
  readonly unreadable: readonly string[];
}

/**
 * Reads the ceilings of one kind.
 *
 * @param key The kind.
 * @param kind How its entries are read.
 * @param context Holds the ceilings.
 * @returns The ceilings that speak of this kind.
 */
export function readCeilings<T>(
  key: GrantKey,
  kind: Kind<T>,
  context: GrantContext,
): CeilingLists<T> {
  const unreadable: string[] = [];
  const read = (side: "allow" | "deny") =>
    context.ceilings.filter((ceiling) => ceiling[side]?.[key] !== undefined).map((ceiling) => ({
      source: `${ceiling.source}.${side}.${key}`,
      entries: readList(ceiling, side),
    }));
  const readList = (ceiling: Ceiling, side: "allow" | "deny"): T[] =>
    (ceiling[side]![key] || []).flatMap((text) => {
      const entry = kind.parseCeiling(text, context);
      if (!(entry instanceof Unreadable)) return [entry];
      unreadable.push(`${ceiling.source}.${side}.${key}: ${entry.reason}`);
      return [];
    });
  return { allow: read("allow"), deny: read("deny"), unreadable };
}

/**
 * Caps entries.
 *
 * @param key The kind.
 * @param kind How its entries are compared.
 * @param entries What is declared.
 * @param lists The ceilings of this kind.
 * @returns What is left, and what was taken away.
 */
export function applyCeilings<T>(
  key: GrantKey,
  kind: Kind<T>,
  entries: readonly T[],
  lists: CeilingLists<T>,
): Capped<T> {
  const cut: string[] = [];
  const show = (entry: T) => kind.format(entry).map((text) => `"${text}"`).join(", ");
  let left = entries;
  for (const list of lists.allow) {
    left = left.flatMap((entry) => {
      const common = commonParts(kind, entry, list.entries);
      if (!common.includes(entry)) {
        cut.push(describeCut(key, show(entry), common.map(show), list.source));
      }
      return common;
    });
  }
  for (const list of lists.deny) {
    left = left.filter((entry) => {
      const hit = list.entries.find((denied) => kind.intersect(entry, denied) !== undefined);
      if (hit !== undefined) {
        cut.push(`${key} ${show(entry)} is denied by ${list.source} (${show(hit)})`);
      }
      return hit === undefined;
    });
  }
  return { entries: left, cut, unreadable: lists.unreadable };
}

/** An entry that is covered as a whole stays itself, so that callers can compare by identity. */
function commonParts<T>(kind: Kind<T>, entry: T, ceiling: readonly T[]): readonly T[] {
  const text = kind.format(entry).join();
  const parts = ceiling.map((allowed) => kind.intersect(entry, allowed))
    .filter((part) => part !== undefined);
  return parts.some((part) => kind.format(part).join() === text) ? [entry] : parts;
}

function describeCut(key: string, entry: string, rest: readonly string[], source: string): string {
  return rest.length === 0
    ? `${key} ${entry} is not allowed by ${source}`
    : `${key} ${entry} is narrowed to ${rest.join(", ")} by ${source}`;
}
