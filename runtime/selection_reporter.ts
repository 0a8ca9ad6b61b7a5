/**
 * Says once what is odd about selections: a misspelt toolset would otherwise be left out, or left on, in silence.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import type { SelectionFinding } from "../registry/toolsets/selection_findings.ts";
import type { Config } from "./config.ts";
import { configuredSelection, type ToolSelector } from "./tool_selector.ts";

/** How much is remembered of what was said. */
const CAPACITY = 1_000;

/** Options of {@linkcode SelectionReporter}. */
export interface SelectionReporterOptions {
  /** What the names of toolsets stand for. */
  readonly selector: ToolSelector;
  /** The configuration. */
  readonly config: Config;
  /** Its file; absent when it is none. */
  readonly configPath?: string;
  /** Receives what the configuration has wrong. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  /** Receives what a selection of the program's has wrong. */
  readonly onWarning: (message: string) => void;
}

/** Tells what is odd about selections. */
export class SelectionReporter {
  readonly #options: SelectionReporterOptions;
  readonly #told = new Set<string>();

  /**
   * Makes a reporter.
   *
   * @param options Whom to tell.
   */
  constructor(options: SelectionReporterOptions) {
    this.#options = options;
  }

  /**
   * Looks through what the configuration says about toolsets.
   *
   * @param snapshot The table.
   */
  async reportConfigured(snapshot: RegistrySnapshot): Promise<void> {
    const { selector, config } = this.#options;
    if (selector.configured.isUnlimited && selector.catalogue.ownNames.length === 0) return;
    const { selectionFindings, toolsetFindings } = await import(
      "../registry/toolsets/selection_findings.ts"
    );
    const { catalogue } = selector;
    const selection = configuredSelection(config);
    const news = [
      ...toolsetFindings(catalogue, snapshot),
      ...selectionFindings(selection, catalogue, snapshot, "enabledToolsets"),
    ].filter((finding) => !this.#mayComeLater(finding) && this.#isNew(finding.message));
    for (const finding of news) {
      this.#options.onDiagnostic(await toDiagnostic(finding, this.#options.configPath));
    }
  }

  /**
   * Looks through what a program selects.
   *
   * @param selection The selection, with what the configuration offers before it.
   * @param snapshot The table.
   */
  async reportSelected(selection: BoundSelection, snapshot: RegistrySnapshot): Promise<void> {
    const { configured, catalogue } = this.#options.selector;
    const parts = selection.parts.filter((part) => !configured.parts.includes(part));
    if (parts.length === 0) return;
    const { selectionFindings } = await import("../registry/toolsets/selection_findings.ts");
    for (const { source, selection } of parts) {
      for (const finding of selectionFindings(selection, catalogue, snapshot)) {
        const { message, hint } = finding;
        const text = `${message} of ${source}${hint === undefined ? "" : `. ${hint}`}`;
        if (!this.#mayComeLater(finding) && this.#isNew(text)) this.#options.onWarning(text);
      }
    }
  }

  // Servers connect after the folders were looked through.
  #mayComeLater({ code, name }: SelectionFinding): boolean {
    if (code === "bundle_keeps_core") return false;
    return name.startsWith("mcp-") || name.startsWith("mcp_") ||
      Object.hasOwn(this.#options.config.mcpServers ?? {}, name);
  }

  #isNew(text: string): boolean {
    if (this.#told.has(text)) return false;
    if (this.#told.size >= CAPACITY) this.#told.clear();
    this.#told.add(text);
    return true;
  }
}

async function toDiagnostic(
  { code, path, name, message, hint }: SelectionFinding,
  file: string | undefined,
): Promise<Diagnostic> {
  return {
    severity: code === "bundle_keeps_core" ? "info" : "warning",
    code,
    message,
    path: file ?? "<config>",
    ...await placeOf(file, path, name),
    ...(hint === undefined ? {} : { hint }),
  };
}

async function placeOf(
  file: string | undefined,
  path: readonly string[],
  name: string,
): Promise<{ readonly line: number; readonly column: number }> {
  try {
    const text = file === undefined ? "" : await Deno.readTextFile(file);
    const { locateElement } = await import("./config/locate_value.ts");
    return locateElement(text.replace(/^\uFEFF/, ""), path, name);
  } catch {
    // The file was read once and is gone now: what is wrong can be said without its place.
    return { line: 1, column: 1 };
  }
}
