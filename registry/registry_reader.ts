/**
 * What can be asked of a table.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonSchema } from "../core/json.ts";
import { DEFAULT_EMOJI, DEFAULT_RESULT_SIZE_CHARS } from "../core/limits.ts";
import { InlineProber } from "./inline_prober.ts";
import type { Availability, Prober } from "./prober.ts";
import type { RegistrySnapshot } from "./snapshot.ts";
import {
  type AvailabilityReport,
  isUsable,
  probeToolsets,
  toAvailabilityReport,
  type ToolsetReport,
  type ToolsetRequirements,
  toolsetRequirements,
  toToolsetReport,
} from "./toolset_availability.ts";

/** The questions that a table answers; every answer comes from one snapshot. */
export abstract class RegistryReader {
  #prober: Prober = new InlineProber();

  /**
   * The newest generation.
   *
   * @returns A frozen snapshot; the same one until the next change.
   */
  abstract snapshot(): RegistrySnapshot;

  /**
   * Looks a tool up.
   *
   * @param name The name, in the exact spelling.
   * @returns The tool, or `undefined`.
   */
  abstract getEntry(name: string): ToolEntry | undefined;

  /**
   * The toolset that an alias stands for.
   *
   * @param alias The alias.
   * @returns The toolset, or `undefined`.
   */
  abstract getToolsetAliasTarget(alias: string): string | undefined;

  /**
   * The schema of a tool's parameters, whether or not the tool can be used now.
   *
   * @param name The tool's name, in the exact spelling.
   * @returns The JSON Schema as it was registered, frozen; `undefined` for an unknown name.
   *
   * @example What a tool takes
   * ```ts
   * import { ToolRegistry } from "@cloister/cloister";
   *
   * const registry = new ToolRegistry();
   * registry.register({
   *   name: "shout",
   *   toolset: "text",
   *   description: "Write a text in capitals.",
   *   schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
   *   handler: ({ text }) => text.toUpperCase(),
   * });
   * console.log(registry.getSchema("shout")?.required); // ["text"]
   * console.log(registry.getSchema("whisper")); // undefined
   * ```
   */
  getSchema(name: string): JsonSchema | undefined {
    return this.getEntry(name)?.schema;
  }

  /**
   * All names.
   *
   * @returns The names, sorted, whether or not the tools can be used now.
   */
  getAllToolNames(): string[] {
    return [...this.snapshot().names()];
  }

  /**
   * The tools of a toolset.
   *
   * @param toolset The toolset or its alias.
   * @returns Their names, sorted.
   */
  getToolNamesForToolset(toolset: string): string[] {
    const snapshot = this.snapshot();
    const wanted = this.#resolve(snapshot, toolset);
    return snapshot.entries().filter((entry) => entry.toolset === wanted).map(({ name }) => name);
  }

  /**
   * The toolset of a tool.
   *
   * @param name The tool's name.
   * @returns The toolset, or `undefined`.
   */
  getToolsetForTool(name: string): string | undefined {
    return this.getEntry(name)?.toolset;
  }

  /**
   * The toolset of every tool.
   *
   * @returns Name to toolset, sorted by name.
   */
  getToolToToolsetMap(): Map<string, string> {
    return new Map(this.snapshot().entries().map((entry) => [entry.name, entry.toolset]));
  }

  /**
   * All toolsets.
   *
   * @returns The toolsets, sorted.
   */
  getRegisteredToolsetNames(): string[] {
    return [...this.snapshot().toolsets()];
  }

  /**
   * The picture of a tool.
   *
   * @param name The tool's name.
   * @param defaultEmoji For a tool that is unknown or names none.
   * @returns The picture.
   */
  getEmoji(name: string, defaultEmoji: string = DEFAULT_EMOJI): string {
    return this.getEntry(name)?.emoji || defaultEmoji;
  }

