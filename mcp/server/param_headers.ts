/**
 * Arguments that a client repeats in header fields, for whoever routes by them: both must say the same.
 * @module
 */
import type { McpDefinition } from "../../runtime/runtime_types.ts";
import type { JsonSchema } from "../../core/json.ts";

/** A parameter whose value is in a header field too. */
interface HeaderParameter {
  readonly path: readonly string[];
  readonly header: string;
  readonly isNumber: boolean;
}

const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const ENCODED = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const MAX_DEPTH = 16;
const parameters = new WeakMap<McpDefinition, readonly HeaderParameter[]>();

/**
 * Compares the header fields of a call with its arguments.
 *
 * @param definition The tool.
 * @param args The arguments.
 * @param headers The request's header fields.
 * @returns What disagrees, or `undefined` when nothing does.
 */
export function findHeaderMismatch(
  definition: McpDefinition,
  args: unknown,
  headers: Headers,
): string | undefined {
  for (const parameter of parametersOf(definition)) {
    const fault = mismatchOf(parameter, args, headers);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function mismatchOf(
  { path, header, isNumber }: HeaderParameter,
  args: unknown,
  headers: Headers,
): string | undefined {
  const value = valueAt(args, path);
  const expected = textOf(value);
  // Without a value there is nothing to repeat; what is no plain value is refused with the arguments.
  if (expected === undefined) return undefined;
  const name = `Mcp-Param-${header}`;
  const sent = headers.get(name);
  const where = `argument ${JSON.stringify(path.join("."))}`;
  if (sent === null) return `the header ${name} is missing, and ${where} has a value`;
  const decoded = decode(sent);
  if (decoded === undefined) return `the header ${name} holds no valid Base64`;
  const isSame = isNumber && typeof value === "number" && DECIMAL.test(decoded)
    ? Number(decoded) === value
    : decoded === expected;
  return isSame ? undefined : `the header ${name} and ${where} hold different values`;
}

function parametersOf(definition: McpDefinition): readonly HeaderParameter[] {
  const known = parameters.get(definition);
  if (known !== undefined) return known;
  const found: HeaderParameter[] = [];
  collect(definition.inputSchema, [], found);
  parameters.set(definition, found);
  return found;
}

function collect(schema: JsonSchema, path: readonly string[], found: HeaderParameter[]): void {
  if (path.length > MAX_DEPTH) return;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property !== "object" || property === null) continue;
    const here = [...path, name];
    const header = property[KEYWORD];
    if (typeof header === "string" && TOKEN.test(header)) {
      const isNumber = property.type === "integer" || property.type === "number";
      found.push({ path: here, header, isNumber });
    }
    collect(property, here, found);
  }
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as { readonly [name: string]: unknown })[name];
  }
  return value;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  const isPlain = typeof value === "number" && Number.isFinite(value) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isPlain ? String(value) : undefined;
}

function decode(sent: string): string | undefined {
  const encoded = ENCODED.exec(sent)?.[1];
  if (encoded === undefined) return sent;
  if (!BASE64.test(encoded)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(Uint8Array.fromBase64(encoded));
  } catch {
    return undefined;
  }
}
