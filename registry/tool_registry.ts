/**
 * The table of tools.
 * @module
 */
import type { Owner, ToolEntry } from "../core/entry.ts";
import type { RegisterOutcome, ToolRegistration } from "../core/registration.ts";
import type { ToolSchema } from "../core/schema.ts";
import { ChangeListeners, type TableListener } from "./change_listeners.ts";
import { ClaimTable } from "./claim_table.ts";
import { type ClaimsExplanation, explain } from "./claims_explanation.ts";
import { EventLog } from "./event_log.ts";
import { foldName } from "./fold.ts";
import type {
  DeregisterOptions,
  PluginOverridePolicy,
  RegistryDraft,
  TableRegisterOptions,
} from "./registry_draft.ts";
import { RegistryReader } from "./registry_reader.ts";
import type { RegistrySnapshot } from "./snapshot.ts";
import { effectOf, toTableChange } from "./table_change.ts";
import { TableDraft } from "./table_draft.ts";
import type { TableEvent, TableEventSink } from "./table_event.ts";
import type { EntryChange } from "./table_version.ts";
import { ToolsetAliases } from "./toolset_aliases.ts";
import { VisibleTable } from "./visible_table.ts";

/** Options of {@linkcode ToolRegistry}. */
export interface ToolRegistryOptions {
  /** Receives what the table has to say for the log. @default {events wait for `setEventSink`} */
  readonly onEvent?: TableEventSink;
}

/**
 * The table of tools: claims of every owner, of which one per name is visible. Every change, or batch of
 * changes, that alters what is visible makes a new generation; snapshots of older ones stay as they are.
 *
 * @example Register a tool and look it up
 * ```ts
 * import { ToolRegistry } from "@cloister/cloister";
 *
 * const registry = new ToolRegistry();
 * registry.register({
 *   name: "shout",
 *   toolset: "text",
 *   description: "Write a text in capitals.",
 *   schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
 *   handler: ({ text }) => text.toUpperCase(),
 * });
 * console.log(registry.getEntry("shout")?.toolset); // "text"
 * ```
 */
export class ToolRegistry extends RegistryReader implements RegistryDraft {
  readonly #claims = new ClaimTable();
  readonly #visible = new VisibleTable();
  readonly #aliases = new ToolsetAliases();
  readonly #listeners = new ChangeListeners();
  readonly #log: EventLog;
  #updating = false;

  /**
   * Makes an empty table, of generation 0.
   *
   * @param options Who receives its events.
   */
  constructor(options: ToolRegistryOptions = {}) {
    super();
    this.#log = new EventLog(options.onEvent);
  }

  /** The newest generation: grows by one with every change of what is visible. */
  get generation(): number {
    return this.#visible.generation;
  }

  /** The newest generation's snapshot; see {@linkcode RegistryReader}. */
  override snapshot(): RegistrySnapshot {
    return this.#visible.snapshot();
  }

  /** Looks a tool up; see {@linkcode RegistryReader}. */
  override getEntry(name: string): ToolEntry | undefined {
    return this.#visible.get(name);
  }

  /** Registers a tool; see {@linkcode RegistryDraft}. */
  register<const S extends ToolSchema>(
    registration: ToolRegistration<S>,
    options?: TableRegisterOptions,
  ): RegisterOutcome {
    return this.#change((draft) => draft.register(registration, options));
  }

  /** Registers an entry; see {@linkcode RegistryDraft}. */
  registerEntry(entry: ToolEntry): RegisterOutcome {
    return this.#change((draft) => draft.registerEntry(entry));
  }

  /** Makes an owner's claims exactly these, in one generation; see {@linkcode RegistryDraft}. */
  replaceOwnerClaims(owner: Owner, entries: readonly ToolEntry[]): readonly RegisterOutcome[] {
    return this.update((draft) => draft.replaceOwnerClaims(owner, entries));
  }

  /** Withdraws a claim; see {@linkcode RegistryDraft}. */
  deregister(name: string, options?: DeregisterOptions): boolean {
    return this.#change((draft) => draft.deregister(name, options));
  }

  /** Gives a toolset a second name; see {@linkcode RegistryDraft}. */
  registerToolsetAlias(alias: string, toolset: string): void {
    this.#change((draft) => draft.registerToolsetAlias(alias, toolset));
  }

