/**
 * Grants that a call's arguments bring along.
 * @module
 */
import { resolve } from "../paths.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ResolvedGrants } from "../../core/permissions.ts";
import { type CeilingLists, readCeilings } from "./ceilings.ts";
import type {
  ArgumentGrant,
  ArgumentGrantOutcome,
  GrantContext,
  GrantPlan,
} from "./grant_types.ts";
import { NET_KIND, PATH_KIND } from "./kinds.ts";
import { hasNames } from "../../core/host_names.ts";
import { closedAddresses } from "./deny_net.ts";
import {
  canonicalHost,
  formatNetEntry,
  intersectNet,
  isNear,
  type NetEntry,
  parseNetEntry,
} from "./net_entry.ts";
import { needsNetWord, needsPathWord } from "./operator_word.ts";
import { contains, realPath } from "./paths.ts";

/** What one argument grants, or a sentence that says why it grants nothing. */
type Resolved = readonly string[] | { readonly refused: string };

/**
 * Works out what one call gets: the plan's grants and those of its arguments. An argument that the call
 * leaves out grants nothing.
 *
 * @param plan The tool's plan.
 * @param args The validated arguments.
 * @param context The context that the plan was made with.
 * @returns The grants, or a message for the model that names the argument.
 */
export function resolveArgumentGrants(
  plan: GrantPlan,
  args: JsonObject,
  context: GrantContext,
): ArgumentGrantOutcome {
  let grants = plan.grants;
  for (const { kind, argument } of plan.argumentGrants) {
    const value = Object.hasOwn(args, argument) ? args[argument] : undefined;
    if (value === undefined) continue;
    const added = resolveOne(kind, value, context);
    if ("refused" in added) {
      return { ok: false, message: `Argument "${argument}": ${added.refused}` };
    }
    grants = { ...grants, [kind]: [...new Set([...grants[kind], ...added])] } as ResolvedGrants;
  }
  const entries = grants.net.map((text) => parseNetEntry(text)!);
  const closed = closedAddresses(entries, readCeilings("net", NET_KIND, context));
  if (closed.refused.length > 0) return { ok: false, message: closed.refused[0]! };
  const anyHost = !entries.some(isNear) &&
    (grants.net.length === 0 || hasNames(grants.net));
  return { ok: true, grants, denyNet: closed.denyNet, anyHost };
}

function resolveOne(kind: ArgumentGrant["kind"], value: unknown, context: GrantContext): Resolved {
  if (typeof value !== "string") {
    return { refused: "expected a text, because it decides what is granted" };
  }
  return kind === "net" ? resolveUrl(value, context) : resolvePath(kind, value, context);
}

function resolveUrl(value: string, context: GrantContext): Resolved {
  const entries = entriesOfUrl(value);
  if (typeof entries === "string") return { refused: entries };
  const lists = readCeilings("net", NET_KIND, context);
  for (const entry of entries) {
    const refusal = refuseNet(entry, lists);
    if (refusal !== undefined) return { refused: refusal };
  }
  const open = entries.filter((entry) => isCovered(entry, lists));
  if (open.length > 0) return open.map(formatNetEntry);
  return {
    refused: `the address "${entries.map(formatNetEntry).join('", "')}" is not allowed here`,
  };
}

/** Host and port of a URL; both usual ports when it names none, so that http may redirect to https. */
function entriesOfUrl(value: string): readonly NetEntry[] | string {
  const url = URL.parse(value);
  if (url === null) return "expected an absolute URL such as https://example.com/page";
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return `expected a URL that starts with http: or https:, got "${url.protocol}"`;
  }
  if (url.username !== "" || url.password !== "") return "expected a URL without user information";
  const host = canonicalHost(url.hostname);
  if (host === undefined) return `the host "${url.hostname}" is not one that can be granted`;
  const ports = url.port === "" ? [80, 443] : [Number(url.port)];
  return ports.filter((port) => port > 0).map((port) => ({ host, port }));
}

function refuseNet(entry: NetEntry, lists: CeilingLists<NetEntry>): string | undefined {
  if (lists.unreadable.length > 0) return lists.unreadable[0];
  const denied = lists.deny.find((list) => list.entries.some((item) => intersectNet(entry, item)));
  if (denied) return `the address "${formatNetEntry(entry)}" is denied by ${denied.source}`;
  return needsNetWord(entry, lists);
}

// A list that names this machine and private networks only is the word for those: it does not cap the public hosts
// that arguments name, which no list could name one by one.
function isCovered(entry: NetEntry, lists: CeilingLists<NetEntry>): boolean {
  return lists.allow.every(({ entries }) =>
    (!isNear(entry) && entries.length > 0 && entries.every(isNear)) ||
    entries.some((item) => intersectNet(entry, item))
  );
}

function resolvePath(kind: "read" | "write", value: string, context: GrantContext): Resolved {
  if (/[\0,]/.test(value)) {
    return { refused: "the path holds a NUL or a comma, which no grant can carry" };
  }
  const lists = readCeilings(kind, PATH_KIND, context);
  if (lists.unreadable.length > 0) return { refused: lists.unreadable[0]! };
  let path: string;
  let workspace: string;
  try {
    workspace = realPath(resolve(context.workspace));
    path = realPath(resolve(workspace, value));
  } catch (error) {
    return { refused: `the path "${value}" cannot be resolved: ${(error as Error).message}` };
  }
  const refusal = refusePath(kind, path, workspace, lists);
  return refusal === undefined ? [path] : { refused: refusal };
}

function refusePath(
  kind: "read" | "write",
  path: string,
  workspace: string,
  lists: CeilingLists<string>,
): string | undefined {
  const within = (roots: readonly string[]) => roots.some((root) => contains(root, path));
  if (path.includes(",")) return `the path "${path}" holds a comma, which no grant can carry`;
  if (lists.allow.length === 0 && !within([workspace])) {
    return `the path "${path}" is outside the workspace "${workspace}"`;
  }
  const closed = lists.allow.find((list) => !within(list.entries));
  if (closed) return `the path "${path}" is outside what ${closed.source} allows`;
  const denied = lists.deny.find((list) =>
    list.entries.some((item) => PATH_KIND.intersect(path, item) !== undefined)
  );
  if (denied) return `the path "${path}" is denied by ${denied.source}`;
  return needsPathWord(kind, path, lists);
}
