/**
 * Who answers whether a tool can be used now. The table only asks.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";

/** Whether a tool can be used now, and why not. */
export interface Availability {
  /** Whether it can be used. */
  readonly available: boolean;
  /** Why not, for people. */
  readonly reason?: string;
  /** When this was looked at, in milliseconds since the epoch. */
  readonly checkedAt?: number;
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
   * The last verdict, without running anything.
   *
   * @param entry The tool.
   * @returns The verdict, or `undefined` when it is not known.
   */
  peek(entry: ToolEntry): Availability | undefined;
  /** Forgets every verdict. */
  invalidate(): void;
}
