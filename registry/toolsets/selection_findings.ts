/**
 * What is odd about a selection or about the operator's toolsets: names that nothing has.
 * @module
 */
import type { RegistrySnapshot } from "../snapshot.ts";
import { nearestWords } from "../nearest.ts";
import type { UnknownMember } from "./resolve_toolset.ts";
import type { ToolsetSelection } from "./tool_selection.ts";
import type { ToolsetCatalogue } from "./toolset_catalogue.ts";

/** Something odd, with the place in the selection or in the configuration. */
export interface SelectionFinding {
  /** A stable snake_case word for programs. */
  readonly code: "unknown_toolset" | "unknown_tool" | "bundle_keeps_core";
  /** The way to it, such as `["toolsets", "mine", "includes"]`. */
  readonly path: readonly string[];
  /** The name. */
  readonly name: string;
  /** What is the matter. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/**
 * Looks through a selection for names that nothing has, and for bundles that are disabled.
 *
 * @param selection The selection.
 * @param catalogue What names stand for.
 * @param snapshot The table.
 * @param field What the list of toolsets is called where the selection stands.
 * @returns The findings, in the order of the selection.
 */
export function selectionFindings(
  selection: ToolsetSelection,
  catalogue: ToolsetCatalogue,
  snapshot: RegistrySnapshot,
  field = "toolsets",
): readonly SelectionFinding[] {
  const { toolsets = [], disabledToolsets = [], names = [] } = selection;
  const toolset = (path: string) => (name: string): readonly SelectionFinding[] =>
    catalogue.resolve(snapshot, name).found
      ? []
      : [unknownName({ kind: "toolset", name }, [path], catalogue, snapshot)];
  return [
    ...toolsets.flatMap(toolset(field)),
    ...disabledToolsets.flatMap(toolset("disabledToolsets")),
    ...disabledToolsets.filter((name) => catalogue.isBundle(name)).map(bundleAdvice),
    ...names.filter((name) => !snapshot.has(name))
      .map((name) => unknownName({ kind: "tool", name }, ["names"], catalogue, snapshot)),
  ];
}

/**
 * Looks through the operator's toolsets for names that nothing has.
 *
 * @param catalogue The toolsets.
 * @param snapshot The table.
 * @returns The findings, by toolset.
 */
export function toolsetFindings(
  catalogue: ToolsetCatalogue,
  snapshot: RegistrySnapshot,
): readonly SelectionFinding[] {
  return catalogue.ownNames.flatMap((own) =>
    catalogue.resolve(snapshot, own).unknown.filter(({ within }) => within === own)
      .map((member) => {
        const field = member.kind === "tool" ? "tools" : "includes";
        return unknownName(member, ["toolsets", own, field], catalogue, snapshot);
      })
  );
}

function bundleAdvice(name: string): SelectionFinding {
  return {
    code: "bundle_keeps_core",
    path: ["disabledToolsets"],
    name,
    message: `Disabling the bundle "${name}" keeps the tools that all bundles share`,
    hint: 'Disable toolsets such as "terminal" or "file" to take those away',
  };
}

function unknownName(
  { kind, name }: UnknownMember,
  path: readonly string[],
  catalogue: ToolsetCatalogue,
  snapshot: RegistrySnapshot,
): SelectionFinding {
  const near = kind === "tool"
    ? nearestWords(name, snapshot.names(), 3)
    : catalogue.nearToolsets(snapshot, name);
  const hint = near.length === 0
    ? undefined
    : `Did you mean ${near.map((one) => `"${one}"`).join(" or ")}?`;
  return {
    code: kind === "tool" ? "unknown_tool" : "unknown_toolset",
    path,
    name,
    message: `Unknown ${kind} ${JSON.stringify(name)} in "${path.join(".")}"`,
    ...(hint === undefined ? {} : { hint }),
  };
}
