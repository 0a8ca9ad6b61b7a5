/**
 * Changes that are collected before the table takes them over.
 * @module
 */
import type { Owner, ToolEntry } from "../core/entry.ts";
import { PermissionError } from "../core/errors.ts";
import type { RegisterOutcome, ToolRegistration } from "../core/registration.ts";
import type { ToolSchema } from "../core/schema.ts";
import { claimOf, type Claims, type ClaimTable, withClaim, withoutOwner } from "./claim_table.ts";
import { assertEntry, createInlineEntry } from "./entry.ts";
import { foldName } from "./fold.ts";
import { assertOwner, pluginNamespace } from "./name.ts";
import { type PluginPolicy, winner } from "./policy.ts";
import type {
  DeregisterOptions,
  PluginOverridePolicy,
  RegistryDraft,
  TableRegisterOptions,
} from "./registry_draft.ts";
import { isSameEntry } from "./same_entry.ts";
import {
  grantHint,
  isDormant,
  rejectionEvent,
  type TableEvent,
  whyShadowed,
} from "./table_event.ts";

/** A draft over the claims of a table; the table stays as it is until it takes the draft over. */
export class TableDraft implements RegistryDraft {
  readonly #base: ClaimTable;
  readonly #changed = new Map<string, Claims>();
  readonly #aliases = new Map<string, string>();
  readonly #events: TableEvent[] = [];
  #policy: PluginPolicy;
  #open = true;

  /**
   * Begins a draft.
   *
   * @param base The claims as they are.
   */
  constructor(base: ClaimTable) {
    this.#base = base;
    this.#policy = base.policy;
  }

  /** The claims that are different, by folded name. */
  get changed(): ReadonlyMap<string, Claims> {
    return this.#changed;
  }

  /** Aliases that were registered, in order. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  /** What there is to say, in order. */
  get events(): readonly TableEvent[] {
    return this.#events;
  }

  /** What the operator says about plugins. */
  get policy(): PluginPolicy {
    return this.#policy;
  }

  /** Ends the draft: from now on it refuses every change. */
  close(): void {
    this.#open = false;
  }

  /** Registers a tool; see {@linkcode RegistryDraft}. */
  register<const S extends ToolSchema>(
    registration: ToolRegistration<S>,
    options: TableRegisterOptions = {},
  ): RegisterOutcome {
    const { owner = "program", override } = options;
    assertOwner(owner);
    const entry = createInlineEntry(registration as unknown as ToolRegistration, owner, {
      override,
    });
    return this.#register(entry);
  }

  /** Registers an entry; see {@linkcode RegistryDraft}. */
  registerEntry(entry: ToolEntry): RegisterOutcome {
    assertEntry(entry);
    return this.#register(entry);
  }

  /** Makes an owner's claims exactly these; see {@linkcode RegistryDraft}. */
  replaceOwnerClaims(owner: Owner, entries: readonly ToolEntry[]): readonly RegisterOutcome[] {
    this.#assertOpen();
    assertOwner(owner);
    for (const entry of entries) assertOwnEntry(entry, owner);
    const before = this.#withdrawAll(owner);
    const seen = new Map<string, ToolEntry>();
    return entries.map((entry) => {
      const fold = foldName(entry.name);
      const first = seen.get(fold);
      if (first) return this.#rejectDuplicate(entry, first);
      seen.set(fold, entry);
      return this.#putBack(fold, entry, before.get(fold));
    });
  }

