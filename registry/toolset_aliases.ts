/**
 * Second names of toolsets.
 * @module
 */
import type { TableEvent } from "./table_event.ts";

/** Alias to toolset: one step, never a chain. */
export class ToolsetAliases {
  readonly #targets = new Map<string, string>();
  #revision = 0;

  /** How often an alias changed. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Sets an alias.
   *
   * @param alias The second name.
   * @param toolset The toolset.
   * @returns A warning when the alias stood for another toolset.
   */
  set(alias: string, toolset: string): readonly TableEvent[] {
    const before = this.#targets.get(alias);
    this.#targets.set(alias, toolset);
    if (before !== toolset) this.#revision += 1;
    if (before === undefined || before === toolset) return [];
    return [{
      level: "warning",
      message: `Toolset alias "${alias}" moves from "${before}" to "${toolset}"`,
    }];
  }

  /**
   * The toolset that an alias stands for.
   *
   * @param alias The alias.
   * @returns The toolset, or `undefined`.
   */
  target(alias: string): string | undefined {
    return this.#targets.get(alias);
  }

  /**
   * All aliases.
   *
   * @returns A copy.
   */
  all(): Map<string, string> {
    return new Map(this.#targets);
  }

  /**
   * Drops the aliases of toolsets that are gone.
   *
   * @param toolsets The toolsets.
   */
  dropTargets(toolsets: readonly string[]): void {
    if (toolsets.length === 0) return;
    for (const [alias, target] of this.#targets) {
      if (!toolsets.includes(target)) continue;
      this.#targets.delete(alias);
      this.#revision += 1;
    }
  }
}
