/**
 * From what a server lists to what it may put into the table.
 * @module
 */
import type { ServerCapabilities } from "@modelcontextprotocol/client";
import type { ToolEntry } from "../../core/entry.ts";
import type { Permissions } from "../../core/permissions.ts";
import { foldName } from "../../registry/fold.ts";
import type { ServerConnection } from "../client/connection_types.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import { type CheckedTool, checkTool, showName } from "./check_tool.ts";
import { describeDifference } from "./difference.ts";
import { createToolFilter, type ToolFilter } from "./filter.ts";
import type { ToolFinding } from "./finding.ts";
import type { ChangedTool } from "./pins.ts";
import { ServerEntries } from "./server_entries.ts";
import { canonicalJson, hashDefinition, type HashedDefinition } from "./tool_definition.ts";
import { registeredToolName } from "./tool_name.ts";
import { utilityTools } from "./utilities.ts";

/** What a server lists, sorted out. */
export interface SortedTools {
  /** The tools that are fit for the table, by the server's own names. */
  readonly tools: ReadonlyMap<string, CheckedTool>;
  /** Their definitions, for comparing. */
  readonly definitions: ReadonlyMap<string, HashedDefinition>;
  /** What there is to say of the list. */
  readonly findings: readonly ToolFinding[];
}

/** A tool that wants into the table. */
export interface PlannedTool {
  /** Its entry. */
  readonly entry: ToolEntry;
  /** The server's own name for it. */
  readonly raw: string;
}

/** What a server wants in the table. */
export interface ServerPlan {
  /** Its tools. */
  readonly tools: readonly PlannedTool[];
  /** Why others are left out. */
  readonly findings: readonly ToolFinding[];
}

/** Sorts out the lists of one server. */
export class ServerTools {
  readonly #spec: McpServerSpec;
  readonly #connection: ServerConnection;
  readonly #entries: ServerEntries;
  // An entry that says the same is the same entry, so that nothing changes in the table.
  #made = new Map<string, ToolEntry>();
  #filter: ToolFilter | undefined;

  /**
   * Begins with no list.
   *
   * @param spec The server.
   * @param connection The connection to it.
   * @param permissions What it may touch, as its tools show it. @default {nothing}
   */
  constructor(spec: McpServerSpec, connection: ServerConnection, permissions?: Permissions) {
    this.#spec = spec;
    this.#connection = connection;
    this.#entries = new ServerEntries(spec, connection, permissions);
  }

  /**
   * Filters and checks what the server lists. A bad tool is left out, the rest stays.
   *
   * @param listed The list; plain JSON of the server's choosing.
   * @returns The tools that are fit for the table.
   */
  async sort(listed: readonly unknown[]): Promise<SortedTools> {
    this.#filter ??= await createToolFilter(this.#spec);
    const findings: ToolFinding[] = [];
    const found = new Map<string, CheckedTool | undefined>();
    for (const item of listed) {
      const name = (item as { readonly name?: unknown } | null)?.name;
      if (typeof name === "string" && !this.#filter(name)) continue;
      const checked = checkTool(item);
      if (!checked.ok) findings.push(checked.finding);
      else this.#take(checked.tool, checked.findings, { found, findings });
    }
    const tools = new Map([...found].filter((pair): pair is [string, CheckedTool] => !!pair[1]));
    const definitions = await Promise.all(
      [...tools].map(async ([name, { definition }]) =>
        [name, await hashDefinition(definition)] as const
      ),
    );
    return { tools, definitions: new Map(definitions), findings };
  }

  /**
   * Plans the server's part of the table: its tools under their names there, stand-ins for those that changed, and ours
   * for its resources and prompts. Of tools that get the same name none is taken.
   *
   * @param sorted What the server lists.
   * @param changed Tools whose definition is other than the pinned one.
   * @param capabilities What the server has beside tools.
   * @returns The entries.
   */
  async plan(
    { tools, definitions }: Pick<SortedTools, "tools" | "definitions">,
    changed: ReadonlyMap<string, ChangedTool>,
    capabilities: ServerCapabilities | undefined,
  ): Promise<ServerPlan> {
    const before = this.#made;
    this.#made = new Map();
    const findings: ToolFinding[] = [];
    const planned = new Map<string, PlannedTool>();
    for (const names of (await this.#byFold(tools)).values()) {
      if (names.length > 1) findings.push(...names.map(({ raw }) => collision(raw, names)));
      else {await this.#planOne(names[0]!, {
          tools,
          definitions,
          changed,
          before,
          planned,
          findings,
        });}
    }
    await this.#planUtilities(capabilities, before, planned);
    return { tools: [...planned.values()], findings };
  }