  /** Withdraws a claim; see {@linkcode RegistryDraft}. */
  deregister(name: string, options: DeregisterOptions = {}): boolean {
    this.#assertOpen();
    const { owner = "program" } = options;
    assertOwner(owner);
    const fold = foldName(String(name));
    const claims = this.claimsOf(fold);
    if (claimOf(claims, owner)) {
      this.#changed.set(fold, withoutOwner(claims, owner));
      return true;
    }
    const holder = winner(claims, this.#policy);
    if (holder) this.#refuseToWithdraw(holder, owner);
    return false;
  }

  /** Gives a toolset a second name; see {@linkcode RegistryDraft}. */
  registerToolsetAlias(alias: string, toolset: string): void {
    this.#assertOpen();
    for (const word of [alias, toolset]) {
      if (typeof word === "string" && word.trim() !== "") continue;
      throw new TypeError(
        `Cannot register toolset alias "${String(alias)}" for "${String(toolset)}": ` +
          `expected two strings that are not empty`,
      );
    }
    this.#aliases.set(alias, toolset);
  }

  /** Says whether a plugin's overrides count; see {@linkcode RegistryDraft}. */
  registerPluginOverridePolicy(namespace: string, policy: PluginOverridePolicy): void {
    this.#assertOpen();
    const overrides = new Map(this.#policy.overrides);
    overrides.set(pluginNamespace(namespace), policy.allowToolOverride === true);
    this.#policy = { ...this.#policy, overrides };
  }

  /** Says which plugin goes before which; see {@linkcode RegistryDraft}. */
  setPluginOrder(namespaces: readonly string[]): void {
    this.#assertOpen();
    this.#policy = { ...this.#policy, order: namespaces.map(pluginNamespace) };
  }

  /** Looks a visible tool up; see {@linkcode RegistryDraft}. */
  getEntry(name: string): ToolEntry | undefined {
    const visible = winner(this.claimsOf(foldName(name)), this.#policy);
    return visible?.name === name ? visible : undefined;
  }

  /**
   * The claims on a name, with the changes made so far.
   *
   * @param fold The folded name.
   * @returns The claims.
   */
  claimsOf(fold: string): Claims {
    return this.#changed.get(fold) ?? this.#base.get(fold);
  }

  #register(entry: ToolEntry): RegisterOutcome {
    this.#assertOpen();
    const fold = foldName(entry.name);
    const own = claimOf(this.claimsOf(fold), entry.owner);
    if (own && own.name !== entry.name) return this.#rejectSpelling(entry, own);
    const outcome = this.#put(fold, entry);
    if (outcome.status === "rejected" && this.#isForbidden(entry)) {
      throw new PermissionError(
        `Cannot override tool "${entry.name}" of ${outcome.winner} for ${entry.owner}: ` +
          grantHint(entry, this.#policy),
      );
    }
    return outcome;
  }

  #put(fold: string, entry: ToolEntry): RegisterOutcome {
    const claims = this.claimsOf(fold);
    const before = winner(claims, this.#policy);
    const after = withClaim(claims, entry);
    this.#changed.set(fold, after);
    const visible = winner(after, this.#policy)!;
    if (visible === entry) return { status: before ? "replaced" : "registered" };
    return this.#reject(entry, visible, whyShadowed(visible, entry, this.#policy));
  }

  #putBack(fold: string, entry: ToolEntry, before: Claims = []): RegisterOutcome {
    const own = claimOf(before, entry.owner);
    if (!own || !isSameEntry(own, entry)) return this.#put(fold, entry);
    // Restored as they stood: a second look at an MCP server does not make it the latest.
    this.#changed.set(fold, before);
    const visible = winner(before, this.#policy)!;
    if (visible === own) return { status: "registered" };
    const reason = whyShadowed(visible, own, this.#policy);
    return { status: "rejected", reason, winner: visible.owner };
  }

  #withdrawAll(owner: Owner): ReadonlyMap<string, Claims> {
    const before = new Map<string, Claims>();
    for (const fold of new Set([...this.#base.folds, ...this.#changed.keys()])) {
      const claims = this.claimsOf(fold);
      if (!claimOf(claims, owner)) continue;
      before.set(fold, claims);
      this.#changed.set(fold, withoutOwner(claims, owner));
    }
    return before;
  }

  #isForbidden(entry: ToolEntry): boolean {
    if (!isDormant(entry, this.#policy)) return false;
    return winner(this.claimsOf(foldName(entry.name)), this.#policy)!.name === entry.name;
  }

  #rejectSpelling(entry: ToolEntry, own: ToolEntry): RegisterOutcome {
    return this.#reject(entry, own, whyShadowed(own, entry, this.#policy));
  }

  #rejectDuplicate(entry: ToolEntry, first: ToolEntry): RegisterOutcome {
    const where = first.source.path === undefined ? "" : ` in ${first.source.path}`;
    return this.#reject(
      entry,
      first,
      `${entry.owner} has "${first.name}" already${where}, and the first one holds the name`,
    );
  }

  #reject(entry: ToolEntry, held: ToolEntry, reason: string): RegisterOutcome {
    this.#events.push(rejectionEvent(entry, reason));
    return { status: "rejected", reason, winner: held.owner };
  }

  #refuseToWithdraw(holder: ToolEntry, owner: Owner): void {
    const message = `Cannot deregister tool "${holder.name}" for ${owner}: it belongs to ` +
      `${holder.owner}, and ${owner} has no claim on the name`;
    if (owner !== "program") throw new PermissionError(message);
    this.#events.push({
      level: "warning",
      message: `${message}; to withdraw it, pass { owner: "${holder.owner}" }`,
    });
  }

  #assertOpen(): void {
    if (this.#open) return;
    throw new Error("Cannot change the registry through a draft after its update has ended");
  }
}

function assertOwnEntry(entry: ToolEntry, owner: Owner): void {
  assertEntry(entry);
  if (entry.owner === owner) return;
  throw new TypeError(
    `Cannot replace the claims of ${owner}: tool "${entry.name}" belongs to ${entry.owner}`,
  );
}
