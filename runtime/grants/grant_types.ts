/**
 * What planning a tool's grants takes and gives.
 * @module
 */
import type { Permissions, ResolvedGrants } from "../../core/permissions.ts";

/** What the operator allows and denies for one tool, one toolset or one owner. */
export interface Ceiling {
  /** Caps each kind that is present; a kind that is absent is not capped. */
  readonly allow?: Partial<Permissions>;
  /** Takes away, whatever any ceiling allows. */
  readonly deny?: Partial<Permissions>;
  /** Where the ceiling stands, for messages: `permissions.tools.fetch`. */
  readonly source: string;
}

/** Where a tool's variables point, and what the operator says. */
export interface GrantContext {
  /** What `$WORKSPACE` stands for; absolute. */
  readonly workspace: string;
  /** What `$TOOL_DIR` stands for; absolute. */
  readonly toolDir: string;
  /** What `$DATA` stands for; absolute. */
  readonly dataDir: string;
  /** What `$TMP` stands for; absolute. */
  readonly tmpDir: string;
  /** The `PATH` to look programs up in. */
  readonly path?: string;
  /** Variables that no tool is granted, and that may be granted here all the same. */
  readonly harmlessVariables?: readonly string[];
  /** The operator's ceilings; each one caps. */
  readonly ceilings: readonly Ceiling[];
}

/** A grant whose value comes with the call. */
export interface ArgumentGrant {
  /** What the argument's value grants. */
  readonly kind: "read" | "write" | "net";
  /** The argument's name. */
  readonly argument: string;
}

/** How far the grants reach; only tools of one class share a cell. */
export type RiskClass = "none" | "files" | "net" | "mixed" | "system";

/** What a tool gets, and what it does not get. */
export interface GrantPlan {
  /** The part that is the same for every call. */
  readonly grants: ResolvedGrants;
  /** What each call adds from its arguments. */
  readonly argumentGrants: readonly ArgumentGrant[];
  /** Whether the operator let the tool reach this machine's own services. */
  readonly loopback: boolean;
  /** Whether the tool may not share its cell with any other. */
  readonly exclusive: boolean;
  /** Addresses that stay closed whatever a name resolves to. */
  readonly denyNet: readonly string[];
  /** How far the grants reach. */
  readonly riskClass: RiskClass;
  /** Programs that are declared and not installed. */
  readonly missing: readonly string[];
  /** What the operator's ceilings took away, in sentences. */
  readonly cut: readonly string[];
  /** What is not granted without the operator's word; while this is not empty the tool is unavailable. */
  readonly refused: readonly string[];
}

/** What resolving the grants of one call gave. */
export type ArgumentGrantOutcome =
  | {
    readonly ok: true;
    /** What the worker gets. */
    readonly grants: ResolvedGrants;
    /** Addresses that stay closed to it. */
    readonly denyNet: readonly string[];
    /** Whether a cell that may reach every public host will do; else it needs one with just these grants. */
    readonly anyHost: boolean;
  }
  | { readonly ok: false; readonly message: string };
