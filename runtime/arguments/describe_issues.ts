/**
 * The text that a model gets back when its arguments are not valid.
 * @module
 */
import type { ArgumentIssue } from "../../core/entry.ts";
import type { JsonSchema } from "../../core/json.ts";
import { boundMessage } from "../../core/envelope.ts";
import { neutraliseFrames, neutraliseText } from "../error_text.ts";
import { exampleOf } from "./example.ts";
import { describeExpected } from "./expected.ts";

const MAX_ISSUES = 10;
const MAX_PARAMETERS = 30;

/**
 * Says which arguments are wrong, what was given, what the tool expects, and an example.
 *
 * @param name The tool.
 * @param schema Its schema.
 * @param issues What is wrong.
 * @returns The text, at most 2,048 characters and a marker.
 */
export function describeIssues(
  name: string,
  schema: JsonSchema,
  issues: readonly ArgumentIssue[],
): string {
  const lines = issues.slice(0, MAX_ISSUES).map(({ path, message }) =>
    `- ${path === "" ? "arguments" : path.slice(0, 200)}: ${message}`
  );
  const example = exampleOf(schema, issues);
  const more = issues.length > MAX_ISSUES ? [`- and ${issues.length - MAX_ISSUES} more`] : [];
  return boundMessage(neutraliseFrames(neutraliseText([
    `Cannot call "${name}": the arguments are not valid`,
    ...lines,
    ...more,
    `Parameters: ${describeParameters(schema)}`,
    ...(example === undefined ? [] : [`Example: ${example}`]),
    "Call it again with corrected arguments.",
  ].join("\n"))));
}

function describeParameters(schema: JsonSchema): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return "none";
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const shown = properties.slice(0, MAX_PARAMETERS).map(([key, part]) =>
    `${key} (${describeExpected(typeof part === "object" ? part : undefined)}${
      required.has(key) ? ", required" : ""
    })`
  );
  return [...shown, ...(properties.length > MAX_PARAMETERS ? ["…"] : [])].join("; ");
}
