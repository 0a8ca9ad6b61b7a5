/**
 * Where a page of `tools/list` begins, as clients carry it.
 * @module
 */

/** A place in the list. */
export interface CursorPlace {
  /** The generation of the table that the page before came from. */
  readonly generation: number;
  /** The last name of the page before. */
  readonly after: string;
}

const FORM = /^1:([0-9]{1,15}):([A-Za-z0-9_.-]{1,128})$/;
const MAX_CHARS = 256;

/**
 * Writes a place so that a client has nothing to read in it.
 *
 * @param place The place.
 * @returns The cursor.
 */
export function writeCursor({ generation, after }: CursorPlace): string {
  return btoa(`1:${generation}:${after}`).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Reads a cursor.
 *
 * @param cursor What a client sent.
 * @returns The place, or `undefined` when no server of this kind wrote it.
 */
export function readCursor(cursor: string): CursorPlace | undefined {
  if (cursor.length > MAX_CHARS || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  try {
    const match = FORM.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")));
    return match ? { generation: Number(match[1]), after: match[2]! } : undefined;
  } catch {
    return undefined;
  }
}
