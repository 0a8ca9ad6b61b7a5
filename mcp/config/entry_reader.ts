/**
 * Reading single values of a server's entry, whoever wrote it.
 * @module
 */
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { redactSecrets } from "../../runtime/redact.ts";
import { readArgumentText } from "./argument_text.ts";
import type { FaultList } from "./server_fault.ts";

const TRUE = /^(?:true|yes|on|1)$/i;
const FALSE = /^(?:false|no|off|0)$/i;
const MAX_TIMER_MS = 2_147_483_647;

/** Reads the values of one entry; what cannot be read is a fault, and counts as left out. */
export class EntryReader {
  readonly #entry: JsonObject;
  readonly #faults: FaultList;

  /**
   * Takes an entry.
   *
   * @param entry The entry.
   * @param faults Takes what is wrong with it.
   */
  constructor(entry: JsonObject, faults: FaultList) {
    this.#entry = entry;
    this.#faults = faults;
  }

  /**
   * The value of a key.
   *
   * @param keys Names for it; the first one that is there counts.
   * @returns The value, or `undefined`.
   */
  value(...keys: readonly string[]): JsonValue | undefined {
    const key = keys.find((name) => this.has(name));
    return key === undefined ? undefined : this.#entry[key];
  }

  /**
   * Whether a key is there.
   *
   * @param key Its name.
   * @returns True when it is, and not `null`.
   */
  has(key: string): boolean {
    return Object.hasOwn(this.#entry, key) && this.#entry[key] !== null;
  }

  /**
   * A text.
   *
   * @param keys Names for it.
   * @returns The text, or `undefined`.
   */
  text(...keys: readonly string[]): string | undefined {
    const value = this.value(...keys);
    if (value === undefined || typeof value === "string") return value;
    return this.#wrong(keys[0]!, value, "a text");
  }

  /**
   * A yes or no, also when it was written as a text.
   *
   * @param key Its name.
   * @param otherwise What it is when it is left out.
   * @returns Yes or no.
   */
  flag(key: string, otherwise: boolean): boolean {
    const value = this.value(key);
    if (value === undefined || typeof value === "boolean") return value ?? otherwise;
    if (TRUE.test(String(value))) return true;
    if (FALSE.test(String(value))) return false;
    this.#wrong(key, value, "true or false");
    return otherwise;
  }

  /**
   * A number of milliseconds.
   *
   * @param key Its name.
   * @param otherwise What it is when it is left out.
   * @returns The number.
   */
  milliseconds<T extends number | undefined>(key: string, otherwise: T): number | T {
    const value = this.value(key);
    if (value === undefined) return otherwise;
    if (typeof value === "number" && value >= 1 && value <= MAX_TIMER_MS) return Math.floor(value);
    this.#wrong(key, value, `a number of milliseconds from 1 to ${MAX_TIMER_MS}`);
    return otherwise;
  }

  /**
   * A list of texts; one text alone is a list of one.
   *
   * @param key Its name.
   * @returns The list, or `undefined`.
   */
  texts(key: string): readonly string[] | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value === "string") return [value];
    if (isTexts(value)) return value;
    return this.#wrong(key, value, "a list of texts");
  }

  /**
   * Arguments: a list, or one text that is taken apart.
   *
   * @param key Its name.
   * @returns The arguments; empty when they are left out.
   */
  args(key: string): readonly string[] {
    const value = this.value(key);
    if (value === undefined) return [];
    if (isTexts(value)) return value;
    if (typeof value !== "string") return this.#wrong(key, value, "a list of texts") ?? [];
    try {
      return readArgumentText(value);
    } catch (error) {
      return this.#wrong(key, value, `a list of texts; ${(error as Error).message}`) ?? [];
    }
  }

  /**
   * Texts by name; numbers and booleans become texts.
   *
   * @param key Its name.
   * @returns The texts; empty when they are left out.
   */
  record(key: string): Readonly<Record<string, string>> {
    const value = this.value(key);
    if (value === undefined) return {};
    if (!isObject(value) || Object.values(value).some((item) => typeof item === "object")) {
      return this.#wrong(key, value, "an object of texts") ?? {};
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
  }

  /**
   * An object.
   *
   * @param key Its name.
   * @returns A reader of it; of an empty one when it is left out.
   */
  object(key: string): EntryReader {
    const value = this.value(key);
    const entry = value === undefined || isObject(value)
      ? value
      : this.#wrong<JsonObject>(key, value, "an object");
    return new EntryReader(entry ?? {}, this.#faults);
  }

  #wrong<T>(key: string, value: JsonValue, expected: string): T | undefined {
    this.#faults.add("error", "server_value", `"${key}" is ${show(value)}: expected ${expected}`);
    return undefined;
  }
}

/**
 * Whether a value is an object.
 *
 * @param value The value.
 * @returns False also for a list.
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// What stands in objects and lists may be secret.
function show(value: JsonValue): string {
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return redactSecrets(JSON.stringify(value)).slice(0, 80);
}

function isTexts(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