  /** Says whether a plugin's overrides count; see {@linkcode RegistryDraft}. */
  registerPluginOverridePolicy(namespace: string, policy: PluginOverridePolicy): void {
    this.#change((draft) => draft.registerPluginOverridePolicy(namespace, policy));
  }

  /** Says which plugin goes before which; see {@linkcode RegistryDraft}. */
  setPluginOrder(namespaces: readonly string[]): void {
    this.#change((draft) => draft.setPluginOrder(namespaces));
  }

  /**
   * Makes several changes in one generation, or none: when the function throws, everything is as before.
   *
   * @param change Makes the changes through the draft; must not be asynchronous.
   * @returns What the function returned.
   * @throws {TypeError} If the function returns a promise.
   * @throws {Error} If it is called within another update.
   */
  update<T>(change: (draft: RegistryDraft) => T): T {
    return this.#run((draft) => {
      const result = change(draft);
      if (isThenable(result)) {
        // Its rest runs on a closed draft and fails; nobody else would see that.
        result.then(undefined, () => {});
        throw new TypeError("Cannot update the registry with an asynchronous function");
      }
      return result;
    }, false);
  }

  /** The toolset that an alias stands for; see {@linkcode RegistryReader}. */
  override getToolsetAliasTarget(alias: string): string | undefined {
    return this.#aliases.target(alias);
  }

  /** How often toolset aliases changed: they change without a new generation. */
  get aliasRevision(): number {
    return this.#aliases.revision;
  }

  /**
   * All toolset aliases.
   *
   * @returns Alias to toolset; a copy.
   */
  getRegisteredToolsetAliases(): Map<string, string> {
    return this.#aliases.all();
  }

  /**
   * Who claims a name, and why each claim is or is not visible.
   *
   * @param name The name, in any spelling.
   * @returns The claims.
   */
  explainClaims(name: string): ClaimsExplanation {
    return explain(name, this.#claims.get(foldName(name)), this.#claims.policy);
  }

  /**
   * Listens to changes. The listener is called after the change, with the names that are different; what
   * it throws goes to the log.
   *
   * @param listener Receives the difference.
   * @returns Stops listening.
   */
  subscribe(listener: TableListener): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Sets who receives what the table has to say for the log. Up to a thousand events have been waiting.
   *
   * @param sink Receives events, or `undefined` to let them wait.
   */
  setEventSink(sink: TableEventSink | undefined): void {
    this.#log.setSink(sink);
  }

  /**
   * Adds an event to what the table has to say for the log.
   *
   * @param event The event.
   */
  report(event: TableEvent): void {
    this.#log.write([event]);
  }

  // A single change keeps what was done before it threw: a refused override stays as a claim.
  #change<T>(change: (draft: TableDraft) => T): T {
    return this.#run(change, true);
  }

  #run<T>(change: (draft: TableDraft) => T, keepsOnThrow: boolean): T {
    if (this.#updating) {
      throw new Error("Cannot change the registry while it is being updated; use the draft");
    }
    const draft = new TableDraft(this.#claims);
    let keep = keepsOnThrow;
    this.#updating = true;
    try {
      const result = change(draft);
      keep = true;
      return result;
    } finally {
      draft.close();
      this.#updating = false;
      if (keep) this.#publish(draft);
    }
  }

  #publish(draft: TableDraft): void {
    const { changes, events } = effectOf(this.#claims, draft);
    const log: TableEvent[] = [...draft.events, ...events];
    this.#claims.commit(draft.changed, draft.policy);
    for (const [alias, toolset] of draft.aliases) log.push(...this.#aliases.set(alias, toolset));
    if (changes.length > 0) this.#aliases.dropTargets(this.#visible.commit(changes));
    this.#log.write(log);
    if (changes.length > 0) this.#tell(changes);
  }

  #tell(changes: readonly EntryChange[]): void {
    if (this.#listeners.isEmpty) return;
    this.#listeners.tell(toTableChange(this.generation, changes), (error) => {
      this.#log.write([{ level: "error", message: `A listener of the registry failed: ${error}` }]);
    });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}
