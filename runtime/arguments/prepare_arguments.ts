/**
 * A call's arguments from what the model wrote to what the handler gets.
 * @module
 */
import type { ArgumentCheck, ArgumentIssue, ToolEntry } from "../../core/entry.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { checkArguments } from "./check_arguments.ts";
import { coerceArguments, isEager } from "./coerce_arguments.ts";
import { compileDefaults, type Fill } from "./fill_defaults.ts";
import { defaultTest } from "./usable_defaults.ts";
import { parseArguments, type ReadArguments } from "./parse_arguments.ts";
import { findUnsafe } from "./unsafe_integers.ts";

/** What preparing needs of an entry. */
export type PreparedEntry = Pick<ToolEntry, "schema" | "validate" | "hasOwnCheck">;

/** What preparing gave. */
export type PreparedArguments =
  | {
    readonly ok: true;
    /** The arguments, with defaults, in the types of the schema: what goes to a worker. */
    readonly args: JsonObject;
    /** What the schema's own check made of them: what an inline handler gets. */
    readonly value: JsonValue;
    /** Present when the text was no JSON and had to be repaired. */
    readonly repaired?: true;
  }
  | { readonly ok: false; readonly issues: readonly ArgumentIssue[] };

interface Plan {
  /** Whether valid arguments are coerced too. */
  readonly eager: boolean;
  readonly fill: Fill | undefined;
}

const plans = new WeakMap<PreparedEntry, Plan>();

/**
 * Reads a call's arguments, fills the schema's defaults, and checks them. Only what does not fit is coerced,
 * and only text that is no JSON is repaired, so that neither costs anything where all is well. From the
 * second call of an entry on, right arguments of a JSON Schema are answered at once.
 *
 * @param entry The tool.
 * @param args The arguments, as an object or as JSON text.
 * @returns The arguments as the handler gets them, or what is wrong.
 */
export function prepareArguments(
  entry: PreparedEntry,
  args: JsonObject | string,
): PreparedArguments | Promise<PreparedArguments> {
  const parsed = parseArguments(args);
  if (parsed.ok) return prepare(entry, parsed);
  if (typeof args !== "string" || !parsed.syntax) return parsed;
  if (args.trim() === "" && takesNothing(entry)) return prepare(entry, { ok: true, value: {} });
  return repair(entry, args, parsed.issues);
}

/** With nothing to pass, no text at all says the same as an empty object. */
function takesNothing({ schema, validate }: PreparedEntry): boolean {
  return validate === undefined && Object.keys(schema.properties ?? {}).length === 0;
}

async function repair(
  entry: PreparedEntry,
  text: string,
  issues: readonly ArgumentIssue[],
): Promise<PreparedArguments> {
  const { repairText } = await import("./repair_text.ts");
  const repaired = await repairText(text);
  if (!repaired.ok) {
    const message = `${issues[0]!.message}. It was not repaired: ${repaired.reason}`;
    return { ok: false, issues: [{ path: "", message }] };
  }
  const parsed = parseArguments(repaired.text);
  if (!parsed.ok) return { ok: false, issues: parsed.issues };
  const prepared = await prepare(entry, parsed);
  return prepared.ok ? { ...prepared, repaired: true } : prepared;
}

function prepare(
  entry: PreparedEntry,
  parsed: ReadArguments,
): PreparedArguments | Promise<PreparedArguments> {
  const plan = plans.get(entry);
  return plan ? run(entry, plan, parsed) : makePlan(entry).then((made) => run(entry, made, parsed));
}

async function makePlan(entry: PreparedEntry): Promise<Plan> {
  const { schema } = entry;
  // A schema object of another library fills in its defaults itself, and may make them anew for each call.
  const isForeign = entry.validate !== undefined || entry.hasOwnCheck === true;
  const fill = isForeign ? undefined : compileDefaults(schema, await defaultTest(schema));
  const plan = { eager: isEager(schema), fill };
  plans.set(entry, plan);
  return plan;
}

function run(
  entry: PreparedEntry,
  plan: Plan,
  { value, unsafe }: ReadArguments,
): PreparedArguments | Promise<PreparedArguments> {
  const given = fillWith(plan, value);
  const finish = (check: ArgumentCheck, args: JsonObject): PreparedArguments => {
    if (!check.ok) return check;
    const issue = unsafe ? findUnsafe(entry.schema, args) : undefined;
    return issue ? { ok: false, issues: [issue] } : { ok: true, args, value: check.value };
  };
  const coerce = (
    otherwise: (check: ArgumentCheck) => PreparedArguments | Promise<PreparedArguments>,
  ) => {
    const coerced = coerceArguments(entry.schema, given);
    if (coerced === given) return undefined;
    const filled = fillWith(plan, coerced);
    return then(
      checkArguments(entry, filled),
      (check) => check.ok ? finish(check, filled) : otherwise(check),
    );
  };
  const plain = () => then(checkArguments(entry, given), (check) => finish(check, given));
  if (plan.eager) return coerce(plain) ?? plain();
  return then(
    checkArguments(entry, given),
    (check) => check.ok ? finish(check, given) : coerce((after) => finish(after, given)) ?? check,
  );
}

function fillWith({ fill }: Plan, value: JsonObject): JsonObject {
  return fill === undefined ? value : fill(value);
}

function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
