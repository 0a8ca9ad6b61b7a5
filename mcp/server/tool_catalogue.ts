/**
 * The tools as `tools/list` gives them, made once for as long as they hold.
 * @module
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../../core/entry.ts";
import { createInlineEntry } from "../../registry/entry.ts";
import { createReadResultTool } from "../../runtime/results/read_result.ts";
import { READ_RESULT } from "../../runtime/results/read_result_name.ts";
import { withReadResult } from "../../runtime/results/with_read_result.ts";
import type { Definitions, McpDefinition, Runtime } from "../../runtime/runtime_types.ts";
import { isSpillReader } from "../../runtime/spill_reader.ts";
import { SpillStore } from "../../runtime/spill.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { textOfList } from "./json_text.ts";

/** Lists that are remembered as given; the oldest goes first. */
const MAX_GIVEN = 64;

/** One page of the list. */
export interface ToolPage {
  /** The tools, frozen. */
  readonly tools: readonly McpDefinition[];
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string;
}

/** A tool that a client named. */
export interface FoundTool {
  /** Its name in the registry. */
  readonly name: string;
  /** What clients are told of it; absent for a tool that the list leaves out. */
  readonly definition?: McpDefinition;
}

interface Listing {
  readonly definitions: Definitions<"mcp">;
  readonly tools: readonly McpDefinition[];
  readonly byName: ReadonlyMap<string, FoundTool>;
  readonly pages: Map<string, ToolPage>;
}

// Only its definition is used: the calls go to the session's own tool.
const reader: ToolEntry = createInlineEntry(
  createReadResultTool(new SpillStore("/")) as never,
  "builtin",
);

/** The tools of a runtime. Every client sees the same ones. */
export class ToolCatalogue {
  readonly #runtime: Runtime;
  readonly #pageSize: number;
  #listing: Listing | undefined;
  #given = new Set<readonly McpDefinition[]>();

  /**
   * Makes a catalogue that knows nothing yet.
   *
   * @param runtime Whose tools it lists.
   * @param pageSize Tools on one page.
   */
  constructor(runtime: Runtime, pageSize: number) {
    this.#runtime = runtime;
    this.#pageSize = pageSize;
  }

  /**
   * A page of the list.
   *
   * @param cursor Where it begins, as an earlier page gave it. @default {the beginning}
   * @returns The page. A cursor of an older table goes on behind the name that it was made for.
   * @throws {ProtocolError} If the cursor is none.
   */
  async page(cursor?: string): Promise<ToolPage> {
    const listing = await this.#current();
    this.#given.add(listing.tools);
    // Nobody takes them while nobody listens to changes.
    if (this.#given.size > MAX_GIVEN) this.#given.delete(this.#given.values().next().value!);
    const key = cursor ?? "";
    const known = listing.pages.get(key);
    if (known !== undefined) return known;
    const page = this.#cut(listing, cursor === undefined ? 0 : this.#start(listing, cursor));
    // A cursor is refused or among few: one for each name and generation. Only the current ones are kept.
    if (listing.pages.size < listing.tools.length + 1) listing.pages.set(key, page);
    return page;
  }

  /**
   * Finds a tool by the name that clients know.
   *
   * @param name The name.
   * @returns The tool; `undefined` when the table has none of that name.
   */
  async find(name: string): Promise<FoundTool | undefined> {
    const { generation } = this.#runtime.registry;
    const listing = this.#listing?.definitions.generation === generation
      ? this.#listing
      : await this.#current();
    // A tool that is not offered says itself why when it is called.
    return listing.byName.get(name) ??
      (this.#runtime.registry.getEntry(name) ? { name } : undefined);
  }

  /**
   * The whole list as JSON text, to compare it.
   *
   * @returns The text.
   */
  async text(): Promise<string> {
    return textOfList((await this.#current()).tools);
  }

  /**
   * The lists of which pages were given since this was asked last.
   *
   * @returns Their texts.
   */
  takeGiven(): readonly string[] {
    const texts = [...this.#given].map(textOfList);
    this.#given = new Set();
    return texts;
  }

  async #current(): Promise<Listing> {
    const definitions = await this.#runtime.getDefinitions({}, { dialect: "mcp" });
    if (this.#listing?.definitions !== definitions) this.#listing = this.#list(definitions);
    return this.#listing!;
  }

  #list(definitions: Definitions<"mcp">): Listing {
    const list = this.#needsReader(definitions)
      ? withReadResult(definitions, reader, "mcp")
      : definitions;
    // Cursors name a tool, so the order is that of the names that clients see.
    const tools = this.#kept(
      Object.freeze(list.tools.toSorted((a, b) => a.name < b.name ? -1 : 1)),
    );
    const byName = new Map<string, FoundTool>();
    for (const definition of tools) {
      byName.set(definition.name, { name: list.names.get(definition.name)!, definition });
    }
    return { definitions, tools, byName, pages: new Map() };
  }

  // The same list keeps its object, and with it the text that was made of it.
  #kept(tools: readonly McpDefinition[]): readonly McpDefinition[] {
    const before = this.#listing?.tools;
    return before && textOfList(before) === textOfList(tools) ? before : tools;
  }

  // Offered from the start, not with the first long result: the list must not depend on calls.
  #needsReader({ names }: Definitions<"mcp">): boolean {
    const file = this.#runtime.registry.getEntry("read_file");
    const readsFiles = file !== undefined && isSpillReader(file) && names.has(file.name);
    return !readsFiles && !this.#runtime.registry.getEntry(READ_RESULT);
  }

  #start({ tools, definitions }: Listing, cursor: string): number {
    const place = readCursor(cursor);
    if (place === undefined || place.generation > definitions.generation) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "Cannot list tools from this cursor: it is none that this server gave. List from the start",
      );
    }
    const index = tools.findIndex(({ name }) => name > place.after);
    return index < 0 ? tools.length : index;
  }

  #cut({ tools, definitions }: Listing, start: number): ToolPage {
    const end = start + this.#pageSize;
    if (start === 0 && end >= tools.length) return Object.freeze({ tools });
    const page = Object.freeze(tools.slice(start, end));
    const { generation } = definitions;
    return Object.freeze({
      tools: page,
      ...(end < tools.length
        ? { nextCursor: writeCursor({ generation, after: page.at(-1)!.name }) }
        : {}),
    });
  }
}
