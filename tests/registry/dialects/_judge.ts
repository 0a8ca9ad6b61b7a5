/** Whether a schema refuses a value for a reason that no reported loss gives. */
import { dereference, type Schema, validate, Validator } from "@cfworker/json-schema";
import type { JsonObject, JsonSchema, JsonValue } from "../../../core/json.ts";
import { ignoresSiblings } from "../../../registry/dialects/drafts.ts";
import { escapeToken, isRecord, type SchemaLoss } from "../../../registry/dialects/projection.ts";
import { partAt, placeOf, reachedFrom } from "./_places.ts";
import { all, exactly, not, some, type Verdict } from "./_verdict.ts";

type Node = JsonSchema | boolean;
type Part = readonly [schema: Node, path: string];

/** Losses after which less is accepted, not more: they excuse nothing. */
const NARROWING =
  /can be given$|^Any value is allowed: |^The empty text is not told$|^"(default|examples)" is /;
const TOGETHER = /^The parameters of \d+ alternatives are told together/;
const ONLY_ONE = /^That only one of the alternatives may hold/;
const BY_NULL = "It may be left out, which is said by null";
const ONLY_NULL = "Only null is allowed, which is not told";
const LEFT_OUT = /which allows no value, is left out$/;
const NO_PLACES = /^Which item stands in which place/;
/** What happens to the root alone, and not where it lies within itself. */
const OF_ROOT = /at the root is not told|told together/;
const TOLD_TOGETHER: readonly string[] = ["properties", "required", "additionalProperties"];
/** Keywords that say nothing here, or are judged with another one. */
const SILENT: readonly string[] =
  ("$schema $id $anchor $comment $defs definitions then else minContains maxContains additionalItems")
    .split(" ");

/** Judges values by a schema of which some words do not count. */
export class Judge {
  readonly #root: JsonSchema;
  readonly #losses = new Map<string, string[]>();
  readonly #validators = new WeakMap<JsonSchema, Map<string, Validator>>();
  #depth = 0;

  constructor(original: JsonSchema, losses: readonly SchemaLoss[]) {
    this.#root = original;
    for (const { path, message } of losses) {
      if (NARROWING.test(message)) continue;
      this.#losses.set(path, [...this.#losses.get(path) ?? [], message]);
    }
  }

  /** Whether the schema refuses a value whatever the lost words say. */
  refuses(value: JsonValue): boolean {
    return this.#part([this.#root, ""], value, true) === false;
  }

