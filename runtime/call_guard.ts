/**
 * What stands between a call's checked arguments and its handler: hooks, the floor for shell commands, approval.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import { approvalRule } from "./approval/approval_rules.ts";
import { decideApproval, type DecidedRule } from "./approval/session_approval.ts";
import type { ApprovalConfig, ApprovalSurface } from "./approval/approval_types.ts";
import { Approver, type Refusal } from "./approval/approver.ts";
import { bindCall } from "./approval/binding.ts";
import type { DangerFinding } from "./approval/danger_types.ts";
import { commandOf, isShellTool } from "./approval/shell_tools.ts";
import { describeGrants } from "./grants/mod.ts";
import { HookRunner, type HookVerdict } from "./hook_runner.ts";
import type { HookedCall, HookOutcome, ToolHooks } from "./hooks.ts";
import type { DispatchOptions } from "./runtime_types.ts";
import { sessionState } from "./session.ts";
import type { Session } from "./session_types.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** What a guard works with. */
export interface CallGuardOptions {
  /** Hooks of the program. */
  readonly hooks: readonly ToolHooks[];
  /** The configuration's section `approval`. */
  readonly approval: ApprovalConfig | undefined;
  /** Asks a person; absent where nobody can be asked. */
  readonly surface?: ApprovalSurface;
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
  /** Receives warnings. */
  readonly warn: (message: string) => void;
}

/** A call whose arguments were checked. */
export interface GuardedCall {
  /** The tool. */
  readonly entry: ToolEntry;
  /** The arguments, which nobody else holds. */
  readonly args: JsonObject;
  /** The call's id. */
  readonly callId: string;
  /** The table that the call is pinned to. */
  readonly snapshot: RegistrySnapshot;
  /** What the program asked for. */
  readonly options: DispatchOptions;
}

/** Guards calls. */
export class CallGuard {
  readonly #options: CallGuardOptions;
  readonly #hooks: HookRunner | undefined;
  readonly #approver: Approver;
  readonly #watched = new WeakMap<ToolEntry, boolean>();
  readonly #seen = new WeakMap<GuardedCall, HookedCall>();

  /**
   * Makes a guard.
   *
   * @param options What it works with.
   */
  constructor(options: CallGuardOptions) {
    this.#options = options;
    const { hooks, warn, surface, approval } = options;
    if (hooks.length > 0) this.#hooks = new HookRunner({ hooks, warn });
    this.#approver = new Approver({ surface, timeoutMs: approval?.timeoutMs, warn });
  }

  /**
   * Whether calls of a tool have anything to pass at all; told once for each entry.
   *
   * @param entry The tool.
   * @param session The session that makes the call, where there is one.
   * @returns False when its calls may run as they are.
   */
  watches(entry: ToolEntry, session?: Session): boolean {
    if (entry.approvalReason !== undefined) return true;
    if (session && this.#rule(entry, session).mode !== "allow") return true;
    const known = this.#watched.get(entry);
    if (known !== undefined) return known;
    const { approval } = this.#options;
    const watched = this.#hooks !== undefined || isShellTool(entry) ||
      approval !== undefined && approvalRule(approval, entry).mode !== "allow";
    this.#watched.set(entry, watched);
    return watched;
  }

  /**
   * Lets a call pass, or not.
   *
   * @param call The call.
   * @returns Why it must not run; `undefined` when it may.
   */
  async before(call: GuardedCall): Promise<Refusal | undefined> {
    const hooks = await this.#askHooks(call);
    if (hooks.block !== undefined) return { code: "approval_denied", message: hooks.block };
    const found = await this.#lookAtCommand(call);
    const refusal = this.#refuseOutright(call, found);
    if (refusal) return refusal;
    const reasons = [...this.#reasonsToAsk(call, found), ...hooks.ask];
    return reasons.length === 0 ? undefined : await this.#approve(call, reasons);
  }

  /**
   * Tells the hooks how a call ended.
   *
   * @param call The call.
   * @param outcome How it ended.
   * @returns What replaces its content, if anything does.
   */
  async after(call: GuardedCall, outcome: HookOutcome): Promise<string | undefined> {
    return await this.#hooks?.after(this.#hooked(call), Object.freeze({ ...outcome }));
  }

  /**
   * Forgets what was approved for a session.
   *
   * @param sessionId The session.
   */
  endSession(sessionId: string): void {
    this.#approver.endSession(sessionId);
  }

  async #askHooks(call: GuardedCall): Promise<HookVerdict> {
    const { skipBeforeCall, signal } = call.options;
    if (!this.#hooks || skipBeforeCall) return { ask: [] };
    return await this.#hooks.before(this.#hooked(call), signal);
  }

  // Loaded with the first command: most programs never call a shell.
  async #lookAtCommand({ entry, args }: GuardedCall): Promise<readonly DangerFinding[]> {
    const command = isShellTool(entry) ? commandOf(args) : undefined;
    if (command === undefined) return [];
    const { findDangers } = await import("./approval/dangerous_commands.ts");
    return findDangers(command);
  }

  #rule(entry: ToolEntry, session: Session | undefined): DecidedRule {
    const approvals = session && sessionState(session).options.approvals;
    return decideApproval(this.#options.approval, approvals, entry);
  }

  #refuseOutright(
    { entry: { name }, entry, options: { session } }: GuardedCall,
    found: readonly DangerFinding[],
  ): Refusal | undefined {
    const never = found.filter(({ level }) => level === "hardline");
    if (never.length > 0) {
      const what = [...new Set(never.map(({ what }) => what))].join("; ");
      const message = `Refused to run the command: ${what}. No setting and no approval allows this`;
      return { code: "approval_denied", message, details: { findings: idsOf(never) } };
    }
    const { mode, key, source, dangerousCommands } = this.#rule(entry, session);
    if (mode === "deny") {
      const message = `Tool "${name}" is not approved: ${source} denies it (${key})`;
      return { code: "approval_denied", message };
    }
    if (found.length === 0 || dangerousCommands !== "deny") return undefined;
    const message = `Refused to run the command: ${found[0]!.what} (approval.dangerousCommands)`;
    return { code: "approval_denied", message, details: { findings: idsOf(found) } };
  }

