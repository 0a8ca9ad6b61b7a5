/**
 * What a runtime reports: on files, on single tools, on the machine.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Isolation, Owner } from "../core/entry.ts";
import type { Permissions } from "../core/permissions.ts";
import type { Dialect } from "../registry/dialects/definition_types.ts";
import type { ModuleStatus } from "../registry/discovery_types.ts";
import type { Loss } from "./runtime_types.ts";

/** One file in a discovery report. */
export interface ModuleReport {
  /** The file's absolute path. */
  readonly path: string;
  /** What became of it. */
  readonly status: ModuleStatus;
  /** Names of its tools. */
  readonly tools: readonly string[];
  /** Hash of the module and everything it imports. */
  readonly integrity?: string;
  /** Findings, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a discovery found. */
export interface DiscoveryReport {
  /** Every candidate file. */
  readonly modules: readonly ModuleReport[];
  /** How many files the manifest knew and how many were read anew. */
  readonly cache: { readonly hits: number; readonly misses: number };
  /** Milliseconds it took. */
  readonly durationMs: number;
}

/** What a dialect cannot say of a tool. */
export interface DialectFinding {
  /** The dialect. */
  readonly dialect: Dialect;
  /** What it cannot say, by place in the tool's schema. */
  readonly losses: readonly Omit<Loss, "name">[];
  /** Why the dialect's lists leave the tool out. */
  readonly omitted?: string;
}

/** Why a tool is or is not offered. */
export interface Explanation {
  /** The name that was asked for. */
  readonly name: string;
  /** Whether the table has it. */
  readonly found: boolean;
  /** Near names, when it does not. */
  readonly suggestions: readonly string[];
  /** Where it comes from. */
  readonly source?: {
    readonly kind: string;
    readonly path?: string;
    readonly line?: number;
    /** The MCP server. */
    readonly server?: string;
    /** What holds the MCP server. */
    readonly containment?: "sandboxed" | "unsandboxed" | "remote";
  };
  /** Who owns it. */
  readonly owner?: Owner;
  /** Which rule decided who has the name, in a sentence. */
  readonly rule?: string;
  /** Others that wanted the name, and why they do not have it. */
  readonly shadowed: readonly {
    readonly owner: Owner;
    readonly path?: string;
    readonly reason: string;
  }[];
  /** The group that it belongs to. */
  readonly toolset?: string;
  /** Whether the configuration offers it, else why not; and the toolsets that list it. */
  readonly selection?: {
    readonly enabled: boolean;
    readonly reason?: string;
    readonly listedBy: readonly string[];
  };
  /** Whether it can be used now. */
  readonly available?: boolean;
  /** Why not; of a tool that counts as available in grace, why its newest check failed. */
  readonly reason?: string;
  /** When availability was last looked at, ISO 8601; in grace, when its check last succeeded. */
  readonly checkedAt?: string;
  /** How long ago that was, in milliseconds. */
  readonly ageMs?: number;
  /** Where it runs. */
  readonly isolation?: Isolation;
  /** Why it has a cell of its own although its declaration asks for none: it once ended one that others shared. */
  readonly ownCell?: string;
  /** What becomes of its shell commands, for a tool that runs some. */
  readonly commands?: string;
  /** A call's deadline in milliseconds, within the operator's limit. */
  readonly timeoutMs?: number;
  /** What a call may take, in megabytes, within the operator's limit. */
  readonly memoryMb?: number;
  /** What it declares. */
  readonly permissions?: Permissions;
  /** What it gets on this machine, after the operator's ceilings; `--allow-…` style, for people. */
  readonly grants?: readonly string[];
  /** What the operator's ceilings took away. */
  readonly cut?: readonly string[];
  /** What providers cannot be told of it; dialects that say all of it are left out. */
  readonly dialects?: readonly DialectFinding[];
  /** Hash of the module and everything it imports. */
  readonly integrity?: string;
  /** Findings about its file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One guarantee, looked at on this machine. */
export interface DoctorCheck {
  /** A stable word for programs. */
  readonly id: string;
  /** What is guaranteed. */
  readonly name: string;
  /** Whether it holds. */
  readonly status: "pass" | "fail" | "skip";
  /** What was seen, and what to do when it does not hold. */
  readonly detail: string;
}

/** What this machine and Deno version guarantee. */
export interface DoctorReport {
  /** The version of Deno. */
  readonly deno: string;
  /** The strongest isolation that works here, in words: `cell`, `in-process` or `none`. */
  readonly isolation: "cell" | "in-process" | "none";
  /** The single checks. */
  readonly checks: readonly DoctorCheck[];
}
