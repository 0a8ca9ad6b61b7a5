/**
 * Checks the approval rules that a program hands over: a misspelt one would allow in silence.
 * @module
 */
import type { ApprovalConfig } from "./approval_types.ts";

const MODES: ReadonlySet<unknown> = new Set(["allow", "ask", "deny"]);
const HINTS: readonly string[] = ["readOnlyHint", "destructiveHint", "openWorldHint"];
const SINGLE: readonly string[] = ["default", "dangerousCommands"];
const TABLES: readonly string[] = ["tools", "toolsets", "annotations"];

/**
 * Checks a session's approval rules.
 *
 * @param approvals The rules.
 * @throws {TypeError} If a key is unknown, or a value is none of `allow`, `ask` and `deny`.
 */
export function assertApprovals(approvals: ApprovalConfig): void {
  for (const [key, value] of entriesOf("approvals", approvals)) {
    const path = `approvals.${key}`;
    if (SINGLE.includes(key)) assertMode(path, value);
    else if (TABLES.includes(key)) assertTable(path, value, key === "annotations");
    else fail(path, `expected one of ${[...SINGLE, ...TABLES].join(", ")}`);
  }
}

function assertTable(path: string, table: unknown, hasHints: boolean): void {
  for (const [key, mode] of entriesOf(path, table)) {
    if (hasHints && !HINTS.includes(key)) fail(`${path}.${key}`, `expected ${HINTS.join(", ")}`);
    assertMode(`${path}.${key}`, mode);
  }
}

function assertMode(path: string, mode: unknown): void {
  if (mode !== undefined && !MODES.has(mode)) fail(path, 'expected "allow", "ask" or "deny"');
}

function entriesOf(path: string, value: unknown): [string, unknown][] {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? Object.entries(value) : fail(path, "expected an object");
}

function fail(path: string, expected: string): never {
  throw new TypeError(`Cannot open a session: "${path}": ${expected}`);
}
