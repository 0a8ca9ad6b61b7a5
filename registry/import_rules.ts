/**
 * What one import may look like.
 * @module
 */
import type { Finding } from "./findings.ts";
import { type ResolveContext, resolveSpecifier } from "./resolve.ts";
import type { ImportReference } from "./scan_types.ts";

/** Whether an import is allowed. */
export type CheckedReference =
  | {
    readonly ok: true;
    /** The local file's path below the root; absent for packages and modules of the runtime. */
    readonly relative?: string;
  }
  | {
    readonly ok: false;
    /** Why not. */
    readonly finding: Finding;
  };

const LOCAL_KINDS = /\.(?:ts|mts|js|mjs|json)$/;

/** Modules of the runtime that open a second way to load code, past every check of imports. */
const REFUSED_BUILTINS: ReadonlySet<string> = new Set(["node:worker_threads", "node:module"]);

/**
 * Checks one import: where it leads, what kind of file it is, and its attributes.
 *
 * @param reference The import.
 * @param context Where it stands, and what is allowed.
 * @returns The local file it leads to, or why it is refused.
 */
export function checkReference(
  reference: ImportReference,
  context: ResolveContext,
): CheckedReference {
  const { specifier } = reference;
  const resolution = resolveSpecifier(specifier, context);
  if (resolution.kind === "refused") return { ok: false, finding: resolution };
  if (resolution.kind === "builtin" && REFUSED_BUILTINS.has(specifier)) {
    return refuse("builtin_refused", `Cannot import "${specifier}": it can load unchecked code`);
  }
  const attributes = Object.entries(reference.attributes ?? {});
  if (attributes.some(([key, value]) => key !== "type" || value !== "json")) {
    return refuseAttributes(specifier, attributes);
  }
  if (resolution.kind !== "local") return { ok: true };
  return checkLocal(reference, resolution.relative, attributes.length > 0);
}

/**
 * Checks a file that a comment or an ambient declaration names. Nothing of it runs, but a resolver would
 * read it.
 *
 * @param specifier What the comment names.
 * @param context Where it stands, and what is allowed.
 * @returns Why it is refused, or `undefined`.
 */
export function checkCommentReference(
  specifier: string,
  context: ResolveContext,
): Finding | undefined {
  const resolution = resolveSpecifier(specifier, context);
  if (resolution.kind !== "refused" || resolution.code === "package_not_allowed") return undefined;
  return resolution;
}

function checkLocal(
  reference: ImportReference,
  relative: string,
  asJson: boolean,
): CheckedReference {
  const { specifier, kind } = reference;
  if (!LOCAL_KINDS.test(relative)) {
    const message = `Cannot import "${specifier}": expected a .ts, .mts, .js, .mjs or .json file`;
    return refuse("unsupported_module", message);
  }
  const isJson = relative.endsWith(".json");
  // The attribute of a dynamic import may be built at run time; the runtime insists on it by itself.
  if (kind === "type" || kind === "dynamic" || isJson === asJson) return { ok: true, relative };
  const message = isJson
    ? `Cannot import "${specifier}" without its type`
    : `Cannot import "${specifier}" as JSON: its name does not end in .json`;
  return refuse("import_attributes", message, `Write with { type: "json" } for .json files only`);
}

function refuseAttributes(
  specifier: string,
  attributes: readonly (readonly [string, unknown])[],
): CheckedReference {
  const shown = attributes.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", ");
  return refuse(
    "import_attributes",
    `Cannot import "${specifier}" with { ${shown} }: only { type: "json" } is allowed`,
    "Read the file in the handler, under a read permission",
  );
}

function refuse(code: string, message: string, hint?: string): CheckedReference {
  return { ok: false, finding: hint === undefined ? { code, message } : { code, message, hint } };
}
