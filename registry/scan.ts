/**
 * Reads a module's syntax tree: the tools that it registers, what is near that, and what it imports.
 * Nothing of the module runs.
 * @module
 */
import { readBindings } from "./bindings.ts";
import { DeclarationReader } from "./declaration_reader.ts";
import { IMPORT_NAMES, IMPORT_NODES, ImportPass } from "./imports.ts";
import { LiteralReader } from "./literal.ts";
import { parseModule, tooComplex } from "./parse.ts";
import { REGISTRATION_NODES, RegistrationPass } from "./registration_pass.ts";
import type { RegistrationSite } from "./rule.ts";
import { comparePlaces, Findings } from "./scan_findings.ts";
import type { ImportScan, ModuleScan, ModuleSource, ScannedTool } from "./scan_types.ts";
import { ScopeLookup } from "./scope.ts";
import { decodeSource } from "./source_text.ts";
import { STABILITY_NODES, StabilityPass } from "./stability.ts";
import { UNCERTAIN } from "./top_level.ts";
import { TOP_LEVEL_NODES, TopLevelPass } from "./top_level_pass.ts";
import { type SyntaxNode, textOf, walk } from "./tree.ts";
import { ZodReader } from "./zod_literal.ts";

const NOTHING: ModuleScan = Object.freeze({
  tools: Object.freeze([]),
  imports: Object.freeze([]),
  diagnostics: Object.freeze([]),
  topLevel: UNCERTAIN,
});

/**
 * Scans a candidate tool file. Never throws and never rejects.
 *
 * A file without any sign of a registration is not even parsed. Warnings are registrations that are not
 * discovered, and leave the file's other tools alone; errors concern the file. Without an accepted
 * registration the file is not loaded, so that its imports are then of no concern.
 *
 * @param source The file's path and bytes.
 * @returns The registrations found, the imports, and the diagnostics in source order.
 *
 * @example Scan one file
 * ```ts ignore
 * const { tools } = await scanModule({ path, bytes: await Deno.readFile(path) });
 * ```
 */
export async function scanModule(source: ModuleSource): Promise<ModuleScan> {
  const decoded = decodeSource(source);
  if (!decoded.ok) return { ...NOTHING, diagnostics: [decoded.diagnostic] };
  if (!mayRegister(decoded.text)) return NOTHING;
  return await guarded(source.path, async () => {
    const parsed = await parseModule(source.path, decoded.text);
    if (!parsed.ok) return { ...NOTHING, diagnostics: [parsed.diagnostic] };
    return await readModule(source.path, parsed.program);
  });
}

/**
 * Scans a module that a tool file imports, for its own imports and its top level. Never throws and never rejects.
 *
 * @param source The module's path and bytes.
 * @returns The imports and what cannot be admitted, in source order, and what happens when it is loaded.
 */
export async function scanImports(source: ModuleSource): Promise<ImportScan> {
  const decoded = decodeSource(source);
  if (!decoded.ok) return { ...NOTHING, diagnostics: [decoded.diagnostic] };
  return await guarded(source.path, async () => {
    const parsed = await parseModule(source.path, decoded.text);
    if (!parsed.ok) return { ...NOTHING, diagnostics: [parsed.diagnostic] };
    return await readImports(source.path, parsed.program);
  });
}

function mayRegister(text: string): boolean {
  // Escapes can spell either word.
  return (text.includes("registry") && text.includes("register")) || /\\[ux]/.test(text);
}

async function guarded(path: string, scan: () => Promise<ModuleScan>): Promise<ModuleScan> {
  try {
    return await scan();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...NOTHING, diagnostics: [tooComplex(path)] };
  }
}

async function readImports(path: string, program: SyntaxNode): Promise<ModuleScan> {
  const findings = new Findings(path);
  const bindings = readBindings(program);
  const pass = new ImportPass(path, bindings, new ScopeLookup(), findings);
  const zod = new ZodReader(bindings, new LiteralReader(bindings, new Set()));
  const isJavaScript = isPlain(path);
  const top = new TopLevelPass({ program, bindings, zod, registers: false, isJavaScript });
  walk(program, (frame) => {
    pass.visit(frame);
    if (TOP_LEVEL_NODES.has(frame.node.type)) top.visit(frame);
  });
  // A declaration file runs as an empty module, whatever it declares.
  const topLevel = /\.d\.m?ts$/.test(path) ? UNCERTAIN : await top.finish();
  return { tools: [], imports: pass.finish(), diagnostics: findings.sorted(), topLevel };
}

function isPlain(path: string): boolean {
  return /\.m?js$/.test(path);
}

async function readModule(path: string, program: SyntaxNode): Promise<ModuleScan> {
  const bindings = readBindings(program);
  const scope = new ScopeLookup();
  const near = new Findings(path);
  const faults = new Findings(path);
  const registrations = new RegistrationPass(bindings, scope, near);
  const imports = new ImportPass(path, bindings, scope, faults);
  const stability = new StabilityPass(bindings);
  const literals = new LiteralReader(bindings, stability.unstable);
  const zod = new ZodReader(bindings, literals);
  const isJavaScript = isPlain(path);
  const top = new TopLevelPass({ program, bindings, zod, registers: true, isJavaScript });
  const names = new Set([...registrations.names, ...IMPORT_NAMES, ...top.names]);
  walk(program, (frame) => {
    const { node } = frame;
    if (node.type === "Identifier" && !names.has(textOf(node, "name") ?? "")) return;
    if (REGISTRATION_NODES.has(node.type)) registrations.visit(frame);
    if (IMPORT_NODES.has(node.type)) imports.visit(frame);
    if (STABILITY_NODES.has(node.type)) stability.visit(frame);
    if (TOP_LEVEL_NODES.has(node.type)) top.visit(frame);
  });
  const references = imports.finish();
  const reader = new DeclarationReader({ bindings, literals, zod, findings: near });
  const tools = await readTools(reader, registrations.sites);
  reportDuplicates(tools, path, near);
  const diagnostics = [...near.sorted(), ...(tools.length > 0 ? faults.sorted() : [])];
  return {
    tools,
    imports: references,
    diagnostics: diagnostics.toSorted(comparePlaces),
    topLevel: tools.length === 0 ? UNCERTAIN : await top.finish(),
  };
}

async function readTools(
  reader: DeclarationReader,
  sites: readonly RegistrationSite[],
): Promise<readonly ScannedTool[]> {
  const tools: ScannedTool[] = [];
  for (const site of sites.toSorted((a, b) => a.call.start - b.call.start)) {
    const tool = await reader.read(site);
    if (tool) tools.push(tool);
  }
  return tools;
}

function reportDuplicates(tools: readonly ScannedTool[], path: string, findings: Findings): void {
  const seen = new Map<string, ScannedTool>();
  for (const tool of tools) {
    if (tool.name === undefined) continue;
    const first = seen.get(tool.name);
    if (!first) seen.set(tool.name, tool);
    else findings.addAt(tool, duplicate(tool.name, path, first.line));
  }
}

function duplicate(name: string, path: string, line: number) {
  return {
    severity: "error",
    code: "duplicate_name",
    message: `Cannot register "${name}" twice: ${path}:${line} registers it already`,
    hint: "Give each tool of a file a name of its own",
  } as const;
}
