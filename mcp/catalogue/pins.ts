/**
 * Definitions that were seen before, and what became of them.
 * @module
 */
import type { HashedDefinition } from "./tool_definition.ts";

/** A definition that holds until another one is accepted. */
export interface PinnedTool extends HashedDefinition {
  /** Whether the server listed it when it was last asked. A tool that comes back is still compared. */
  readonly listed: boolean;
}

/** What is pinned of a server. */
export interface ServerPins {
  /** How the server was reached when its tools were last compared, without secrets. */
  readonly launch: string;
  /** By the server's own name for the tool. */
  readonly tools: ReadonlyMap<string, PinnedTool>;
}

/** Where pins are kept. */
export interface PinStore {
  /**
   * Reads what is pinned of a server.
   *
   * @param server The server's name in the configuration.
   * @returns The pins, or `undefined` for a server that was never seen.
   * @throws {Error} If what is kept cannot be read; the message says where.
   */
  read(server: string): Promise<ServerPins | undefined>;
  /**
   * Pins a server's tools. What is kept of other servers stays.
   *
   * @param server The server's name in the configuration.
   * @param pins The pins.
   * @throws {Error} If what is kept cannot be read, or it cannot be written.
   */
  write(server: string, pins: ServerPins): Promise<void>;
}

/** A tool whose definition is another than the pinned one. */
export interface ChangedTool {
  /** What is pinned. */
  readonly pinned: PinnedTool;
  /** What the server says now. */
  readonly current: HashedDefinition;
}

/** What a list says beside the pins. */
export interface PinComparison {
  /** What is to be pinned now; changed tools keep their old pin. */
  readonly next: ServerPins;
  /** Whether `next` is other than the pins. */
  readonly isNews: boolean;
  /** Whether nothing was pinned of the server before. */
  readonly isFirst: boolean;
  /** Tools that were not pinned before. */
  readonly added: readonly string[];
  /** Tools that were listed before and are not now. */
  readonly vanished: readonly string[];
  /** Tools whose definition changed, by the server's own names. */
  readonly changed: ReadonlyMap<string, ChangedTool>;
}

/**
 * Compares what a server lists with its pins.
 *
 * @param pins The pins; absent when the server is seen for the first time, which pins everything.
 * @param launch How the server is reached.
 * @param current What it lists, by its own names.
 * @returns What is new, gone and changed.
 */
export function comparePins(
  pins: ServerPins | undefined,
  launch: string,
  current: ReadonlyMap<string, HashedDefinition>,
): PinComparison {
  const changed = new Map<string, ChangedTool>();
  const tools = new Map<string, PinnedTool>();
  const added: string[] = [];
  const vanished: string[] = [];
  for (const [name, pinned] of pins?.tools ?? []) {
    const now = current.get(name);
    if (now === undefined && pinned.listed) vanished.push(name);
    if (now !== undefined && now.hash !== pinned.hash) changed.set(name, { pinned, current: now });
    tools.set(
      name,
      pinned.listed === (now !== undefined) ? pinned : { ...pinned, listed: !pinned.listed },
    );
  }
  for (const [name, now] of current) {
    if (tools.has(name)) continue;
    added.push(name);
    tools.set(name, { ...now, listed: true });
  }
  const isSame = pins !== undefined && pins.launch === launch && added.length === 0 &&
    [...tools].every(([name, tool]) => pins.tools.get(name) === tool);
  return {
    next: { launch, tools },
    isNews: !isSame,
    isFirst: pins === undefined,
    added,
    vanished,
    changed,
  };
}

/**
 * Pins what a server says now.
 *
 * @param pins The pins.
 * @param changed Tools whose definition changed.
 * @param tool The one tool to accept, by the server's own name. @default {every changed one; what vanished is forgotten}
 * @returns The new pins and the names that were accepted.
 */
export function acceptChanged(
  pins: ServerPins,
  changed: ReadonlyMap<string, ChangedTool>,
  tool?: string,
): { readonly pins: ServerPins; readonly accepted: readonly string[] } {
  const accepted = [...changed.keys()].filter((name) => tool === undefined || name === tool);
  const kept = [...pins.tools].filter(([, { listed }]) => tool !== undefined || listed);
  const tools = new Map(kept);
  for (const name of accepted) tools.set(name, { ...changed.get(name)!.current, listed: true });
  return { pins: { launch: pins.launch, tools }, accepted };
}
