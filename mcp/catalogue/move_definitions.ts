/**
 * References of a schema: shared definitions in one place, and nothing that leads out of the schema.
 * @module
 */
import { isPlain } from "../../registry/plain_copy.ts";
import { mapSchema, type RawSchema } from "./map_schema.ts";

const OLD = "#/definitions/";
const NEW = "#/$defs/";

/**
 * Moves what a schema shares from `definitions` to `$defs` and points its references there. A schema whose parts have
 * addresses of their own stays as it is, and so does one in which both hold the same name.
 *
 * @param schema The schema.
 * @returns The schema with its definitions in `$defs`.
 */
export function moveDefinitions(schema: RawSchema): RawSchema {
  const { definitions, $defs = {}, ...rest } = schema;
  if (!isPlain(definitions) || !isPlain($defs)) return schema;
  if (Object.keys(definitions).some((name) => Object.hasOwn($defs, name))) return schema;
  if (hasInnerAddress(schema)) return schema;
  return mapSchema({ ...rest, $defs: { ...$defs, ...definitions } }, (node) => {
    const { $ref } = node;
    return typeof $ref === "string" && $ref.startsWith(OLD)
      ? { ...node, $ref: NEW + $ref.slice(OLD.length) }
      : node;
  });
}

function hasInnerAddress(schema: RawSchema): boolean {
  let found = false;
  mapSchema(schema, (node, { pointer }) => {
    if (pointer !== "" && (Object.hasOwn(node, "$id") || Object.hasOwn(node, "id"))) found = true;
    return node;
  });
  return found;
}

/** A schema without references that lead out of it. */
export interface ClosedSchema {
  /** The schema. */
  readonly schema: RawSchema;
  /** The references that were taken out, each with its place. */
  readonly removed: readonly { readonly pointer: string; readonly target: string }[];
}

/**
 * Takes out references to other documents: they are never fetched, and what they describe is left to the server to
 * check. References to an address that the schema gives one of its own parts stay.
 *
 * @param schema The schema.
 * @returns The schema without them, and what they were.
 */
export function closeReferences(schema: RawSchema): ClosedSchema {
  const own = new Set<string>();
  mapSchema(schema, (node) => {
    if (typeof node.$id === "string") own.add(node.$id.replace(/#$/, ""));
    return node;
  });
  const removed: { pointer: string; target: string }[] = [];
  const closed = mapSchema(schema, (node, { pointer }) => {
    const { $ref, ...rest } = node;
    if (typeof $ref !== "string" || $ref.startsWith("#")) return node;
    if (own.has($ref.replace(/#.*$/, ""))) return node;
    removed.push({ pointer, target: $ref });
    return rest;
  });
  return { schema: closed, removed };
}
