/**
 * Every message between the front and a cell's main isolate.
 * @module
 */
import type { ResolvedGrants } from "../core/permissions.ts";

/** What the front says to a cell's main isolate. */
export type CellCommand =
  | {
    readonly type: "start-worker";
    /** The worker's number, from 1. */
    readonly worker: number;
    /** What it may touch; its module's files are among `read`. */
    readonly grants: ResolvedGrants;
    /** Whether it gets the write grants of its process, with their holes, in place of a list of its own. */
    readonly inheritsWrite: boolean;
  }
  | { readonly type: "drop-worker"; readonly worker: number };

/** What a cell's main isolate says. Comes as `unknown` and passes `parseCellEvent`. */
export type CellEvent =
  | { readonly type: "hello"; readonly protocol: number; readonly deno: string }
  | {
    readonly type: "worker-ended";
    readonly worker: number;
    /** `exited` on its own, `crashed` with an error, `refused` could not be started. */
    readonly how: "exited" | "crashed" | "refused";
    readonly message: string;
    /** Whether its thread is known to be gone. */
    readonly gone: boolean;
  }
  | {
    readonly type: "worker-dropped";
    readonly worker: number;
    /** Whether its thread is gone. */
    readonly gone: boolean;
  }
  | { readonly type: "memory"; readonly rss: number }
  | {
    readonly type: "disk";
    /** Bytes that its process has written; those to a file system in memory are not counted. */
    readonly written: number;
  }
  | { readonly type: "restless" }
  | { readonly type: "messages-dropped"; readonly worker: number; readonly count: number };
