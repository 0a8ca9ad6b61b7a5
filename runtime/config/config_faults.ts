/**
 * From the faults of a configuration to findings with a place.
 * @module
 */
import { findNodeAtLocation, type Node, type ParseError, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { suggestNames } from "../suggest.ts";

type Path = readonly (string | number)[];

/** Where a configuration stands. */
export interface ConfigText {
  /** The file's absolute path, or a word for a configuration that is no file. */
  readonly path: string;
  /** Its text; empty when it is no file. */
  readonly text: string;
  /** Its syntax tree; absent when it is no file. */
  readonly root?: Node;
}

/**
 * A finding for a syntax error.
 *
 * @param source The configuration.
 * @param error What the parser says.
 * @returns The finding.
 */
export function syntaxFault(source: ConfigText, error: ParseError): Diagnostic {
  const words = printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return fault(
    source,
    error.offset,
    "config_syntax",
    `The configuration is not valid JSON: ${words}`,
  );
}

/**
 * Findings for a key that stands twice in one object: only one of them would count.
 *
 * @param source The configuration.
 * @returns One finding for each repetition.
 */
export function duplicateFaults(source: ConfigText): Diagnostic[] {
  const found: Diagnostic[] = [];
  const visit = (node: Node | undefined): void => {
    const seen = new Set<string>();
    for (const child of node?.children ?? []) {
      const key = child.type === "property" ? child.children?.[0] : undefined;
      if (key && seen.has(key.value)) {
        const message = `The key ${quote(key.value)} stands twice in one object`;
        found.push(fault(source, key.offset, "config_duplicate_key", message));
      }
      if (key) seen.add(key.value);
      visit(child);
    }
  };
  visit(source.root);
  return found;
}

/**
 * Findings for what zod found.
 *
 * @param source The configuration.
 * @param issue One issue of zod's.
 * @param known The keys that are known at a path.
 * @returns One finding for each unknown key, else one.
 */
export function structureFaults(
  source: ConfigText,
  issue: z.core.$ZodIssue,
  known: (path: Path) => readonly string[],
): Diagnostic[] {
  const path = issue.path.filter((key) => typeof key !== "symbol");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey(source, path, key, known(path)));
  }
  const nearest = nearestForm(issue);
  if (nearest !== undefined) {
    return nearest.flatMap((inner) =>
      structureFaults(source, { ...inner, path: [...issue.path, ...inner.path] }, known)
    );
  }
  const where = path.length === 0 ? "The configuration" : quote(path.join("."));
  const offset = offsetOf(source, path, issue.code === "invalid_key");
  return [fault(source, offset, "config_value", `${where}: ${reasonOf(issue)}`)];
}

// Of a value that may have several forms, the one that only a key too many keeps it from having.
function nearestForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (issue.code !== "invalid_union") return undefined;
  return issue.errors.find((errors) =>
    errors.length > 0 && errors.every(({ code }) => code === "unrecognized_keys")
  );
}

function unknownKey(
  source: ConfigText,
  path: Path,
  key: string,
  known: readonly string[],
): Diagnostic {
  const place = path.length === 0 ? "the configuration" : quote(path.join("."));
  const near = suggestNames(key, known)[0];
  const hint = near === undefined
    ? `Known keys: ${known.join(", ")}`
    : `Did you mean ${quote(near)}?`;
  const offset = offsetOf(source, [...path, key], true);
  return fault(source, offset, "config_unknown_key", `Unknown key ${quote(key)} in ${place}`, hint);
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  if (issue.code !== "invalid_union") return issue.message;
  const inner = issue.errors.flat().map((error) => error.message.replace(/^Invalid input: /, ""));
  return inner.length === 0 ? issue.message : `Invalid input: ${[...new Set(inner)].join(", or ")}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** Offset of the value at a path, or of its key; of the nearest parent where the value is missing. */
function offsetOf(source: ConfigText, path: Path, atKey: boolean): number {
  if (source.root === undefined) return 0;
  for (let length = path.length; length >= 0; length--) {
    const node = findNodeAtLocation(source.root, path.slice(0, length));
    if (node === undefined) continue;
    const isKey = atKey && length === path.length && node.parent?.type === "property";
    return isKey ? node.parent!.offset : node.offset;
  }
  return 0;
}

function fault(
  source: ConfigText,
  offset: number,
  code: string,
  message: string,
  hint?: string,
): Diagnostic {
  const before = source.text.slice(0, offset);
  const line = before.split(/\r\n|[\n\r]/).length;
  const column = offset - Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r"));
  return {
    severity: "error",
    code,
    message,
    path: source.path,
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
  };
}
