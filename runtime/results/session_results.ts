/**
 * Which results a session without a file reader may read back.
 * @module
 */
import { createInlineEntry } from "../../registry/entry.ts";
import type { Session } from "../session_types.ts";
import type { SpillStore } from "../spill.ts";
import { createReadResultTool } from "./read_result.ts";
import { giveReader } from "./session_reader.ts";

const known = new WeakMap<Session, Set<string>>();

/**
 * Lets a session read a result that went to a file. From then on it has the tool `read_result`, for its own
 * results and no others.
 *
 * @param session The session.
 * @param store Where the result is.
 * @param id The result.
 */
export function allowReading(session: Session, store: SpillStore, id: string): void {
  const ids = known.get(session) ?? open(session, store);
  ids.add(id);
}

function open(session: Session, store: SpillStore): Set<string> {
  const ids = new Set<string>();
  known.set(session, ids);
  const tool = createReadResultTool(store, { canRead: (id) => ids.has(id) });
  giveReader(session, createInlineEntry(tool as never, "builtin"));
  return ids;
}
