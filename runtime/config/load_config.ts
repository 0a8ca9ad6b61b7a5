/**
 * Loading the configuration.
 * @module
 */
import { resolve } from "../paths.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Config } from "./config_types.ts";
import type { ConfigText } from "./config_faults.ts";

/** What loading gave. */
export interface LoadedConfig {
  /** The configuration, frozen; empty when there are faults. */
  readonly config: Config;
  /** The faults. A caller must not go on with an empty configuration: it would lack the ceilings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Options of {@linkcode loadConfig}. */
export interface LoadConfigOptions {
  /** Whether a file that does not exist is an empty configuration. @default {false} */
  readonly optional?: boolean;
}

const EMPTY: Config = Object.freeze({});
const MAX_CHARS = 1_048_576;

/**
 * Reads a configuration and checks it. Comments and trailing commas are fine. zod and the parser are
 * loaded only when there is something to check.
 *
 * @param pathOrObject The file, or the configuration itself.
 * @param options Whether the file may be missing.
 * @returns The configuration and its faults, each with its line and column.
 */
export async function loadConfig(
  pathOrObject: string | JsonObject,
  options: LoadConfigOptions = {},
): Promise<LoadedConfig> {
  if (typeof pathOrObject !== "string") {
    if (isEmpty(pathOrObject)) return { config: EMPTY, diagnostics: [] };
    return await check({ path: "<config>", text: "" }, pathOrObject);
  }
  const path = resolve(pathOrObject);
  try {
    return await loadText(path, (await Deno.readTextFile(path)).replace(/^\uFEFF/, ""));
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    if (missing && options.optional) return { config: EMPTY, diagnostics: [] };
    return unreadable(path, missing ? "it does not exist" : (error as Error).message);
  }
}

// A program or command line without a configuration says so with one that is empty.
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Reflect.ownKeys(value).length === 0;
}

function unreadable(path: string, reason: string): LoadedConfig {
  return {
    config: EMPTY,
    diagnostics: [{
      severity: "error",
      code: "config_unreadable",
      message: `Cannot read the configuration "${path}": ${reason}`,
      path,
      line: 1,
      column: 1,
    }],
  };
}

async function loadText(path: string, text: string): Promise<LoadedConfig> {
  if (text.length > MAX_CHARS) return unreadable(path, `it is longer than ${MAX_CHARS} characters`);
  const [{ getNodeValue, parseTree }, { duplicateFaults, syntaxFault }] = await Promise.all([
    import("jsonc-parser"),
    import("./config_faults.ts"),
  ]);
  const errors: Parameters<typeof parseTree>[1] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const source: ConfigText = { path, text, ...(root ? { root } : {}) };
  const faults = [...errors.map((error) => syntaxFault(source, error)), ...duplicateFaults(source)];
  if (faults.length > 0 || root === undefined) return { config: EMPTY, diagnostics: faults };
  return await check(source, getNodeValue(root));
}

async function check(source: ConfigText, value: unknown): Promise<LoadedConfig> {
  const { configSchema, configJsonSchema } = await import("./config_schema.ts");
  const result = configSchema.safeParse(value);
  if (result.success) {
    return { config: deepFreeze(structuredClone(value)) as Config, diagnostics: [] };
  }
  const [{ structureFaults }, { knownKeys }] = await Promise.all([
    import("./config_faults.ts"),
    import("./known_keys.ts"),
  ]);
  const schema = configJsonSchema();
  const diagnostics = result.error.issues.flatMap((issue) =>
    structureFaults(source, issue, (path) => knownKeys(schema, path))
  );
  return { config: EMPTY, diagnostics: diagnostics.sort(byPlace) };
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column;
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
