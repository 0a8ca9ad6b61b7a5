/**
 * From a validator's findings to issues that name the field, what was given and what is expected.
 * @module
 */
import type { ArgumentIssue } from "../../core/entry.ts";
import type { JsonObject, JsonSchema } from "../../core/json.ts";
import { suggestNames } from "../suggest.ts";
import { describeExpected, schemaAt } from "./expected.ts";

/** One finding of the validator. */
export interface Finding {
  /** The keyword that failed. */
  readonly keyword: string;
  /** Where in the schema, `#/…`. */
  readonly keywordLocation: string;
  /** Where in the value, `#/…`. */
  readonly instanceLocation: string;
  /** A sentence. */
  readonly error: string;
}

const MAX_ISSUES = 10;
const MAX_SHOWN = 80;
/** Keywords that only pass on what is found below them. */
const PASSING = new Set([
  "$ref",
  "$recursiveRef",
  "$dynamicRef",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "if",
  "dependentSchemas",
  "dependencies",
]);

/**
 * Makes issues of findings: one for each fault, at most ten.
 *
 * @param schema The schema, for what is expected.
 * @param value The arguments, for what was given.
 * @param findings The validator's findings, parents before children.
 * @returns The issues.
 */
export function issuesOf(
  schema: JsonSchema,
  value: JsonObject,
  findings: readonly Finding[],
): readonly ArgumentIssue[] {
  const issues = new Map<string, ArgumentIssue>();
  const groups = findings.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  for (const finding of findings) {
    if (issues.size >= MAX_ISSUES) break;
    if (PASSING.has(finding.keyword) || isInside(finding, groups)) continue;
    const issue = issueOf(schema, value, finding, findings);
    issues.set(`${issue.path}\n${issue.message}`, issue);
  }
  return issues.size > 0
    ? [...issues.values()]
    : [{ path: "", message: "does not fit the schema" }];
}

function isInside(finding: Finding, groups: readonly Finding[]): boolean {
  return groups.some((group) => finding.keywordLocation.startsWith(`${group.keywordLocation}/`));
}

function issueOf(
  schema: JsonSchema,
  value: JsonObject,
  finding: Finding,
  all: readonly Finding[],
): ArgumentIssue {
  const path = finding.instanceLocation.slice(1);
  const given = valueAt(value, path);
  switch (finding.keyword) {
    case "required":
      return missing(schema, path, finding);
    case "false":
      return unknownField(schema, path);
    case "type":
      return { path, message: `expected ${quotedWords(finding.error)}, got ${show(given)}` };
    case "anyOf":
    case "oneOf":
      return { path, message: alternatives(finding, all, given) };
    default:
      return { path, message: `${plain(finding.error)}, got ${show(given)}` };
  }
}

function missing(schema: JsonSchema, path: string, finding: Finding): ArgumentIssue {
  const name = /"(.*)"/s.exec(finding.error)?.[1] ?? "";
  const field = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return {
    path: field,
    message: `is missing, expected ${describeExpected(schemaAt(schema, field))}`,
  };
}

function unknownField(schema: JsonSchema, path: string): ArgumentIssue {
  const name = unescape(path.slice(path.lastIndexOf("/") + 1));
  const parent = schemaAt(schema, path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  const known = Object.keys(parent?.properties ?? {});
  const near = suggestNames(name, known);
  const hint = near.length > 0
    ? `; did you mean "${near[0]}"?`
    : known.length > 0
    ? `; known are ${known.slice(0, 20).map((key) => `"${key}"`).join(", ")}`
    : "";
  return { path, message: `is not a known parameter${hint}` };
}

function alternatives(group: Finding, all: readonly Finding[], given: unknown): string {
  const several = /\((\d+) matches\)/.exec(group.error)?.[1];
  if (several !== undefined && several !== "0") {
    return `fits ${several} of the allowed forms, expected exactly one; got ${show(given)}`;
  }
  const below = all.filter((finding) => isInside(finding, [group]));
  const here = below.filter(({ instanceLocation }) => instanceLocation === group.instanceLocation);
  const types = here.filter(({ keyword }) => keyword === "type").map(({ error }) =>
    quotedWords(error)
  );
  const others = below.filter(({ keyword }) =>
    keyword !== "type" && !PASSING.has(keyword) && keyword !== "anyOf" && keyword !== "oneOf"
  ).map((finding) => `${finding.instanceLocation.slice(1)} ${plain(finding.error)}`.trim());
  const expected = [...new Set(types)].join(" or ");
  const reasons = [...new Set(others)].slice(0, 3).join("; ");
  return [
    expected === "" ? "fits none of the allowed forms" : `expected ${expected}`,
    `got ${show(given)}`,
    ...(reasons === "" ? [] : [reasons]),
  ].join(", ");
}

function quotedWords(error: string): string {
  const expected = error.slice(error.indexOf("Expected"));
  return [...expected.matchAll(/"([^"]*)"/g)].map((match) => match[1]!).join(" or ");
}

function plain(error: string): string {
  const text = error.replace(/\.$/, "").slice(0, 300);
  return text.replace(/^Instance does not match any of /, "expected one of ")
    .replace(/^Instance does not match /, "does not match ")
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

function unescape(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const token of path.split("/").slice(1).map(unescape)) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.hasOwn(current, token)
      ? (current as { readonly [key: string]: unknown })[token]
      : undefined;
  }
  return current;
}

/** What was given: its kind, and its value as far as it is short. */
function show(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") {
    return `an object with ${
      Object.keys(value).slice(0, 5).map((key) => `"${key.slice(0, 30)}"`).join(", ") || "no fields"
    }`;
  }
  const text = typeof value === "string"
    ? JSON.stringify(value.slice(0, MAX_SHOWN).toWellFormed()) +
      (value.length > MAX_SHOWN ? "…" : "")
    : String(value);
  return `${typeof value} ${text}`;
}
