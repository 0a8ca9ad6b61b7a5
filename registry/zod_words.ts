/**
 * The words of zod that the scan runs itself: they take literals and schemas, and call nothing of a file.
 * @module
 */

/** Functions of zod that make a schema. */
export const FACTORIES: ReadonlySet<string> = words(`
  any array base64 base64url boolean cidrv4 cidrv6 cuid cuid2 discriminatedUnion e164 email emoji enum
  exactOptional float32 float64 guid hash hex hostname httpUrl int int32 intersection ipv4 ipv6 json jwt
  ksuid literal looseObject looseRecord mac nanoid never nonoptional null nullable nullish number object
  optional partialRecord pipe prefault readonly record strictObject string templateLiteral tuple uint32
  ulid union unknown url uuid uuidv4 uuidv6 uuidv7 xid
`);

/** Functions of `z.coerce`. */
export const COERCIONS: ReadonlySet<string> = words("boolean number string");

/** Functions of `z.iso`. */
export const ISO_FORMATS: ReadonlySet<string> = words("date datetime duration time");

/** Methods of a schema that give a schema. */
export const METHODS: ReadonlySet<string> = words(`
  and array base64 base64url brand catchall cidrv4 cidrv6 cuid cuid2 date datetime default describe
  duration e164 email emoji endsWith exactOptional exclude extend extract finite gt gte guid includes int
  ipv4 ipv6 jwt keyof ksuid length loose lowercase lt lte max merge meta min multipleOf nanoid negative
  nonempty nonnegative nonoptional nonpositive normalize nullable nullish omit optional or partial
  passthrough pick pipe positive prefault readonly regex required rest safe safeExtend startsWith step
  strict strip time toLowerCase toUpperCase trim ulid unwrap uppercase url uuid uuidv4 uuidv6 uuidv7 xid
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
