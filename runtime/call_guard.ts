/**
 * What stands between a call's checked arguments and its handler: hooks, the check of shell commands, approval.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject } from "../core/json.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import { approvalRule } from "./approval/approval_rules.ts";
import { decideApproval, type DecidedRule } from "./approval/session_approval.ts";
import type { ApprovalConfig, ApprovalSurface } from "./approval/approval_types.ts";
import type { ApprovalFile } from "./approval/approval_file.ts";
import { type ApprovalKey, Approver, type Refusal } from "./approval/approver.ts";
import { bindCall, declarationOf } from "./approval/binding.ts";
import type { CommandGate, CommandLaunch, CommandVerdict } from "./approval/command_gate.ts";
import { isShellTool } from "./approval/shell_tools.ts";
import { describeGrants } from "./grants/mod.ts";
import { HookRunner, type HookVerdict } from "./hook_runner.ts";
import type { HookedCall, HookOutcome, ToolHooks } from "./hooks.ts";
import type { DispatchOptions } from "./runtime_types.ts";
import { sessionState } from "./session.ts";
import type { Session } from "./session_types.ts";
import type { ToolPlanner } from "./tool_planner.ts";

const COMMAND_HINT =
  "To allow it, approve it where a person can be asked, pass the id in the details with the same call (`--yes` on the " +
  "command line), or let commands run in a container: `doctor` says what is missing";

/** What a guard works with. */
export interface CallGuardOptions {
  /** Hooks of the program. */
  readonly hooks: readonly ToolHooks[];
  /** The configuration's section `approval`. */
  readonly approval: ApprovalConfig | undefined;
  /** Asks a person; absent where nobody can be asked. */
  readonly surface?: ApprovalSurface;
  /** Keeps approvals that hold always. */
  readonly file?: ApprovalFile;
  /** Decides about shell commands. */
  readonly commands: CommandGate;
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

/** What becomes of a call: why it must not run, or how its command is started where it has one. */
export type GuardVerdict =
  | { readonly refusal: Refusal }
  | { readonly refusal?: undefined; readonly launch?: CommandLaunch };

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
    const { hooks, warn, surface, approval, file } = options;
    if (hooks.length > 0) this.#hooks = new HookRunner({ hooks, warn });
    this.#approver = new Approver({ surface, timeoutMs: approval?.timeoutMs, file, warn });
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
   * @returns Why it must not run, or how.
   */
  async before(call: GuardedCall): Promise<GuardVerdict> {
    const { entry, args } = call;
    const hooks = await this.#askHooks(call);
    if (hooks.block !== undefined) return denied(hooks.block);
    const command = isShellTool(entry)
      ? await this.#options.commands.check(entry, args)
      : undefined;
    const refusal = this.#refuseOutright(call, command);
    if (refusal) return { refusal };
    const isOpen = command?.reason !== undefined &&
      this.#rule(entry, call.options.session).dangerousCommands !== "allow";
    const reasons = [...this.#reasonsToAsk(call), ...isOpen ? [command.reason!] : [], ...hooks.ask];
    if (reasons.length === 0) return { launch: await command?.launch(false) };
    return await this.#approve(call, reasons, command);
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

  #rule(entry: ToolEntry, session: Session | undefined): DecidedRule {
    const approvals = session && sessionState(session).options.approvals;
    return decideApproval(this.#options.approval, approvals, entry);
  }

  #refuseOutright(
    { entry: { name }, entry, options: { session } }: GuardedCall,
    command: CommandVerdict | undefined,
  ): Refusal | undefined {
    const refused = (message: string): Refusal => ({ code: "approval_denied", message });
    if (command?.accident !== undefined) {
      return refused(
        `Refused to run the command: it ${command.accident}. No setting and no approval allows this`,
      );
    }
    const { mode, key, source, dangerousCommands } = this.#rule(entry, session);
    if (mode === "deny") {
      return refused(`Tool "${name}" is not approved: ${source} denies it (${key})`);
    }
    if (command?.reason === undefined || dangerousCommands !== "deny") return undefined;
    return refused(`Refused to run the command. ${command.reason} (approval.dangerousCommands)`);
  }

  #reasonsToAsk({ entry, options: { session } }: GuardedCall): string[] {
    const { mode, key, source } = this.#rule(entry, session);
    return [
      ...entry.approvalReason === undefined ? [] : [entry.approvalReason],
      ...mode === "ask" ? [`${capitalise(source)} asks for it (${key})`] : [],
    ];
  }

  async #approve(
    call: GuardedCall,
    reasons: readonly string[],
    command: CommandVerdict | undefined,
  ): Promise<GuardVerdict> {
    const { entry, callId, options: { approval, signal, taskId, session, onApproval } } = call;
    const sessionId = session?.id;
    const surface = onApproval ?? (session && sessionState(session).options.onApproval);
    const bound = this.#bind(call);
    if (!bound.ok) return { refusal: { code: "permission_denied", message: bound.message } };
    const keys = this.#keys(call, bound.grants, command?.words);
    const known = keys?.map(({ key }) => key) ?? [bound.binding];
    if (approval === undefined && this.#approver.isApproved(known, sessionId)) {
      return { launch: await command?.launch(keys !== undefined) };
    }
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
      ...(keys && { commands: command!.words }),
    }, { approval, signal, keys, hint: command && COMMAND_HINT, ...(surface && { surface }) }) ??
      this.#recheck(call, bound.binding);
    return refusal ? { refusal } : { launch: await command?.launch(false) };
  }

  // Words are remembered one program at a time, with everything of the call but the command itself and its deadline.
  #keys(
    { entry, args }: GuardedCall,
    grants: unknown,
    words: CommandVerdict["words"],
  ): readonly ApprovalKey[] | undefined {
    if (words === undefined || typeof args.command !== "string") return undefined;
    const { command: _, timeout: _timeout, ...rest } = args;
    const declaration = declarationOf(entry);
    return words.map((command) => ({
      key: bindCall({ name: entry.name, args: { ...rest, command }, grants, declaration }),
      what: command.join(" ").slice(0, 500),
    }));
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
  ):
    | { readonly ok: true; readonly binding: string; readonly grants: unknown }
    | { readonly ok: false; readonly message: string } {
    const { planner } = this.#options;
    const { name, handler } = entry;
    const placed = handler.kind === "module"
      ? planner.place(snapshot, entry, args)
      : { ok: true, grants: entry.permissions } as const;
    if (!placed.ok) return placed;
    const { grants } = placed;
    const declaration = declarationOf(entry);
    return { ok: true, grants, binding: bindCall({ name, args, grants, declaration }) };
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

function denied(message: string): GuardVerdict {
  return { refusal: { code: "approval_denied", message } };
}

function freezeAll<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(freezeAll);
  return Object.freeze(value);
}
