/**
 * Who answers whether a tool can be used now. The table only asks.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";

/** Whether a tool can be used now, and why not. */
export interface Availability {
  /** Whether it can be used. */
  readonly available: boolean;
  /** Why not, for people; of a tool in grace, why its newest check failed. */
  readonly reason?: string;
  /** When this was looked at, in milliseconds since the epoch. */
  readonly checkedAt?: number;
}

/** One look at many tools: what was looked at once is not looked at again. */
export interface ProbePass {
  /**
   * Says whether a tool can be used now; may run its check.
   *
   * @param entry The tool.
   * @returns The verdict, at once where nobody has to be waited for.
   */
  probe(entry: ToolEntry): Availability | Promise<Availability>;
}

/** Looks at tools and remembers what it saw. */
export interface Prober {
  /**
   * Says whether a tool can be used now; may run its check. Never rejects.
   *
   * @param entry The tool.
   * @returns The verdict.
   */
  probe(entry: ToolEntry): Promise<Availability>;
  /**
   * Begins a look at many tools.
   *
   * @returns The pass; left out, every tool is looked at by itself.
   */
  pass?(): ProbePass;
  /**
   * What is known now, without running anything.
   *
   * @param entry The tool.
   * @returns The verdict, or `undefined` when it is not known.
   */
  peek(entry: ToolEntry): Availability | undefined;
  /** Forgets every verdict. */
  invalidate(): void;
}
