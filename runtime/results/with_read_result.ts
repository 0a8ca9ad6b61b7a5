/**
 * A list of definitions with a session's own `read_result`.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import { writeDefinitions } from "../definitions.ts";
import { FrozenMap } from "../frozen_map.ts";
import type { Definitions, Dialect } from "../runtime_types.ts";

/**
 * Adds the tool to a list, in its place by name.
 *
 * @param list The list.
 * @param entry The session's own tool.
 * @param dialect How definitions are written.
 * @returns A new list; the same one when it has a tool of that name already.
 */
export function withReadResult<D extends Dialect>(
  list: Definitions<D>,
  entry: ToolEntry,
  dialect: D,
): Definitions<D> {
  if (list.names.has(entry.name)) return list;
  const offered = [{ entry, name: entry.name }];
  const { generation } = list;
  const own = writeDefinitions({ generation, offered, dynamic: [], omitted: [] }, dialect);
  const names = [...list.names.keys()];
  const place = names.filter((name) => list.names.get(name)! < entry.name).length;
  return Object.freeze({
    ...list,
    tools: Object.freeze(list.tools.toSpliced(place, 0, ...own.tools)),
    names: new FrozenMap(new Map([...list.names, ...own.names])),
    losses: Object.freeze([...list.losses, ...own.losses]),
  });
}
