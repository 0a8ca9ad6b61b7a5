/**
 * A quick guard for declarations that were checked in full before they were written to the manifest.
 * @module
 */
import type { ToolDeclaration } from "../core/entry.ts";
import { PERMISSION_KEYS } from "../core/permissions.ts";

type Guard = (value: unknown) => boolean;

const REQUIRED: readonly string[] = ["name", "toolset", "description", "schema"];

const GUARDS: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  ["name", isText],
  ["title", isText],
  ["toolset", isText],
  ["description", isText],
  ["emoji", isText],
  ["schema", isRecord],
  ["outputSchema", isRecord],
  ["permissions", isPermissions],
  ["requiresEnv", isRequiresEnv],
  ["requires", isRequirements],
  ["isAsync", isFlag],
  ["maxResultSizeChars", (value) => value === "unlimited" || value === 0 || isCount(value)],
  ["timeoutMs", isCount],
  ["memoryMb", isCount],
  ["isolation", (value) => value === "worker" || value === "process"],
  ["annotations", isRecord],
  ["hasCheckFn", isFlag],
  ["sharesCheckOf", isText],
  ["hasDynamicSchema", isFlag],
  ["hasOwnCheck", isFlag],
  ["override", isFlag],
]);

/**
 * Tells whether a value has the shape of a declaration: every field known and of its type. What a schema
 * or a grant says is not looked at again.
 *
 * @param value Parsed JSON.
 * @returns Whether it is a declaration.
 */
export function isDeclaration(value: unknown): value is ToolDeclaration {
  if (!isRecord(value) || !REQUIRED.every((field) => Object.hasOwn(value, field))) return false;
  return Object.keys(value).every((field) => GUARDS.get(field)?.(value[field]) === true);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isPermissions(value: unknown): boolean {
  return isRecord(value) &&
    Object.entries(value).every(([key, item]) => isPermissionKey(key) && isGrant(key, item));
}

function isPermissionKey(key: string): boolean {
  return PERMISSION_KEYS.some((known) => known === key);
}

function isGrant(key: string, value: unknown): boolean {
  return value === false || (key !== "import" && isTexts(value));
}

function isRequiresEnv(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => isText(item) || isTexts(item));
}

function isRequirements(value: unknown): boolean {
  return isRecord(value) &&
    Object.entries(value).every(([key, item]) => ["bins", "files"].includes(key) && isTexts(item));
}
