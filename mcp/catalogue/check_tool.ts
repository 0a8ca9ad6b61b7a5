/**
 * One tool of a server's list: fit for the table, or left out with a reason.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import type { ToolAnnotations } from "../../core/registration.ts";
import { isPlain } from "../../registry/plain_copy.ts";
import { show } from "../../registry/show.ts";
import { headerFault } from "../client/header_declarations.ts";
import { checkInputSchema, checkOutputSchema } from "./check_schema.ts";
import type { ToolFinding } from "./finding.ts";
import { stripHidden } from "../../core/hidden_text.ts";
import { mapSchema, type RawSchema } from "./map_schema.ts";

import { suspicionsIn } from "./scan_text.ts";
import { definitionOf, type ToolDefinition } from "./tool_definition.ts";

const MAX_NAME_CHARS = 128;
/** Longest description that goes to a model. */
const MAX_SHOWN_CHARS = 4_096;
/** Longest description that is taken at all: the whole of it is pinned and compared. */
const MAX_DESCRIPTION_CHARS = 64 * 1024;
/** Longest definition in all, as JSON text. */
const MAX_DEFINITION_CHARS = 1024 * 1024;
const MAX_TITLE_CHARS = 256;
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** A tool that is fit for the table. */
export interface CheckedTool {
  /** The server's own name for it, as it is called. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** What it does, for the model. */
  readonly description: string;
  /** The schema of its arguments. */
  readonly schema: JsonSchema;
  /** The schema of its structured result. */
  readonly outputSchema?: JsonSchema;
  /** What the server says that calls do; nobody vouches for it. */
  readonly annotations: ToolAnnotations;
  /** What the server sent, for comparing. */
  readonly definition: ToolDefinition;
}

/** What became of a listed tool. */
export type ToolCheck =
  | {
    readonly ok: true;
    /** The tool. */
    readonly tool: CheckedTool;
    /** What there is to say of it. */
    readonly findings: readonly ToolFinding[];
  }
  | {
    readonly ok: false;
    /** Why it is left out. */
    readonly finding: ToolFinding;
  };

/**
 * Checks a tool that a server listed. Nothing of it is believed, and nothing throws.
 *
 * @param listed What the server sent; plain JSON.
 * @returns The tool with hidden characters taken out of what people and models read, or why it is left out.
 */
export function checkTool(listed: unknown): ToolCheck {
  if (!isPlain(listed)) return leftOut("?", `it is ${show(listed)}, expected an object`);
  const { name, description } = listed;
  if (typeof name !== "string" || name.length === 0 || name.length > MAX_NAME_CHARS) {
    return leftOut(showName(name), `its name is ${show(name)}, expected 1 to 128 characters`);
  }
  const large = sizeFault(listed) ?? textFault(description);
  if (large !== undefined) return leftOut(showName(name), large);
  const schema = checkInputSchema(listed.inputSchema);
  if (!schema.ok) return leftOut(showName(name), `its inputSchema ${schema.reason}`);
  const fault = headerFault(listed.inputSchema);
  return fault === undefined
    ? accept(name, listed, schema)
    : leftOut(showName(name), `its inputSchema breaks the rules for headers: ${fault}`);
}

/**
 * A name of a server's choosing for people to read.
 *
 * @param name The name.
 * @returns The name without hidden characters, at most 128 characters long.
 */
export function showName(name: unknown): string {
  return typeof name === "string" ? stripHidden(name).text.slice(0, MAX_NAME_CHARS) : "?";
}

interface UsableSchema {
  readonly schema: JsonSchema;
  readonly notes: readonly string[];
}

function accept(name: string, listed: RawSchema, input: UsableSchema): ToolCheck {
  const findings = new Findings(showName(name));
  findings.look("name", name);
  const title = typeof listed.title === "string"
    ? findings.look("title", listed.title).slice(0, MAX_TITLE_CHARS)
    : undefined;
  const description = typeof listed.description === "string"
    ? findings.cut(findings.look("description", listed.description))
    : "";
  for (const note of input.notes) findings.add("schema_reference", `its inputSchema: ${note}`);
  const outputSchema = usableOutput(listed.outputSchema, findings);
  const tool: CheckedTool = {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    schema: lookThrough(input.schema, "inputSchema", findings),
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: lookThrough(outputSchema, "outputSchema", findings) }),
    annotations: readAnnotations(listed.annotations, findings),
    definition: definitionOf(listed),
  };
  return { ok: true, tool, findings: findings.all };
}