  /**
   * The longest result of a tool before it goes to a file.
   *
   * @param name The tool's name.
   * @param defaultSize For a tool that is unknown or names none.
   * @returns A number of characters, or `Infinity`.
   */
  getMaxResultSize(name: string, defaultSize: number = DEFAULT_RESULT_SIZE_CHARS): number {
    return this.getEntry(name)?.maxResultSizeChars ?? defaultSize;
  }

  /**
   * Sets who looks at whether tools can be used. Until then the checks of inline tools run in place.
   *
   * @param prober Looks at tools.
   */
  setProber(prober: Prober): void {
    this.#prober = prober;
  }

  /** Forgets what is known about whether tools can be used. */
  invalidateCheckCache(): void {
    this.#prober.invalidate();
  }

  /**
   * The last verdict on a tool, without running anything.
   *
   * @param name The tool's name.
   * @returns The verdict, or `undefined` when the tool or the verdict is not known.
   */
  peekAvailability(name: string): Availability | undefined {
    const entry = this.getEntry(name);
    return entry && this.#prober.peek(entry);
  }

  /**
   * Whether at least one tool of a toolset can be used now.
   *
   * @param toolset The toolset or its alias.
   * @returns True when one can; false for an unknown toolset. Never rejects.
   */
  async isToolsetAvailable(toolset: string): Promise<boolean> {
    const snapshot = this.snapshot();
    const wanted = this.#resolve(snapshot, toolset);
    return (await probeToolsets(snapshot, this.#prober, wanted)).some(isUsable);
  }

  /**
   * Which toolsets can be used now.
   *
   * @returns Toolset to whether it can be used, sorted by toolset.
   */
  async checkToolsetRequirements(): Promise<Record<string, boolean>> {
    const toolsets = await probeToolsets(this.snapshot(), this.#prober);
    return Object.fromEntries(toolsets.map((toolset) => [toolset.name, isUsable(toolset)]));
  }

  /**
   * Which toolsets can be used now, and why the others cannot.
   *
   * @returns The toolsets by whether they can be used.
   */
  async checkToolAvailability(): Promise<AvailabilityReport> {
    return toAvailabilityReport(await probeToolsets(this.snapshot(), this.#prober));
  }

  /**
   * All toolsets with their tools and what they need.
   *
   * @returns Toolset to what is known of it, sorted by toolset.
   */
  async getAvailableToolsets(): Promise<Record<string, ToolsetReport>> {
    const toolsets = await probeToolsets(this.snapshot(), this.#prober);
    return Object.fromEntries(toolsets.map((toolset) => [toolset.name, toToolsetReport(toolset)]));
  }

  /**
   * What every toolset needs, in the shape that older programs know. Nothing is asked; who wants to know whether a
   * toolset can be used now asks {@linkcode RegistryReader.checkToolsetRequirements}.
   *
   * @returns Toolset to what it needs, sorted by toolset.
   *
   * @example Which variables a toolset needs
   * ```ts
   * import { ToolRegistry } from "@cloister/cloister";
   *
   * const registry = new ToolRegistry();
   * registry.register({
   *   name: "forecast",
   *   toolset: "weather",
   *   description: "Tell tomorrow's weather.",
   *   schema: { type: "object" },
   *   requiresEnv: ["WEATHER_KEY"],
   *   checkFn: () => false,
   *   handler: () => "Rain.",
   * });
   * const { weather } = registry.getToolsetRequirements();
   * console.log(weather?.envVars, weather?.tools); // ["WEATHER_KEY"] ["forecast"]
   * console.log(await weather?.checkFn?.()); // false
   * ```
   */
  getToolsetRequirements(): Record<string, ToolsetRequirements> {
    return toolsetRequirements(this.snapshot(), this.#prober);
  }

  #resolve(snapshot: RegistrySnapshot, toolset: string): string {
    const target = this.getToolsetAliasTarget(toolset);
    if (target === undefined || snapshot.toolsets().includes(toolset)) return toolset;
    return target;
  }
}
