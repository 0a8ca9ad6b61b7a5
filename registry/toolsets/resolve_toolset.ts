/**
 * From the name of a toolset to the tools that it lists.
 * @module
 */
import type { RegistrySnapshot } from "../snapshot.ts";
import type { ToolsetComposition } from "./composition.ts";
import { LEGACY_TOOLSETS } from "./legacy_toolsets.ts";
import { registeredToolsets } from "./toolset_index.ts";

/** What the names of toolsets are looked up in. */
export interface ToolsetView {
  /** The table. */
  readonly snapshot: RegistrySnapshot;
  /** The compositions by name. */
  readonly compositions: ReadonlyMap<string, ToolsetComposition>;
  /** Gives the toolset of an alias. */
  readonly alias: (name: string) => string | undefined;
}

/** A name in a composition, or in a selection, that nothing has. */
export interface UnknownMember {
  /** What it should have been. */
  readonly kind: "toolset" | "tool";
  /** The name. */
  readonly name: string;
  /** The composition that holds it; absent for a name that was asked for itself. */
  readonly within?: string;
}

/** What a name of a toolset stands for. */
export interface ResolvedToolset {
  /** The name that was asked for. */
  readonly name: string;
  /** Whether anything has the name. */
  readonly found: boolean;
  /** The tools that it lists, sorted, also those that the table does not have now. */
  readonly tools: readonly string[];
  /** What is listed and not there. */
  readonly unknown: readonly UnknownMember[];
  /** Names that may have been meant, nearest first, when nothing has this one and the runtime was asked. */
  readonly near?: readonly string[];
}

/** A place that the walk goes to. */
interface Stop {
  readonly name: string;
  readonly within?: string;
  /** An alias is followed by one step only. */
  readonly followsAlias: boolean;
}

/**
 * Whether a name stands for every tool.
 *
 * @param name The name.
 * @returns True for `all` and `*`.
 */
export function isEverything(name: string): boolean {
  return name === "all" || name === "*";
}

/**
 * Finds the tools of a toolset: those of its composition and of what that includes, those that were registered
 * in a toolset of its name, and those of the toolset that an alias of its name stands for. Names that were
 * seen already, in a cycle or in a diamond, are passed over: their tools are in by the other way.
 *
 * @param name The toolset, an alias, `all` or `*`.
 * @param view What names are looked up in.
 * @param options Whether an alias of this very name counts.
 * @returns The tools.
 */
export function resolveToolset(
  name: string,
  view: ToolsetView,
  { followsAlias = true }: { readonly followsAlias?: boolean } = {},
): ResolvedToolset {
  const tools = new Set<string>();
  const unknown: UnknownMember[] = [];
  const seen = new Set<string>();
  // A list and not a recursion: a configuration may nest deeper than the stack.
  const stops: Stop[] = [{ name, followsAlias }];
  for (let stop = stops.pop(); stop; stop = stops.pop()) {
    const key = `${stop.followsAlias ? "+" : "-"}${stop.name}`;
    if (seen.has(key)) continue;
    seen.add(key);
    visit(stop, view, { tools, unknown, stops });
  }
  const found = !unknown.some(({ within }) => within === undefined);
  return Object.freeze({
    name,
    found,
    tools: Object.freeze([...tools].sort()),
    unknown: Object.freeze(unknown),
  });
}

interface Walk {
  readonly tools: Set<string>;
  readonly unknown: UnknownMember[];
  readonly stops: Stop[];
}

function visit(stop: Stop, view: ToolsetView, walk: Walk): void {
  const { name, within, followsAlias } = stop;
  if (isEverything(name)) return addAll(walk.tools, view.snapshot.names());
  const composition = view.compositions.get(name);
  const registered = registeredToolsets(view.snapshot).get(name);
  const target = followsAlias ? view.alias(name) : undefined;
  if (composition) enter(name, composition, view, walk);
  if (registered) addAll(walk.tools, registered);
  if (target !== undefined) walk.stops.push({ name: target, within: name, followsAlias: false });
  if (composition || registered || target !== undefined) return;
  const legacy = LEGACY_TOOLSETS.get(name);
  if (legacy) addAll(walk.tools, legacy);
  else walk.unknown.push({ kind: "toolset", name, ...(within === undefined ? {} : { within }) });
}

function enter(
  name: string,
  { tools, includes }: ToolsetComposition,
  { snapshot }: ToolsetView,
  walk: Walk,
): void {
  addAll(walk.tools, tools);
  for (const tool of tools) {
    if (!snapshot.has(tool)) walk.unknown.push({ kind: "tool", name: tool, within: name });
  }
  for (const include of includes) {
    walk.stops.push({ name: include, within: name, followsAlias: true });
  }
}

function addAll(set: Set<string>, names: readonly string[]): void {
  for (const name of names) set.add(name);
}
