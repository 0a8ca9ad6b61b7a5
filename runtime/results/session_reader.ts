/**
 * The `read_result` of each session that has one. Loads nothing: every session asks here.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { Session } from "../session_types.ts";

const readers = new WeakMap<Session, ToolEntry>();

/**
 * The session's own `read_result`.
 *
 * @param session The session.
 * @returns The tool; `undefined` while none of its results went to a file that it cannot read otherwise.
 */
export function readerOf(session: Session): ToolEntry | undefined {
  return readers.get(session);
}

/**
 * Gives a session its own `read_result`.
 *
 * @param session The session.
 * @param entry The tool.
 */
export function giveReader(session: Session, entry: ToolEntry): void {
  readers.set(session, entry);
}
