/** Helpers of the scan's tests: sources as text or as a fixture, and findings as short words. */
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { scanModule } from "../../registry/scan.ts";
import type { ModuleScan, ModuleSource } from "../../registry/scan_types.ts";

/** The line that makes `registry` known, for sources written in a test. */
export const IMPORT = 'import { defineTool, registry } from "@cloister/cloister/tool";\n';

/** A fixture as a source. */
export async function fixture(name: string): Promise<ModuleSource> {
  const path = fileURLToPath(new URL(`../fixtures/scan/${name}`, import.meta.url));
  return { path, bytes: await Deno.readFile(path) };
}

/** A text as a source. */
export function source(text: string, path = "/root/tool.ts"): ModuleSource {
  return { path, bytes: new TextEncoder().encode(text) };
}

/** Scans a text. */
export function scanText(text: string, path?: string): Promise<ModuleScan> {
  return scanModule(source(text, path));
}

/** Each diagnostic as `line:column code`. */
export function findings(scan: { readonly diagnostics: readonly Diagnostic[] }): string[] {
  return scan.diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

/** The findings that a fixture's `//! code@column` comments ask for. */
export function expectedFindings({ bytes }: ModuleSource): string[] {
  const lines = new TextDecoder().decode(bytes).split("\n");
  return lines.flatMap((text, index) => {
    const [, code, column] = / \/\/! (\w+)@(\d+)$/.exec(text) ?? [];
    return code === undefined ? [] : [`${index + 1}:${column} ${code}`];
  });
}
