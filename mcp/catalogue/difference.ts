/**
 * What changed between two definitions, for people to read.
 * @module
 */
import { stripHidden } from "../../core/hidden_text.ts";
import type { ChangedTool } from "./pins.ts";
import { canonicalJson, DEFINITION_FIELDS } from "./tool_definition.ts";

const MAX_LINES = 200;
const MAX_LINE_CHARS = 500;

/** What changed in a tool's definition. */
export interface DefinitionDifference {
  /** The fields that changed. */
  readonly fields: readonly string[];
  /** Lines before (`-`) and after (`+`), field by field, with hidden characters written as `\u{…}`. */
  readonly lines: readonly string[];
}

/**
 * The fields in which two definitions differ.
 *
 * @param changed What is pinned and what the server says now.
 * @returns Their names.
 */
export function changedFields({ pinned, current }: ChangedTool): readonly string[] {
  return DEFINITION_FIELDS.filter((field) =>
    canonicalJson(pinned.definition[field] ?? null) !==
      canonicalJson(current.definition[field] ?? null)
  );
}

/**
 * Works out the difference line by line.
 *
 * @param changed What is pinned and what the server says now.
 * @returns The fields and the lines, at most 200.
 */
export async function describeDifference(changed: ChangedTool): Promise<DefinitionDifference> {
  const { diffLines } = await import("diff");
  const fields = changedFields(changed);
  const lines = fields.flatMap((field) => {
    const [before, after] = [changed.pinned, changed.current].map(({ definition }) =>
      `${textOf(definition[field as keyof typeof definition])}\n`
    );
    const parts = diffLines(before!, after!).filter(({ added, removed }) => added || removed);
    return [
      `${field}:`,
      ...parts.flatMap(({ added, value }) =>
        value.replace(/\n$/, "").split("\n").map((line) => `${added ? "+" : "-"} ${showLine(line)}`)
      ),
    ];
  });
  const more = lines.length - MAX_LINES;
  return {
    fields,
    lines: more > 0 ? [...lines.slice(0, MAX_LINES), `… ${more} more lines`] : lines,
  };
}

function textOf(value: unknown): string {
  if (value === undefined) return "(not given)";
  return typeof value === "string" ? value : canonicalJson(value, 2);
}

// A change of hidden characters alone must be seen too.
function showLine(line: string): string {
  const short = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
  return Array.from(
    short,
    (character) =>
      stripHidden(character).hidden.length === 0
        ? character
        : `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  ).join("");
}