  #reasonsToAsk(
    { entry, options: { session } }: GuardedCall,
    found: readonly DangerFinding[],
  ): string[] {
    const { mode, key, source, dangerousCommands } = this.#rule(entry, session);
    const dangers = dangerousCommands === "allow" ? [] : found;
    return [
      ...entry.approvalReason === undefined ? [] : [entry.approvalReason],
      ...mode === "ask" ? [`${capitalise(source)} asks for it (${key})`] : [],
      ...new Set(dangers.map(({ what }) => `The command may do damage: ${what}`)),
    ];
  }

  async #approve(call: GuardedCall, reasons: readonly string[]): Promise<Refusal | undefined> {
    const { entry, callId, options: { approval, signal, taskId, session, onApproval } } = call;
    const sessionId = session?.id;
    const surface = onApproval ?? (session && sessionState(session).options.onApproval);
    const bound = this.#bind(call);
    if (!bound.ok) return { code: "permission_denied", message: bound.message };
    const { args, name, toolset, generation } = this.#hooked(call);
    const { plan } = this.#options.planner.plan(entry);
    const refusal = await this.#approver.approve({
      binding: bound.binding,
      callId,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(taskId === undefined ? {} : { taskId }),
      name,
      toolset,
      args,
      grants: Object.freeze(describeGrants(plan)),
      generation,
      reasons: Object.freeze([...reasons]),
    }, { approval, signal, ...(surface && { surface }) });
    return refusal ?? this.#recheck(call, bound.binding);
  }

  // A person takes time; what runs must still be what was approved.
  #recheck(call: GuardedCall, binding: string): Refusal | undefined {
    const { entry, snapshot } = call;
    const holds = (table: RegistrySnapshot) => table.get(entry.name) === entry;
    if (holds(snapshot) && !holds(this.#options.snapshot())) {
      const message = `Tool "${entry.name}" changed while it waited for approval. ` +
        "Ask for the definitions again";
      return { code: "integrity_changed", message };
    }
    const now = this.#bind(call);
    if (now.ok && now.binding === binding) return undefined;
    const message = `The call of "${entry.name}" changed after it was approved: approve it again`;
    return { code: "approval_denied", message };
  }

  #bind(
    { entry, args, snapshot }: GuardedCall,
  ): { readonly ok: true; readonly binding: string } | {
    readonly ok: false;
    readonly message: string;
  } {
    const { planner } = this.#options;
    const { name, handler } = entry;
    const { generation } = snapshot;
    const placed = handler.kind === "module"
      ? planner.place(snapshot, entry, args)
      : { ok: true, grants: entry.permissions } as const;
    if (!placed.ok) return placed;
    return { ok: true, binding: bindCall({ name, args, grants: placed.grants, generation }) };
  }

  #hooked(call: GuardedCall): HookedCall {
    const known = this.#seen.get(call);
    if (known) return known;
    const { entry: { name, toolset }, callId, snapshot: { generation } } = call;
    const { taskId, session } = call.options;
    const hooked: HookedCall = Object.freeze({
      name,
      toolset,
      args: freezeAll(structuredClone(call.args)),
      callId,
      ...(session === undefined ? {} : { sessionId: session.id }),
      ...(taskId === undefined ? {} : { taskId }),
      generation,
    });
    this.#seen.set(call, hooked);
    return hooked;
  }
}

function capitalise(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function idsOf(found: readonly DangerFinding[]): string[] {
  return [...new Set(found.map(({ id }) => id))];
}

function freezeAll<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(freezeAll);
  return Object.freeze(value);
}
