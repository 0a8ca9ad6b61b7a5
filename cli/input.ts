/**
 * Answering at the terminal what a running call asks the person.
 * @module
 */
import type { ElicitRequest, ElicitResult } from "../core/context.ts";
import type { InputOrigin, InputSurface } from "../core/input.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../core/json.ts";
import type { Prompt } from "./approval.ts";
import type { Output } from "./output.ts";

/** What a line meant. */
type Reading = { readonly value: JsonValue | undefined } | { readonly fault: string };

/** How often a field is asked for before the question counts as cancelled. */
const TRIES = 3;

/**
 * The surface of a command: a terminal is asked, field by field; elsewhere nobody can be.
 *
 * @param output Where questions go.
 * @param prompt Where answers come from.
 * @returns The surface; `undefined` where nobody can be asked.
 */
export function inputSurface(output: Output, prompt: Prompt): InputSurface | undefined {
  if (!prompt.isTerminal || !output.interactive) return undefined;
  const desk = new TerminalDesk(output, prompt);
  return { elicit: (request, origin) => desk.elicit(request, origin) };
}

/** One question at a time, whoever asks. */
class TerminalDesk {
  readonly #output: Output;
  readonly #prompt: Prompt;
  #last: Promise<unknown> = Promise.resolve();

  constructor(output: Output, prompt: Prompt) {
    this.#output = output;
    this.#prompt = prompt;
  }

  elicit(request: ElicitRequest, origin: InputOrigin): Promise<ElicitResult> {
    const answer = this.#last.then(() => this.#ask(request, origin));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #ask(
    { message, requestedSchema }: ElicitRequest,
    { tool, signal }: InputOrigin,
  ): Promise<ElicitResult> {
    if (signal.aborted) return { action: "cancel" };
    this.#output.ask(`${tool} asks: ${message}\n`);
    const fields = Object.entries((requestedSchema.properties ?? {}) as Record<string, JsonSchema>);
    const required = new Set((requestedSchema.required ?? []) as readonly string[]);
    this.#output.ask("Answer? [Y/n] ");
    const first = await this.#prompt.readLine(signal);
    if (first === undefined) return { action: "cancel" };
    if (/^\s*n(?:o)?\s*$/i.test(first)) return { action: "decline" };
    const content: { [name: string]: JsonValue } = {};
    for (const [name, schema] of fields) {
      const reading = await this.#askField(name, schema, required.has(name), signal);
      if (reading === undefined) return { action: "cancel" };
      if (reading.value !== undefined) content[name] = reading.value;
    }
    return { action: "accept", content: content as JsonObject };
  }

  async #askField(
    name: string,
    schema: JsonSchema,
    isRequired: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly value: JsonValue | undefined } | undefined> {
    for (let tries = 0; tries < TRIES; tries++) {
      this.#output.ask(describeField(name, schema, isRequired));
      const line = await this.#prompt.readLine(signal);
      if (line === undefined) return undefined;
      const reading = readField(line.replace(/\r?\n$/, ""), schema, isRequired);
      if (!("fault" in reading)) return reading;
      this.#output.ask(`  ${reading.fault}\n`);
    }
    return undefined;
  }
}

function describeField(name: string, schema: JsonSchema, isRequired: boolean): string {
  const { title, description, type, default: usual } = schema;
  const choices = choicesOf(schema);
  const hints = [
    ...choices.length > 0 ? [`one of ${choices.join(", ")}`] : [String(type)],
    ...type === "array" ? ["several with commas between them"] : [],
    ...usual !== undefined ? [`Enter for ${JSON.stringify(usual)}`] : [],
    ...usual === undefined && !isRequired ? ["Enter to leave it out"] : [],
  ];
  const about = typeof description === "string" ? `\n  ${description}` : "";
  return `${typeof title === "string" ? title : name} (${hints.join("; ")})${about}: `;
}

/**
 * Reads a line as a field's value.
 *
 * @param line What was typed.
 * @param schema The field.
 * @param isRequired Whether it must have a value.
 * @returns The value, `undefined` for none; or what is wrong with the line.
 */
export function readField(line: string, schema: JsonSchema, isRequired: boolean): Reading {
  if (line.trim() === "") {
    if (schema.default !== undefined) return { value: schema.default as JsonValue };
    return isRequired ? { fault: "A value is needed here" } : { value: undefined };
  }
  const choices = choicesOf(schema);
  if (schema.type === "array") {
    const items = line.split(",").map((item) => item.trim()).filter((item) => item !== "");
    const wrong = items.find((item) => choices.length > 0 && !choices.includes(item));
    return wrong === undefined ? { value: items } : { fault: `"${wrong}" is not one of them` };
  }
  if (choices.length > 0) {
    const chosen = line.trim();
    return choices.includes(chosen)
      ? { value: chosen }
      : { fault: `"${chosen}" is not one of them` };
  }
  return readPlain(line, schema.type);
}

function readPlain(line: string, type: unknown): Reading {
  const text = line.trim();
  switch (type) {
    case "boolean":
      if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
      return /^(?:n|no|false)$/i.test(text) ? { value: false } : { fault: "Expected yes or no" };
    case "integer":
      return /^-?\d{1,15}$/.test(text)
        ? { value: Number(text) }
        : { fault: "Expected a whole number" };
    case "number": {
      const value = Number(text);
      return Number.isFinite(value) ? { value } : { fault: "Expected a number" };
    }
    default:
      return { value: line };
  }
}

/** The values that a field may have, in each of the ways that a question can list them. */
function choicesOf(schema: JsonSchema): readonly string[] {
  const items = (schema.type === "array" ? schema.items ?? {} : schema) as JsonSchema;
  if (Array.isArray(items.enum)) return items.enum.map(String);
  const titled = items.oneOf ?? items.anyOf;
  if (!Array.isArray(titled)) return [];
  return titled.flatMap((one) => {
    const value = (one as JsonSchema | null)?.const;
    return value === undefined ? [] : [String(value)];
  });
}
