/**
 * Which ceilings hold for a tool.
 * @module
 */
import type { Owner } from "../../core/entry.ts";
import type { Ceiling } from "../grants/mod.ts";
import type { CeilingConfig, Config } from "./config_types.ts";

/** What ceilings are chosen by. */
export interface CeilingSubject {
  /** The tool. */
  readonly name: string;
  /** Its toolset. */
  readonly toolset: string;
  /** Its owner. */
  readonly owner: Owner;
}

/**
 * The ceilings for a tool: by its name, its toolset, its owner, and those of its plugin or MCP server.
 * A ceiling for `plugin:acme` also holds for `plugin:acme/tools`.
 *
 * @param config The configuration.
 * @param subject The tool.
 * @returns The ceilings; each one caps.
 */
export function ceilingsFor(config: Config, subject: CeilingSubject): readonly Ceiling[] {
  const { tools, toolsets, owners } = config.permissions ?? {};
  return [
    ...named(own(tools, subject.name), `permissions.tools.${subject.name}`),
    ...named(own(toolsets, subject.toolset), `permissions.toolsets.${subject.toolset}`),
    ...Object.entries(owners ?? {}).filter(([owner]) => isOwner(subject.owner, owner))
      .flatMap(([owner, ceiling]) => named(ceiling, `permissions.owners.${owner}`)),
    ...(config.plugins ?? []).filter(({ id }) => isOwner(subject.owner, `plugin:${id}`))
      .flatMap(({ id, permissions }) => named(permissions, `plugins.${id}.permissions`)),
  ];
}

function isOwner(owner: string, pattern: string): boolean {
  return owner === pattern || owner.startsWith(`${pattern}/`);
}

function own<T>(record: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

function named(ceiling: CeilingConfig | undefined, source: string): Ceiling[] {
  return ceiling === undefined ? [] : [{ ...ceiling, source }];
}
