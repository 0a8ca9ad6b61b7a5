/**
 * The part of the table that belongs to the MCP servers of one runtime.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import { foldName } from "../../registry/fold.ts";
import type { RegistryDraft } from "../../registry/registry_draft.ts";
import type { ToolRegistry } from "../../registry/tool_registry.ts";
import type { PlannedTool } from "./server_tools.ts";
import { serverToolset } from "./tool_name.ts";

/** What a server's list changed in the table. */
export interface TableNews {
  /** Names that are new in the table. */
  readonly added: readonly string[];
  /** Names that are gone. */
  readonly removed: readonly string[];
  /** Names whose entry is another one. */
  readonly changed: readonly string[];
}

/** Options of {@linkcode ServerTable}. */
export interface ServerTableOptions {
  /** The table. */
  readonly registry: ToolRegistry;
  /** The servers in the order of the configuration: of two that want a name the first one gets it. */
  readonly servers: readonly string[];
  /** Whether a toolset, or an alias of one, has this name. */
  readonly isToolset: (name: string) => boolean;
  /** Hears why a tool or an alias is not in the table; once while it lasts. */
  readonly onSkip: (server: string, message: string) => void;
}

/** Puts the tools of servers into the table and takes them out, each change in one generation. */
export class ServerTable {
  readonly #options: ServerTableOptions;
  readonly #wanted = new Map<string, readonly PlannedTool[]>();
  readonly #held = new Map<string, ReadonlyMap<string, ToolEntry>>();
  #skips: ReadonlySet<string> = new Set();

  /**
   * Begins without tools.
   *
   * @param options The table, and the servers in order.
   */
  constructor(options: ServerTableOptions) {
    this.#options = options;
  }

  /**
   * How many tools of a server are in the table.
   *
   * @param server The server.
   * @returns The number.
   */
  count(server: string): number {
    return this.#held.get(server)?.size ?? 0;
  }

  /**
   * The tools of a server that are in the table, by their names there, with the server's own names.
   *
   * @param server The server.
   * @returns Name in the table to the server's own name.
   */
  names(server: string): ReadonlyMap<string, string> {
    const held = this.#held.get(server);
    const wanted = this.#wanted.get(server) ?? [];
    return new Map(
      wanted.filter(({ entry }) => held?.get(entry.name) === entry)
        .map(({ entry, raw }) => [entry.name, raw]),
    );
  }

  /**
   * Makes a server's tools exactly these: what stays is replaced in place, what vanished is taken out, in one
   * generation, or in none where nothing is different.
   *
   * @param server The server.
   * @param tools Its tools; `[]` takes all of them out.
   * @returns What changed for this server.
   */
  set(server: string, tools: readonly PlannedTool[]): TableNews {
    this.#wanted.set(server, tools);
    const before = this.#held.get(server) ?? new Map<string, ToolEntry>();
    this.#apply();
    return newsBetween(before, this.#held.get(server) ?? new Map());
  }

  #apply(): void {
    const { registry, servers } = this.#options;
    const skips = new Map<string, { readonly server: string; readonly message: string }>();
    const skip = (server: string, message: string) => skips.set(message, { server, message });
    const next = this.#assign(skip);
    const stale = servers.filter((server) => !isSame(this.#held.get(server), next.get(server)));
    if (stale.length > 0) {
      registry.update((draft) => {
        // First everything that goes, so that a name that moves is free.
        for (const server of stale) this.#withdraw(draft, server, next.get(server)!);
        for (const server of stale) this.#enter(draft, server, next.get(server)!, skip);
      });
      for (const server of stale) this.#held.set(server, next.get(server)!);
    }
    for (const [key, { server, message }] of skips) {
      if (!this.#skips.has(key)) this.#options.onSkip(server, message);
    }
    this.#skips = new Set(skips.keys());
  }

  #assign(skip: (server: string, message: string) => void): Map<string, Map<string, ToolEntry>> {
    const owners = new Map<string, string>();
    const next = new Map<string, Map<string, ToolEntry>>();
    for (const server of this.#options.servers) {
      const own = new Map<string, ToolEntry>();
      for (const { entry, raw } of this.#wanted.get(server) ?? []) {
        const fold = foldName(entry.name);
        const holder = owners.get(fold) ?? this.#foreignHolder(entry.name);
        if (holder !== undefined) {
          skip(
            server,
            `Tool "${raw}" of MCP server "${server}" is left out: ${holder} has the name ` +
              `"${entry.name}"`,
          );
          continue;
        }
        owners.set(fold, `MCP server "${server}"`);
        own.set(entry.name, entry);
      }
      next.set(server, own);
    }
    return next;
  }

  // Whoever else has the name keeps it: a built-in tool, a file, a plugin, a server of another runtime.
  #foreignHolder(name: string): string | undefined {
    const { registry } = this.#options;
    const claim = registry.explainClaims(name).claims.find(({ entry }) => !this.#isOurs(entry));
    return claim?.entry.owner;
  }

  #isOurs(entry: ToolEntry): boolean {
    const { server } = entry.source;
    return server !== undefined && this.#held.get(server)?.get(entry.name) === entry;
  }

  #withdraw(draft: RegistryDraft, server: string, next: ReadonlyMap<string, ToolEntry>): void {
    for (const [name, entry] of this.#held.get(server) ?? []) {
      if (!next.has(name) && this.#isClaimed(entry)) draft.deregister(name, { owner: entry.owner });
    }
  }

  // Somebody else may have withdrawn it, or put another one in its place.
  #isClaimed(entry: ToolEntry): boolean {
    const { claims } = this.#options.registry.explainClaims(entry.name);
    return claims.some((claim) => claim.entry === entry);
  }

  #enter(
    draft: RegistryDraft,
    server: string,
    next: Map<string, ToolEntry>,
    skip: (server: string, message: string) => void,
  ): void {
    const held = this.#held.get(server);
    for (const [name, entry] of next) {
      if (held?.get(name) === entry) continue;
      const outcome = draft.registerEntry(entry);
      if (outcome.status !== "rejected") continue;
      draft.deregister(name, { owner: entry.owner });
      next.delete(name);
      skip(server, `Tool "${name}" of MCP server "${server}" is left out: ${outcome.reason}`);
    }
    if (next.size > 0) this.#alias(draft, server, skip);
  }

  #alias(
    draft: RegistryDraft,
    server: string,
    skip: (server: string, message: string) => void,
  ): void {
    const { registry, isToolset } = this.#options;
    const toolset = serverToolset(server);
    if (registry.getToolsetAliasTarget(server) === toolset) return;
    if (!isToolset(server)) return draft.registerToolsetAlias(server, toolset);
    skip(
      server,
      `MCP server "${server}" gets no alias: there is a toolset "${server}". Its tools are in "${toolset}"`,
    );
  }
}

function isSame(
  a: ReadonlyMap<string, ToolEntry> = new Map(),
  b: ReadonlyMap<string, ToolEntry> = new Map(),
): boolean {
  return a.size === b.size && [...a].every(([name, entry]) => b.get(name) === entry);
}

function newsBetween(
  before: ReadonlyMap<string, ToolEntry>,
  after: ReadonlyMap<string, ToolEntry>,
): TableNews {
  const names = (from: ReadonlyMap<string, ToolEntry>, test: (name: string) => boolean) =>
    [...from.keys()].filter(test).sort();
  return {
    added: names(after, (name) => !before.has(name)),
    removed: names(before, (name) => !after.has(name)),
    changed: names(after, (name) => before.has(name) && before.get(name) !== after.get(name)),
  };
}
