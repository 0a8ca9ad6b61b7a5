/**
 * Checking which arguments of a tool are to be repeated as HTTP headers.
 * @module
 */

const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
// These hold values, not schemas.
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);
const MAX_DEPTH = 64;

type Schema = { readonly [keyword: string]: unknown };

/**
 * Looks for a declaration that breaks a rule. A tool with one must not be offered over HTTP.
 *
 * @param inputSchema The schema of the tool's arguments.
 * @returns What is wrong, or `undefined`.
 */
export function headerFault(inputSchema: unknown): string | undefined {
  return visit(inputSchema, { names: new Set(), isProperty: false, isReachable: true, depth: 0 });
}

interface Place {
  readonly names: Set<string>;
  readonly isProperty: boolean;
  readonly isReachable: boolean;
  readonly depth: number;
}

function visit(node: unknown, place: Place): string | undefined {
  if (typeof node !== "object" || node === null || place.depth > MAX_DEPTH) return undefined;
  if (Array.isArray(node)) return first(node, (item) => visit(item, below(place, false)));
  const schema = node as Schema;
  const fault = Object.hasOwn(schema, KEYWORD) ? declarationFault(schema, place) : undefined;
  return fault ?? first(Object.entries(schema), ([keyword, value]) => {
    if (DATA.has(keyword)) return undefined;
    if (keyword !== "properties") return visit(value, below(place, false));
    return first(
      Object.values(value ?? {}),
      (property) => visit(property, { ...below(place, place.isReachable), isProperty: true }),
    );
  });
}

function declarationFault(schema: Schema, place: Place): string | undefined {
  const name = schema[KEYWORD];
  if (!place.isProperty || !place.isReachable) return `${KEYWORD} stands beside no plain property`;
  if (typeof name !== "string" || !TOKEN.test(name)) return `${KEYWORD} is no name of a header`;
  if (!TYPES.has(schema.type)) {
    return `${KEYWORD} "${name}" belongs to no text, integer or boolean`;
  }
  if (place.names.has(name.toLowerCase())) return `${KEYWORD} "${name}" is there twice`;
  place.names.add(name.toLowerCase());
  return undefined;
}

function below(place: Place, isReachable: boolean): Place {
  return { ...place, isProperty: false, isReachable, depth: place.depth + 1 };
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
