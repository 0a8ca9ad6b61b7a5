/**
 * Where an import leads, and whether a tool may go there.
 * @module
 */
import { fileUrlToPath, joinPath, pathToFileUrl, relativeInside } from "./paths.ts";

/** The names that tool files may import, with what they stand for. */
export type ImportMap = Readonly<Record<string, string>>;

/** Where an import leads. */
export type Resolution =
  | {
    /** A file of the root. */
    readonly kind: "local";
    /** Its path below the root. */
    readonly relative: string;
  }
  | {
    /** A name of the import map, or a module of the runtime. */
    readonly kind: "mapped" | "builtin";
  }
  | {
    /** Nowhere a tool may go. */
    readonly kind: "refused";
    /** The diagnostic's code. */
    readonly code: "outside_root" | "remote_import" | "package_not_allowed" | "inline_module";
    /** What is the matter. */
    readonly message: string;
    /** What to do. */
    readonly hint: string;
  };

/** Where the import stands, and what is allowed. */
export interface ResolveContext {
  /** The root's absolute real path. */
  readonly root: string;
  /** The importing file's path below the root. */
  readonly from: string;
  /** The names that may be imported. */
  readonly importMap: ImportMap;
}

/**
 * Says where an import leads.
 *
 * @param specifier The text between the quotes.
 * @param context Where it stands, and what is allowed.
 * @returns A file of the root, an allowed name, or a refusal.
 */
export function resolveSpecifier(specifier: string, context: ResolveContext): Resolution {
  if (isMapped(specifier, context.importMap)) return { kind: "mapped" };
  if (specifier.startsWith("./") || specifier.startsWith("../")) {
    return resolveRelative(specifier, context);
  }
  if (specifier.startsWith("/") || /^file:/i.test(specifier)) return refuseAbsolute(specifier);
  if (specifier.startsWith("node:")) return { kind: "builtin" };
  return refuseForeign(specifier);
}

function isMapped(specifier: string, importMap: ImportMap): boolean {
  if (Object.hasOwn(importMap, specifier)) return true;
  return Object.keys(importMap).some((key) => key.endsWith("/") && startsBelow(specifier, key));
}

function startsBelow(specifier: string, key: string): boolean {
  // A folder of the map must not be left again by "..", also not in an encoded spelling.
  return specifier.startsWith(key) && !/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(specifier);
}

function resolveRelative(specifier: string, context: ResolveContext): Resolution {
  const url = URL.parse(specifier, pathToFileUrl(joinPath(context.root, context.from)));
  const path = url === null ? undefined : fileUrlToPath(url);
  const relative = path === undefined ? undefined : relativeInside(context.root, path);
  if (relative !== undefined && !relative.endsWith("/")) return { kind: "local", relative };
  return {
    kind: "refused",
    code: "outside_root",
    message: `Cannot import "${specifier}": it leads outside the tool folder`,
    hint: "Move the file into the tool folder and import it by a relative path",
  };
}

function refuseAbsolute(specifier: string): Resolution {
  return {
    kind: "refused",
    code: "outside_root",
    message: `Cannot import "${specifier}": tool files import local files by relative paths only`,
    hint: "Move the file into the tool folder and import it as ./name.ts",
  };
}

function refuseForeign(specifier: string): Resolution {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(specifier)?.[1]?.toLowerCase();
  if (scheme === "data" || scheme === "blob") {
    return {
      kind: "refused",
      code: "inline_module",
      message: `Cannot import a ${scheme}: module: its code cannot be checked`,
      hint: "Put the code into a file of the tool folder",
    };
  }
  if (scheme === undefined || scheme === "npm" || scheme === "jsr") return refusePackage(specifier);
  return {
    kind: "refused",
    code: "remote_import",
    message: `Cannot import "${specifier}": tool files import nothing from the network`,
    hint: "Copy the module into the tool folder, or allow it as a package in the configuration",
  };
}

function refusePackage(specifier: string): Resolution {
  return {
    kind: "refused",
    code: "package_not_allowed",
    message: `Cannot import "${specifier}": the configuration does not allow this package`,
    hint: `Allow the package in the configuration; for a module of the runtime write "node:<name>"`,
  };
}
