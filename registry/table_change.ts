/**
 * What a draft changes in what is visible.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { ClaimTable } from "./claim_table.ts";
import { winner } from "./policy.ts";
import type { TableDraft } from "./table_draft.ts";
import { displacementEvent, type TableEvent } from "./table_event.ts";
import type { EntryChange } from "./table_version.ts";

/** The difference between two generations of the table. Names are sorted. */
export interface TableChange {
  /** The generation that the change led to. */
  readonly generation: number;
  /** Names that are new. */
  readonly added: readonly string[];
  /** Names that are gone. */
  readonly removed: readonly string[];
  /** Names that stand for another entry than before. */
  readonly changed: readonly string[];
}

/** What a draft changes, and what there is to say about it. */
export interface DraftEffect {
  /** The visible names that are different; each one once. */
  readonly changes: readonly EntryChange[];
  /** Claims that gave way to others. */
  readonly events: readonly TableEvent[];
}

/**
 * Compares what is visible before and after a draft.
 *
 * @param base The claims as they are.
 * @param draft The draft over them.
 * @returns The differences.
 */
export function effectOf(base: ClaimTable, draft: TableDraft): DraftEffect {
  const changes: EntryChange[] = [];
  const events: TableEvent[] = [];
  for (const fold of foldsToCompare(base, draft)) {
    const before = winner(base.get(fold), base.policy);
    const claims = draft.claimsOf(fold);
    const after = winner(claims, draft.policy);
    if (before === after) continue;
    changes.push(...changesOf(before, after));
    if (before && after && before.owner !== after.owner && claims.includes(before)) {
      events.push(displacementEvent(after, before, draft.policy));
    }
  }
  return { changes, events };
}

/**
 * A change in names, as subscribers get it.
 *
 * @param generation The generation it led to.
 * @param changes The visible names that are different.
 * @returns The difference, frozen.
 */
export function toTableChange(
  generation: number,
  changes: readonly EntryChange[],
): TableChange {
  const names = (wanted: (change: EntryChange) => boolean): readonly string[] =>
    Object.freeze(changes.filter(wanted).map((change) => change.name).sort());
  return Object.freeze({
    generation,
    added: names(({ before }) => !before),
    removed: names(({ after }) => !after),
    changed: names(({ before, after }) => before !== undefined && after !== undefined),
  });
}

function foldsToCompare(base: ClaimTable, draft: TableDraft): Iterable<string> {
  return base.policy === draft.policy
    ? draft.changed.keys()
    : new Set([...base.folds, ...draft.changed.keys()]);
}

function changesOf(
  before: ToolEntry | undefined,
  after: ToolEntry | undefined,
): readonly EntryChange[] {
  if (before && after && before.name === after.name) return [{ name: after.name, before, after }];
  return [
    ...(before ? [{ name: before.name, before, after: undefined }] : []),
    ...(after ? [{ name: after.name, before: undefined, after }] : []),
  ];
}
