/**
 * What can be changed inside `ToolRegistry.update`.
 * @module
 */
import type { Owner, ToolEntry } from "../core/entry.ts";
import type { RegisterOutcome, ToolRegistration } from "../core/registration.ts";
import type { ToolSchema } from "../core/schema.ts";

/** Options of `register` on the table. */
export interface TableRegisterOptions {
  /** Who registers. @default {"program"} */
  readonly owner?: Owner;
  /** Asks to replace a tool of the same name that another owner has. @default {false} */
  readonly override?: boolean;
}

/** Options of `deregister`. */
export interface DeregisterOptions {
  /** Whose claim to withdraw. @default {"program"} */
  readonly owner?: Owner;
}

/** What the operator allows a plugin. */
export interface PluginOverridePolicy {
  /** Whether its overrides count. */
  readonly allowToolOverride: boolean;
}

/** The ways to change the table; each says what it would do on `ToolRegistry` itself. */
export interface RegistryDraft {
  /**
   * Registers a tool whose code is part of this program.
   *
   * @param registration The tool; it is copied.
   * @param options Who registers it and whether it overrides.
   * @returns What became of it. A rejected claim is kept, and shows when the winner is withdrawn.
   * @throws {TypeError} If a field is missing, unknown or of the wrong kind, or the name is not allowed.
   * @throws {PermissionError} If a plugin overrides somebody else's tool without the operator's grant (the
   * claim is kept and waits for it), or the name or toolset is somebody else's.
   */
  register<const S extends ToolSchema>(
    registration: ToolRegistration<S>,
    options?: TableRegisterOptions,
  ): RegisterOutcome;
  /**
   * Registers an entry made with `createInlineEntry` or `createModuleEntry`, for the owner it names.
   *
   * @param entry The entry.
   * @returns What became of it.
   * @throws {TypeError} If the name is not allowed or the entry is not frozen.
   * @throws {PermissionError} As {@linkcode RegistryDraft.register}.
   */
  registerEntry(entry: ToolEntry): RegisterOutcome;
  /**
   * Makes an owner's claims exactly these: what it claimed before and is not among them is withdrawn, what
   * says the same as before stays as it is. Of two entries with the same folded name the first holds. A
   * plugin's override without a grant is rejected, not thrown.
   *
   * @param owner The owner.
   * @param entries Its entries, in the order that decides between duplicates.
   * @returns What became of each entry, in the same order.
   * @throws {TypeError} If an entry is another owner's, or not allowed.
   */
  replaceOwnerClaims(owner: Owner, entries: readonly ToolEntry[]): readonly RegisterOutcome[];
  /**
   * Withdraws a claim. A name that nobody holds is left alone.
   *
   * @param name The tool's name.
   * @param options Whose claim.
   * @returns True when there was a claim.
   * @throws {PermissionError} If the owner, other than the program, has no claim and somebody else has one.
   */
  deregister(name: string, options?: DeregisterOptions): boolean;
  /**
   * Gives a toolset a second name. An alias stands for one toolset, never for another alias, and is dropped
   * with the last tool of its toolset.
   *
   * @param alias The second name.
   * @param toolset The toolset, which need not exist yet.
   * @throws {TypeError} If one of them is no name.
   */
  registerToolsetAlias(alias: string, toolset: string): void;
  /**
   * Says whether a plugin's overrides count, for it and for every id below it. The longest id that fits a
   * plugin decides.
   *
   * @param namespace The plugin, `plugin:<id>`.
   * @param policy What the operator allows.
   * @throws {TypeError} If the namespace is no plugin's.
   */
  registerPluginOverridePolicy(namespace: string, policy: PluginOverridePolicy): void;
  /**
   * Says which plugin goes before which. Plugins that are not named come last, by id.
   *
   * @param namespaces The plugins in the order of the configuration.
   * @throws {TypeError} If one is no plugin's.
   */
  setPluginOrder(namespaces: readonly string[]): void;
  /**
   * Looks a visible tool up, with the changes made so far.
   *
   * @param name The name, in the exact spelling.
   * @returns The tool, or `undefined`.
   */
  getEntry(name: string): ToolEntry | undefined;
}
