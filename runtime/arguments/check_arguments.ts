/**
 * Checking a call's arguments against the tool's schema.
 * @module
 */
import type { ArgumentCheck, ToolEntry } from "../../core/entry.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Bounded, loadBounded } from "./bounded.ts";
import { compileSchema, isCostly } from "./compile_schema.ts";

/** What checking needs of an entry. */
export type CheckedEntry = Pick<ToolEntry, "schema" | "validate">;

type Check = (value: JsonObject) => ArgumentCheck | Promise<ArgumentCheck>;

const checks = new WeakMap<CheckedEntry, Check>();

/**
 * Checks arguments: with the original schema's own check where the entry has one, else against its JSON
 * Schema. The first check of an entry makes ready what the later ones use, so those of a JSON Schema
 * answer at once. A check that takes over 250 ms (a catastrophic pattern, a tangle of references) ends
 * with an issue; nothing is ever fetched; nothing throws.
 *
 * @param entry The tool.
 * @param value The arguments.
 * @returns The arguments as the handler gets them, or the issues.
 */
export function checkArguments(
  entry: CheckedEntry,
  value: JsonObject,
): ArgumentCheck | Promise<ArgumentCheck> {
  const check = checks.get(entry);
  return check === undefined ? prepare(entry).then((ready) => ready(value)) : check(value);
}

async function prepare(entry: CheckedEntry): Promise<Check> {
  const bounded = isCostly(entry.schema) ? await loadBounded() : undefined;
  const inner: Check = entry.validate
    ? guardOwn(entry.validate)
    : await compileSchema(entry.schema);
  const check = bounded === undefined ? inner : guardTime(inner, bounded);
  checks.set(entry, check);
  return check;
}

function failure(message: string): ArgumentCheck {
  return { ok: false, issues: [{ path: "", message }] };
}

function guardOwn(validate: NonNullable<ToolEntry["validate"]>): Check {
  const broken = (error: unknown) =>
    failure(`the tool's own check failed: ${error instanceof Error ? error.message : "no reason"}`);
  return (value) => {
    try {
      const answer = validate(value);
      return answer instanceof Promise ? answer.catch(broken) : answer;
    } catch (error) {
      return broken(error);
    }
  };
}

function guardTime(check: Check, bounded: Bounded): Check {
  return (value) =>
    bounded(() => check(value)) ??
      failure(
        "checking took too long, which points at a pattern or a reference in the tool's schema",
      );
}
