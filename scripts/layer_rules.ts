/**
 * Which file may import which, and who may print, exit and read the environment.
 * @module
 */
import { dirname, join } from "node:path/posix";
import { parse } from "@babel/parser";

/** A rule that a file breaks, with the place. */
export interface Violation {
  /** The file, relative to the root. */
  readonly path: string;
  /** The line, from 1. */
  readonly line: number;
  /** What is wrong and what is allowed. */
  readonly message: string;
}

const SELF = "@cloister/cloister";
const BUILTINS = "tools/_builtins.ts";
const RANKS: Readonly<Record<string, number>> = {
  "core": 0,
  "registry": 1,
  "workers": 1,
  "runtime": 2,
  "mcp": 3,
  "agent": 3,
  "edge": 3,
  "console": 3,
  "mod.ts": 4,
  "cli": 5,
};
const FREE: ReadonlySet<string> = new Set(["bench", "scripts", "tests", "docs", "examples"]);
const EXCEPTIONS: ReadonlySet<string> = new Set([
  // The one place where a runtime reads variables for a program that hands it none.
  "runtime/host_environment.ts",
  // These are code of a cell: nothing of the front runs where they do.
  "runtime/doctor_probe.ts",
  "workers/cell_main.ts",
  "workers/resolver_check.ts",
  "workers/runner.ts",
  "workers/tool_context.ts",
]);
const GLOBALS: ReadonlySet<string> = new Set([
  "Deno.exit",
  "Deno.exitCode",
  "Deno.args",
  "Deno.env",
  "process.argv",
  "process.env",
  "process.exit",
]);

/**
 * Checks one file against the layers.
 *
 * @param path The file, relative to the root, with `/`.
 * @param text Its text.
 * @returns What it breaks, in source order.
 */
export function checkFile(path: string, text: string): readonly Violation[] {
  const area = areaOf(path);
  if (FREE.has(area)) return [];
  const violations: Violation[] = [];
  walk(parseText(text), (node) => {
    const message = importFault(path, node) ?? globalFault(path, node);
    if (message !== undefined) violations.push({ path, line: node.loc?.start.line ?? 1, message });
  });
  return violations;
}

interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

interface Import {
  readonly specifier: string;
  readonly isDynamic: boolean;
}

function importFault(path: string, node: Node): string | undefined {
  const found = importOf(node);
  if (!found) return undefined;
  return path.startsWith("tools/") && path !== BUILTINS
    ? toolFault(path, found.specifier)
    : layerFault(path, found);
}

function toolFault(path: string, specifier: string): string | undefined {
  if (specifier === `${SELF}/tool`) return undefined;
  if (specifier.startsWith(".")) {
    const target = join(dirname(path), specifier);
    if (/^tools\/_[^/]+$/.test(target) && target !== BUILTINS) return undefined;
  } else if (!specifier.startsWith(SELF) && !specifier.startsWith("/")) return undefined;
  return `Cannot import "${specifier}" in a tool file: allowed are "${SELF}/tool", packages and ` +
    `"./_*.ts" of tools/`;
}

function layerFault(path: string, { specifier, isDynamic }: Import): string | undefined {
  const target = targetOf(path, specifier);
  // The project's own facts, such as its version, are data and no layer.
  if (target === undefined || target === "deno.json") return undefined;
  const from = areaOf(path);
  const to = areaOf(target);
  if (to === "tools") {
    const allowed = isDynamic && (path === BUILTINS || target === BUILTINS);
    return allowed
      ? undefined
      : `Cannot import "${specifier}": nothing imports tools/ but ${BUILTINS}, by import()`;
  }
  if (from === to) return undefined;
  const rank = RANKS[from] ?? (from === "tools" ? 0 : undefined);
  if (rank === undefined) return `Cannot place "${path}": its folder has no rank`;
  const other = RANKS[to];
  if (other !== undefined && other < rank) return undefined;
  return `Cannot import "${specifier}" from ${from} (rank ${rank}): ` +
    `${to} ${
      other === undefined ? "has no rank" : `has rank ${other}`
    }, and only lower ranks are allowed`;
}

function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return join(dirname(path), specifier);
  if (specifier === SELF) return "mod.ts";
  if (specifier === `${SELF}/tool`) return "core/tool.ts";
  if (specifier === `${SELF}/cli`) return "cli/main.ts";
  return undefined;
}

function importOf(node: Node): Import | undefined {
  const source = node.source ?? (node.type === "TSImportType" ? node.argument : undefined);
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "TSImportType":
      return isText(source) ? { specifier: textOf(source), isDynamic: false } : undefined;
    case "ImportExpression":
      return isText(source) ? { specifier: textOf(source), isDynamic: true } : undefined;
    default:
      return undefined;
  }
}

function globalFault(path: string, node: Node): string | undefined {
  if (path.startsWith("cli/") || EXCEPTIONS.has(path)) return undefined;
  const name = memberName(node);
  if (name === undefined || !(GLOBALS.has(name) || name.startsWith("console."))) return undefined;
  return `Cannot use ${name} here: only cli/ prints, exits, and reads arguments and environment`;
}

function memberName(node: Node): string | undefined {
  if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") {
    return undefined;
  }
  const property = node.property as Node;
  const key = node.computed ? (isText(property) ? textOf(property) : undefined) : property.name;
  const owner = ownerName(node.object as Node);
  return owner === undefined || key === undefined ? undefined : `${owner}.${key}`;
}

function ownerName(node: Node): string | undefined {
  if (node.type === "Identifier") return String(node.name);
  const name = memberName(node);
  return name?.startsWith("globalThis.") ? name.slice("globalThis.".length) : undefined;
}

function areaOf(path: string): string {
  return path.split("/", 1)[0]!;
}

function parseText(text: string): Node {
  const options: Parameters<typeof parse>[1] = {
    sourceType: "module",
    plugins: ["typescript"],
  };
  return parse(text, options).program as unknown as Node;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of Object.values(node)) {
    for (const item of Array.isArray(child) ? child : [child]) if (isNode(item)) walk(item, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string";
}

function isText(value: unknown): value is Node {
  return isNode(value) && (value.type === "StringLiteral" || value.type === "TSLiteralType");
}

function textOf(node: Node): string {
  return String(node.type === "TSLiteralType" ? (node.literal as Node).value : node.value);
}
