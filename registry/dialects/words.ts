/**
 * What a schema says to people, for dialects that know few words.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import type { Form, Variant } from "./forms.ts";
import { only, type ProjectionNotes } from "./projection.ts";

/** Words that are dropped where a dialect does not know them. */
const DROPPABLE: readonly string[] = ["default", "examples"];

/**
 * Writes the words of a form or a variant.
 *
 * @param of The form or the variant.
 * @param known Which words the dialect knows.
 * @param notes Takes what is lost.
 * @returns The words, the default within the description where the dialect has no word for it.
 */
export function writeWords(
  of: Form | Variant,
  known: readonly string[],
  notes: ProjectionNotes,
): JsonSchema {
  const kept = only(of.words, known);
  for (const key of DROPPABLE) {
    if (!(key in of.words) || known.includes(key)) continue;
    const where = key === "default" ? "told in the description" : "not told";
    notes.lose(of.words, key, `"${key}" is ${where}`);
  }
  if (known.includes("default") || !("default" in of.words)) return kept;
  const told = `Default: ${JSON.stringify(of.words.default)}`;
  const before = typeof kept.description === "string" ? `${kept.description}\n` : "";
  return { ...kept, description: before + told };
}

/**
 * Keeps the rules that a dialect knows.
 *
 * @param variant The variant.
 * @param knows Says whether the dialect knows a rule.
 * @param notes Takes what is lost.
 * @returns The rules that it knows.
 */
export function writeRules(
  variant: Variant,
  knows: (key: string, value: unknown) => boolean,
  notes: ProjectionNotes,
): JsonSchema {
  const entries = Object.entries(variant.rules);
  for (const [key, value] of entries) {
    if (knows(key, value) || isTrivial(key, value)) continue;
    notes.lose(variant.rules, key, `"${key}" is not told; it is checked when the tool is called`);
  }
  return Object.fromEntries(entries.filter(([key, value]) => knows(key, value)));
}

function isTrivial(key: string, value: unknown): boolean {
  return value === 0 && key.startsWith("min") && key !== "minimum" ||
    (key === "uniqueItems" && value === false);
}