  #lost(path: string, isRoot: boolean): readonly string[] {
    const messages = this.#losses.get(path) ?? [];
    return isRoot ? messages : messages.filter((message) => !OF_ROOT.test(message));
  }

  #part(part: Part, value: JsonValue, isRoot = false): Verdict {
    // A schema that refers to itself without end refuses nothing and accepts nothing.
    if (this.#depth > 100) throw new RangeError("It has no end");
    this.#depth++;
    try {
      return this.#judge(part, value, isRoot);
    } finally {
      this.#depth--;
    }
  }

  #judge([schema, path]: Part, value: JsonValue, isRoot: boolean): Verdict {
    const lost = this.#lost(path, isRoot);
    if (lost.some((message) => LEFT_OUT.test(message))) return undefined;
    if (value === null && lost.includes(BY_NULL)) return undefined;
    if (typeof value === "string" && lost.includes(ONLY_NULL)) return undefined;
    if (typeof schema === "boolean") return schema;
    const isAlone = ignoresSiblings(this.#root) && "$ref" in schema;
    const keys = isAlone ? ["$ref"] : Object.keys(schema).filter((key) => !SILENT.includes(key));
    return all(keys.map((key) => this.#keyword([schema, path], key, value, isRoot)));
  }

  #keyword([schema, path]: Part, key: string, value: JsonValue, isRoot: boolean): Verdict {
    const whole = schema as JsonSchema;
    const place = `${path}/${key}`;
    const lost = this.#lost(place, isRoot);
    if (lost.some((message) => TOGETHER.test(message))) return this.#together(whole, place, value);
    if (key === "$ref") return this.#reference(whole, lost.length > 0, value, isRoot);
    if (lost.some((one) => !ONLY_ONE.test(one) && !NO_PLACES.test(one))) return undefined;
    const parts = (): readonly Part[] =>
      (whole[key] as readonly Node[]).map((one, at) => [one, `${place}/${at}`]);
    const each = (): readonly Verdict[] => parts().map((part) => this.#part(part, value, isRoot));
    switch (key) {
      case "allOf":
        return all(each());
      case "anyOf":
        return some(each());
      case "oneOf":
        return lost.length > 0 ? some(each()) : exactly(each());
      case "not":
        return not(this.#part([whole.not as Node, place], value));
      case "if":
        return this.#condition([whole, path], value);
      case "dependentSchemas":
      case "dependencies":
        return this.#dependent(whole[key] as JsonObject, place, value);
      default:
        if (Array.isArray(value)) return this.#list([whole, path], key, value, lost.length > 0);
        if (isObject(value)) return this.#object([whole, path], key, value);
        return this.#assertion(whole, key, value);
    }
  }

  #reference(schema: JsonSchema, isCut: boolean, value: JsonValue, isRoot: boolean): Verdict {
    const path = placeOf(String(schema.$ref));
    const target = partAt(this.#root, path);
    if (!isCut) return this.#part([target as Node, path], value, isRoot);
    // Of what lies within itself the type is still told.
    const { type } = target as JsonSchema;
    const isOther = type !== undefined && !this.#assertion({ type }, "type", value);
    return isOther && this.#part([target as Node, path], value, isRoot) === false
      ? false
      : undefined;
  }

  #condition([schema, path]: Part, value: JsonValue): Verdict {
    const { if: condition, then = true, else: other = true } = schema as JsonSchema;
    const holds = this.#part([condition as Node, `${path}/if`], value);
    const branches = [
      ...holds === false ? [] : [this.#part([then as Node, `${path}/then`], value)],
      ...holds === true ? [] : [this.#part([other as Node, `${path}/else`], value)],
    ];
    return new Set(branches).size === 1 ? branches[0] : undefined;
  }

  #dependent(dependencies: JsonObject, place: string, value: JsonValue): Verdict {
    if (!isObject(value)) return true;
    const asked = Object.entries(dependencies).filter(([name]) => Object.hasOwn(value, name));
    return all(
      asked.map(([name, one]) =>
        Array.isArray(one)
          ? one.every((other) => Object.hasOwn(value, other as string))
          : this.#part([one as Node, `${place}/${escapeToken(name)}`], value)
      ),
    );
  }

  #list([schema, path]: Part, key: string, value: readonly JsonValue[], isMixed: boolean): Verdict {
    const whole = schema as JsonSchema;
    const inner = whole[key] as Node;
    // A list of schemas in `items` is the older word for `prefixItems`; nothing has both.
    if (key === "prefixItems" && Array.isArray(whole.items)) return true;
    const isTuple = key === "prefixItems" || (key === "items" && Array.isArray(inner));
    if (isTuple) return this.#tuple([whole, path], key, value, isMixed);
    if (key === "items") {
      // Beside a tuple these are the items after it.
      if (whole.prefixItems !== undefined) return true;
      return all(value.map((item) => this.#part([inner, `${path}/items`], item)));
    }
    if (key !== "contains") return this.#assertion(whole, key, value);
    const found = value.map((item) => this.#part([inner, `${path}/contains`], item));
    const least = found.filter((one) => one === true).length;
    const most = found.filter((one) => one !== false).length;
    const [low, high] = [Number(whole.minContains ?? 1), Number(whole.maxContains ?? Infinity)];
    if (most < low || least > high) return false;
    return least >= low && most <= high ? true : undefined;
  }

  #tuple(
    [schema, path]: Part,
    key: string,
    value: readonly JsonValue[],
    isMixed: boolean,
  ): Verdict {
    const whole = schema as JsonSchema;
    const after = key === "items" ? "additionalItems" : "items";
    const places = (whole[key] as readonly Node[])
      .map((one, at): Part => [one, `${path}/${key}/${at}`]);
    const rest: Part = [whole[after] as Node | undefined ?? true, `${path}/${after}`];
    const isRestLost = this.#lost(rest[1], false).length > 0;
    return all(value.map((item, at) => {
      if (!isMixed) {
        return at >= places.length && isRestLost ? undefined : this.#part(places[at] ?? rest, item);
      }
      if (at >= places.length && rest[0] === false) return false;
      return some([...places, rest].map((part) => this.#part(part, item)));
    }));
  }

  #object([schema, path]: Part, key: string, value: JsonObject): Verdict {
    const whole = schema as JsonSchema;
    const entries = Object.entries(value);
    switch (key) {
      case "properties":
      case "additionalProperties":
        return all(
          entries.map(([name, inner]) => {
            const part = this.#property([whole, path], name);
            const isNamed = part !== undefined && part[1] !== `${path}/additionalProperties`;
            return part && isNamed === (key === "properties") ? this.#part(part, inner) : true;
          }),
        );
      case "patternProperties":
        return all(
          Object.entries(whole.patternProperties as JsonObject).flatMap(([pattern, one]) =>
            entries.filter(([name]) => new RegExp(pattern, "u").test(name)).map(([, inner]) =>
              this.#part([one as Node, `${path}/patternProperties/${escapeToken(pattern)}`], inner)
            )
          ),
        );
      case "propertyNames":
        return all(
          entries.map(([name]) =>
            this.#part([whole.propertyNames as Node, `${path}/propertyNames`], name)
          ),
        );
      case "unevaluatedProperties":
        return this.#unevaluated([whole, path], value);
      default:
        return this.#assertion(whole, key, value);
    }
  }

  /** What is said of a property by its name, or of those that are not named. */
  #property([schema, path]: Part, name: string): Part | undefined {
    const { properties, patternProperties, additionalProperties } = schema as JsonSchema;
    if (Object.hasOwn(properties ?? {}, name)) {
      return [properties![name] as Node, `${path}/properties/${escapeToken(name)}`];
    }
    const patterns = Object.keys(patternProperties as JsonObject | undefined ?? {});
    if (patterns.some((pattern) => new RegExp(pattern, "u").test(name))) return undefined;
    return additionalProperties === undefined
      ? undefined
      : [additionalProperties as Node, `${path}/additionalProperties`];
  }

  /** Which properties are evaluated depends on what is beside; with a loss in there nobody can tell. */
  #unevaluated([schema, path]: Part, value: JsonObject): Verdict {
    const reached = [...reachedFrom(this.#root, path)];
    const isWithin = (place: string) => reached.some((one) => place.startsWith(`${one}/`));
    if ([...this.#losses.keys()].some(isWithin)) return undefined;
    const { unevaluatedProperties: _, ...rest } = schema as JsonSchema;
    const holds = (judged: JsonSchema): boolean => {
      // References within lead into the whole.
      const whole = structuredClone({ ...this.#root, judged }) as Schema & { judged: Schema };
      return validate(value, whole.judged, "2020-12", dereference(whole)).valid;
    };
    return holds(schema as JsonSchema) || (holds(rest) ? false : undefined);
  }

  #assertion(schema: JsonSchema, key: string, value: JsonValue): boolean {
    const beside = key === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
    const flag = typeof schema[beside] === "boolean" ? { [beside]: schema[beside] } : {};
    // In draft 4 these are flags of the other bound.
    if (/^exclusive/.test(key) && typeof schema[key] === "boolean") return true;
    const known = this.#validators.get(schema) ?? new Map<string, Validator>();
    this.#validators.set(schema, known);
    const one = structuredClone({ [key]: schema[key], ...flag }) as Schema;
    const draft = Object.keys(flag).length > 0 ? "4" : "2020-12";
    const validator = known.get(key) ?? new Validator(one, draft);
    known.set(key, validator);
    return validator.validate(value).valid;
  }

  /** Alternatives of which each property may come from another one; everything else holds in one of them. */
  #together(schema: JsonSchema, place: string, value: JsonValue): Verdict {
    const key = place.slice(place.lastIndexOf("/") + 1);
    const branches = (schema[key] as readonly Node[])
      .map((one, at): Part => [one, `${place}/${at}`])
      .filter(([one]) => one !== false);
    const rest = branches.map(([one, path]): Part => [
      typeof one === "boolean"
        ? one
        : Object.fromEntries(Object.entries(one).filter(([word]) => !TOLD_TOGETHER.includes(word))),
      path,
    ]);
    const others = some(rest.map((part) => this.#part(part, value, true)));
    if (!isObject(value) || others === false) return others;
    // What a branch says by reference or in parts about properties is not put together here.
    const isPlain = ([one]: Part): boolean =>
      typeof one === "boolean" || !["$ref", "allOf", "anyOf", "oneOf"].some((word) => word in one);
    if (!branches.every(isPlain)) return undefined;
    const named = Object.entries(value).map(([name, inner]) =>
      some(branches.map((branch) => {
        const part = typeof branch[0] === "boolean" ? undefined : this.#property(branch, name);
        if (part === undefined) return true;
        const words = [`${branch[1]}/properties`, `${branch[1]}/additionalProperties`];
        const isLost = words.some((word) =>
          part[1].startsWith(word) && this.#lost(word, true).length > 0
        );
        return isLost ? undefined : this.#part(part, inner);
      }))
    );
    const isWhole = branches.some(([one]) =>
      typeof one === "boolean" || (one.required ?? []).every((name) => Object.hasOwn(value, name))
    );
    const shared = (branches[0]?.[0] as JsonSchema | undefined)?.required ?? [];
    const isEnough = isWhole || !shared.some((name) =>
      !Object.hasOwn(value, name) &&
      branches.every(([one]) => (one as JsonSchema).required?.includes(name))
    );
    return all([others, isEnough, ...named]);
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return isRecord(value);
}