// A result that cannot be checked is still a result.
function usableOutput(value: unknown, findings: Findings): JsonSchema | undefined {
  if (value === undefined) return undefined;
  const checked = checkOutputSchema(value);
  if (checked.ok) {
    for (const note of checked.notes) findings.add("schema_reference", `its outputSchema: ${note}`);
    return checked.schema;
  }
  findings.add("schema_left_out", `its outputSchema ${checked.reason}; results are not checked`);
  return undefined;
}

function readAnnotations(value: unknown, findings: Findings): ToolAnnotations {
  if (!isPlain(value)) return {};
  const hints = HINTS.filter((hint) => typeof value[hint] === "boolean");
  return {
    ...(typeof value.title === "string"
      ? { title: findings.look("title", value.title).slice(0, MAX_TITLE_CHARS) }
      : {}),
    ...Object.fromEntries(hints.map((hint) => [hint, value[hint]])),
  };
}

function lookThrough(schema: JsonSchema, field: string, findings: Findings): JsonSchema {
  return mapSchema(schema, (node, { pointer }) => {
    const texts = ["title", "description", "$comment"]
      .filter((key) => typeof node[key] === "string")
      .map((key) => [key, findings.look(`${field}${pointer}/${key}`, node[key] as string)]);
    findings.lookAtData(`${field}${pointer}`, node);
    return texts.length === 0 ? node : { ...node, ...Object.fromEntries(texts) };
  }) as JsonSchema;
}

function textFault(description: unknown): string | undefined {
  if (description === undefined || description === null) return undefined;
  if (typeof description !== "string") {
    return `its description is ${show(description)}, expected a text`;
  }
  return description.length <= MAX_DESCRIPTION_CHARS
    ? undefined
    : `its description has ${description.length} characters, more than the ` +
      `${MAX_DESCRIPTION_CHARS} that are taken`;
}

function sizeFault(listed: RawSchema): string | undefined {
  try {
    const chars = JSON.stringify(definitionOf(listed)).length;
    return chars <= MAX_DEFINITION_CHARS
      ? undefined
      : `its definition has ${chars} characters, more than the ${MAX_DEFINITION_CHARS} that are taken`;
  } catch {
    return "its definition is nested too deeply";
  }
}

function leftOut(tool: string, reason: string): ToolCheck {
  const message = `Tool "${tool}" is left out: ${reason}`;
  return { ok: false, finding: { severity: "warning", code: "tool_left_out", tool, message } };
}

/** Findings about one tool, each once. */
class Findings {
  readonly #tool: string;
  readonly #found = new Map<string, ToolFinding>();

  constructor(tool: string) {
    this.#tool = tool;
  }

  get all(): readonly ToolFinding[] {
    return [...this.#found.values()];
  }

  add(code: string, what: string, severity: ToolFinding["severity"] = "warning"): void {
    const message = `Tool "${this.#tool}": ${what}`;
    this.#found.set(message, { severity, code, tool: this.#tool, message });
  }

  look(place: string, text: string): string {
    const { text: plain, hidden } = stripHidden(text);
    if (hidden.length > 0) {
      this.add("hidden_characters", `its ${showName(place)} holds ${hidden.join(", ")}`);
    }
    for (const { code, what } of suspicionsIn(plain)) {
      this.add(code, `its ${showName(place)} ${what}`);
    }
    return plain;
  }

  // Taken out of a name or a value, hidden characters would change what is sent to the server.
  lookAtData(place: string, node: RawSchema): void {
    const names = isPlain(node.properties) ? Object.keys(node.properties) : [];
    const values = [node.const, node.default, ...asList(node.enum), ...asList(node.examples)];
    for (const text of [...names, ...values]) {
      if (typeof text !== "string") continue;
      const { hidden } = stripHidden(text);
      if (hidden.length === 0) continue;
      this.add("hidden_characters", `a name or value in its ${place} holds ${hidden.join(", ")}`);
    }
  }

  cut(text: string): string {
    if (text.length <= MAX_SHOWN_CHARS) return text;
    this.add(
      "description_cut",
      `its description has ${text.length} characters; a model gets the first ${MAX_SHOWN_CHARS}`,
      "info",
    );
    return `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}… [cut]`;
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
