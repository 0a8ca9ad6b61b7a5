/**
 * Guards for what is read from a manifest: nothing of it is believed before it has the right shape.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { ClosureInput } from "./closure.ts";
import { isDeclaration } from "./declaration_guard.ts";
import type { DiscoveredTool, ModuleStatus } from "./discovery_types.ts";
import type { ClosureRecord, Verdict } from "./verdict.ts";

type Fields = Readonly<Record<string, unknown>>;

const HASH = /^[0-9a-f]{64}$/;
const STATE = /^(?:[0-9a-f]{64}|[a-z_]{1,40})$/;
/** A path with a part that is empty, `.` or `..`. */
const CLIMBING = /(?:^|\/)\.{0,2}(?:\/|$)/;
const STATUSES: readonly unknown[] = ["registered", "failed", "no_tools"];
const SEVERITIES: readonly unknown[] = ["error", "warning", "info"];

/**
 * Reads a manifest's verdicts.
 *
 * @param value Parsed JSON.
 * @returns The verdicts.
 * @throws {TypeError} If anything in it is not as it was written.
 */
export function readVerdicts(value: unknown): Verdict[] {
  return listOf(value, readVerdict);
}

function readVerdict(value: unknown): Verdict {
  const fields = fieldsOf(value);
  const inputs = listOf(fields.inputs, readInput);
  const verdict = {
    dir: textOf(fields.dir),
    relative: relativeOf(fields.relative),
    status: oneOf<ModuleStatus>(fields.status, STATUSES),
    tools: listOf(fields.tools, readTool),
    diagnostics: listOf(fields.diagnostics, readDiagnostic),
    inputs,
  };
  const closure = fields.closure === undefined ? undefined : readClosure(fields.closure, inputs);
  const registered = verdict.status === "registered";
  demand(registered === (closure !== undefined) && (registered || verdict.tools.length === 0));
  demand(inputs[0]?.relative === verdict.relative);
  return closure === undefined ? verdict : { ...verdict, closure };
}

function readClosure(value: unknown, inputs: readonly ClosureInput[]): ClosureRecord {
  const fields = fieldsOf(value);
  const hashed = new Set(inputs.filter((input) => HASH.test(input.state)).map(nameOf));
  const files = listOf(fields.files, relativeOf);
  demand(files[0] === inputs[0]?.relative && files.every((file) => hashed.has(file)));
  const integrity = textOf(fields.integrity);
  demand(HASH.test(integrity) && typeof fields.safe === "boolean");
  const record = { integrity, files, safe: fields.safe === true };
  return fields.stamp === undefined ? record : { ...record, stamp: textOf(fields.stamp) };
}

function nameOf(input: ClosureInput): string {
  return input.relative;
}

function readInput(value: unknown): ClosureInput {
  const fields = fieldsOf(value);
  const state = textOf(fields.state);
  demand(STATE.test(state));
  return { relative: relativeOf(fields.relative), state };
}

function readTool(value: unknown): DiscoveredTool {
  const fields = fieldsOf(value);
  const { declaration } = fields;
  if (!isDeclaration(declaration)) throw new TypeError("Cannot use the manifest: not a tool");
  return { declaration, line: countOf(fields.line), column: countOf(fields.column) };
}

function readDiagnostic(value: unknown): Diagnostic {
  const fields = fieldsOf(value);
  const diagnostic = {
    severity: oneOf<Diagnostic["severity"]>(fields.severity, SEVERITIES),
    code: textOf(fields.code),
    message: textOf(fields.message),
    path: textOf(fields.path),
    line: countOf(fields.line),
    column: countOf(fields.column),
  };
  return fields.hint === undefined ? diagnostic : { ...diagnostic, hint: textOf(fields.hint) };
}

function fieldsOf(value: unknown): Fields {
  demand(typeof value === "object" && value !== null && !Array.isArray(value));
  return value as Fields;
}

function listOf<T>(value: unknown, read: (item: unknown) => T): T[] {
  demand(Array.isArray(value));
  return (value as unknown[]).map((item) => read(item));
}

function oneOf<T>(value: unknown, allowed: readonly unknown[]): T {
  demand(allowed.includes(value));
  return value as T;
}

function textOf(value: unknown): string {
  demand(typeof value === "string");
  return value as string;
}

function relativeOf(value: unknown): string {
  const text = textOf(value);
  // A path that climbs would read, and later write, outside its folder.
  demand(!CLIMBING.test(text));
  return text;
}

function countOf(value: unknown): number {
  demand(Number.isSafeInteger(value) && (value as number) > 0);
  return value as number;
}

function demand(holds: boolean): void {
  if (!holds) throw new TypeError("Cannot use the manifest: it is not as it was written");
}
