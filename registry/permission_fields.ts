/**
 * What a tool may write under `permissions`.
 * @module
 */
import type { JsonSchema } from "../core/json.ts";
import { PERMISSION_KEYS, type Permissions } from "../core/permissions.ts";
import { nearestWords } from "./nearest.ts";
import { isPlain } from "./plain_copy.ts";
import { show } from "./show.ts";

// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x1f\x7f]/;
const PATH = /^(?:\$(?:WORKSPACE|TOOL_DIR|DATA|TMP)(?:[/\\].*)?|\/.*|[A-Za-z]:[/\\].*)$/s;
const HOST = /^(?:[A-Za-z0-9][^\s/,@?#]*|\[[0-9A-Fa-f:.]+\](?::\d+)?)$/;
const ARGUMENT = /^\$ARG\.(.+)$/s;

interface EntryRule {
  readonly expected: string;
  readonly pattern: RegExp;
  readonly takesArgument: boolean;
}

const PATH_RULE: EntryRule = {
  expected: `a path that starts with $WORKSPACE, $TOOL_DIR, $DATA, $TMP or "/", or $ARG.<name>`,
  pattern: PATH,
  takesArgument: true,
};

const RULES: Readonly<Record<string, EntryRule>> = {
  read: PATH_RULE,
  write: PATH_RULE,
  ffi: PATH_RULE,
  net: { expected: `"host" or "host:port", or $ARG.<name>`, pattern: HOST, takesArgument: true },
  env: { expected: "the name of a variable", pattern: /^[^\s=,$]+$/, takesArgument: false },
  run: { expected: "a program's name or path", pattern: /^[^\s$][^$]*$/, takesArgument: false },
  sys: { expected: "a kind of system information", pattern: /^[A-Za-z]+$/, takesArgument: false },
};

/**
 * Checks and copies a tool's permissions.
 *
 * @param value What the tool declares; `undefined` for nothing at all.
 * @param schema The schema of its parameters, for `$ARG.<name>`.
 * @param subject How messages begin, for example `Cannot register tool "x"`.
 * @returns A frozen copy.
 * @throws {TypeError} If a key is unknown, or an entry grants more than it names.
 */
export function readPermissions(value: unknown, schema: JsonSchema, subject: string): Permissions {
  if (value === undefined) return NOTHING;
  if (!isPlain(value)) {
    throw new TypeError(
      `${subject}: field "permissions" is ${show(value)}, expected an object of lists; ` +
        `leave it out to grant nothing`,
    );
  }
  const copy: Record<string, false | readonly string[]> = {};
  for (const [key, list] of Object.entries(value)) {
    if (list === undefined) continue;
    copy[key] = readKey(key, list, schema, subject);
  }
  return Object.freeze(copy) as Permissions;
}

const NOTHING: Permissions = Object.freeze({});

function readKey(
  key: string,
  list: unknown,
  schema: JsonSchema,
  subject: string,
): false | readonly string[] {
  if (!(PERMISSION_KEYS as readonly string[]).includes(key)) throw unknownKey(key, subject);
  if (list === false) return false;
  if (key === "import") {
    throw new TypeError(
      `${subject}: "permissions.import" is ${show(list)}, expected false: a tool cannot import ` +
        `code from the network`,
    );
  }
  if (!Array.isArray(list)) {
    throw new TypeError(
      `${subject}: "permissions.${key}" is ${show(list)}, expected a list of strings, or false; ` +
        `there is no spelling for everything`,
    );
  }
  return Object.freeze(
    Array.from(list, (entry) => readEntry(key, RULES[key]!, entry, schema, subject)),
  );
}

function unknownKey(key: string, subject: string): TypeError {
  const near = nearestWords(key, PERMISSION_KEYS)[0];
  const hint = near === undefined
    ? `expected one of ${PERMISSION_KEYS.join(", ")}`
    : `did you mean "${near}"?`;
  return new TypeError(`${subject}: unknown permission "${key}"; ${hint}`);
}

function readEntry(
  key: string,
  rule: EntryRule,
  entry: unknown,
  schema: JsonSchema,
  subject: string,
): string {
  const fault = (problem: string): TypeError =>
    new TypeError(`${subject}: "permissions.${key}" holds ${show(entry)}, ${problem}`);
  if (typeof entry !== "string" || entry === "" || CONTROL.test(entry)) {
    throw fault(`expected ${rule.expected}`);
  }
  if (entry.includes("*")) {
    throw fault(`but "*" is not allowed: there is no spelling for everything, name each one`);
  }
  const argument = ARGUMENT.exec(entry)?.[1];
  if (argument !== undefined && rule.takesArgument) {
    assertArgument(argument, schema, fault);
  } else if (!rule.pattern.test(entry)) throw fault(`expected ${rule.expected}`);
  return entry;
}

function assertArgument(
  name: string,
  schema: JsonSchema,
  fault: (problem: string) => TypeError,
): void {
  const properties = schema.properties ?? {};
  if (!Object.hasOwn(properties, name)) {
    const near = nearestWords(name, Object.keys(properties))[0];
    throw fault(
      `but the schema has no parameter "${name}"` +
        (near === undefined ? "" : `; did you mean "$ARG.${near}"?`),
    );
  }
  const property = properties[name];
  const type = typeof property === "object" ? property.type : undefined;
  if (
    type !== undefined && type !== "string" && !(Array.isArray(type) && type.includes("string"))
  ) {
    throw fault(`but the parameter "${name}" is no string`);
  }
}
