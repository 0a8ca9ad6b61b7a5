/**
 * What is known about a file as long as nothing it rests on changes.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { ClosureInput } from "./closure.ts";
import type { DiscoveredTool, ModuleStatus } from "./discovery_types.ts";

/** An admitted closure, without its bytes. */
export interface ClosureRecord {
  /** Hash of the module and everything it imports. */
  readonly integrity: string;
  /** Paths below the root, the module first; their hashes are among the verdict's inputs. */
  readonly files: readonly string[];
  /** Whether loading the module is certain to succeed. */
  readonly safe: boolean;
  /** What the disk says about the stored copies; absent where it would tell nothing. */
  readonly stamp?: string;
}

/** What became of a file, and what that rests on. */
export interface Verdict {
  /** The root's path as it was given. */
  readonly dir: string;
  /** The file's path below the root. */
  readonly relative: string;
  /** What became of it. */
  readonly status: ModuleStatus;
  /** Its tools. */
  readonly tools: readonly DiscoveredTool[];
  /** Findings, in source order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was looked at, the module first. */
  readonly inputs: readonly ClosureInput[];
  /** The admitted closure, when the module is registered. */
  readonly closure?: ClosureRecord;
}