  #take(
    tool: CheckedTool,
    news: readonly ToolFinding[],
    { found, findings }: {
      readonly found: Map<string, CheckedTool | undefined>;
      readonly findings: ToolFinding[];
    },
  ): void {
    const { name, definition } = tool;
    if (!found.has(name)) {
      found.set(name, tool);
      findings.push(...news);
      return;
    }
    const first = found.get(name);
    if (first && canonicalJson(first.definition) === canonicalJson(definition)) return;
    // Which of the two a call would reach is the server's secret.
    found.set(name, undefined);
    findings.push(skipped(name, "the server lists it more than once, with different definitions"));
  }

  async #byFold(
    tools: ReadonlyMap<string, CheckedTool>,
  ): Promise<ReadonlyMap<string, readonly NamedTool[]>> {
    const named = await Promise.all(
      [...tools.keys()].map(async (raw) => ({
        raw,
        registered: await registeredToolName(this.#spec.name, raw),
      })),
    );
    return Map.groupBy(named, ({ registered }) => foldName(registered));
  }

  async #planOne(
    { raw, registered }: NamedTool,
    { tools, definitions, changed, before, planned, findings }: PlanningTools,
  ): Promise<void> {
    const change = changed.get(raw);
    const hash = definitions.get(raw)!.hash;
    const key = JSON.stringify([registered, hash, change?.pinned.hash]);
    try {
      const entry = before.get(key) ??
        (change
          ? await this.#standIn(registered, change)
          : this.#entries.call(tools.get(raw)!, registered));
      this.#made.set(key, entry);
      planned.set(foldName(registered), { entry, raw });
    } catch (error) {
      findings.push(skipped(raw, (error as Error).message));
    }
  }

  async #standIn(registered: string, change: ChangedTool): Promise<ToolEntry> {
    const pinned = checkTool(change.pinned.definition);
    if (!pinned.ok) throw new TypeError(pinned.finding.message);
    const difference = await describeDifference(change);
    return this.#entries.held({ tool: pinned.tool, registered, difference });
  }

  async #planUtilities(
    capabilities: ServerCapabilities | undefined,
    before: ReadonlyMap<string, ToolEntry>,
    planned: Map<string, PlannedTool>,
  ): Promise<void> {
    // An empty whitelist means nothing at all of this server.
    if (this.#spec.include?.length === 0) return;
    for (const { name, ...tool } of utilityTools(this.#spec, capabilities, this.#connection)) {
      const registered = await registeredToolName(this.#spec.name, name);
      const fold = foldName(registered);
      if (planned.has(fold) || this.#spec.exclude.includes(name)) continue;
      const key = JSON.stringify([registered]);
      const entry = before.get(key) ?? this.#entries.make({ ...tool, registered });
      this.#made.set(key, entry);
      planned.set(fold, { entry, raw: name });
    }
  }
}

interface NamedTool {
  readonly raw: string;
  readonly registered: string;
}

interface PlanningTools extends Pick<SortedTools, "tools" | "definitions"> {
  readonly changed: ReadonlyMap<string, ChangedTool>;
  readonly before: ReadonlyMap<string, ToolEntry>;
  readonly planned: Map<string, PlannedTool>;
  readonly findings: ToolFinding[];
}

function collision(raw: string, names: readonly NamedTool[]): ToolFinding {
  const all = names.map((name) => `"${showName(name.raw)}"`).join(", ");
  return skipped(raw, `${all} get the same name "${names[0]!.registered}" here`);
}

function skipped(raw: string, reason: string): ToolFinding {
  const tool = showName(raw);
  return {
    severity: "warning",
    code: "tool_left_out",
    tool,
    message: `Tool "${tool}" is left out: ${reason}`,
  };
}
