/**
 * From what a server asked for to what it was not given.
 * @module
 */
import type { ResolvedGrants } from "../../core/permissions.ts";
import {
  formatNetEntry,
  intersectNet,
  type NetEntry,
  parseNetEntry,
} from "../../runtime/grants/net_entry.ts";
import { contains, realPath } from "../../runtime/grants/paths.ts";
import { resolve } from "../../runtime/paths.ts";
import type { AuditRecord } from "./audit.ts";

/** What a server asked for and was not given. */
export interface Want {
  /** The kind of permission. */
  readonly kind: "read" | "write" | "net" | "env" | "sys" | "ffi" | "run";
  /** A real path, `host[:port]`, or a name. */
  readonly value: string;
}

/**
 * Takes out what was granted, and what no grant can give: everything of a kind, code from the network.
 *
 * @param records What was asked for.
 * @param grants What was granted.
 * @param cwd The folder that the server starts in.
 * @returns What was refused, each once.
 */
export function findWants(
  records: readonly AuditRecord[],
  grants: ResolvedGrants,
  cwd: string,
): readonly Want[] {
  const wants = new Map<string, Want>();
  for (const { kind, value } of records) {
    if (value === undefined || kind === "import") continue;
    const want = normalise(kind, value, cwd);
    if (want === undefined || isGranted(want, grants)) continue;
    wants.set(`${want.kind} ${want.value}`, want);
  }
  return [...wants.values()];
}

function normalise(kind: Want["kind"], value: string, cwd: string): Want | undefined {
  // No grant carries these, and nothing of them may steer a terminal.
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (value === "" || /[\u0000-\u001f\u007f,]/.test(value)) return undefined;
  if (kind === "net") {
    const entry = readAddress(value);
    return entry && { kind, value: formatNetEntry(entry) };
  }
  if (kind !== "read" && kind !== "write" && kind !== "ffi") return { kind, value };
  const path = resolve(cwd, value);
  try {
    return { kind, value: realPath(path) };
  } catch {
    return { kind, value: path };
  }
}

function readAddress(text: string): NetEntry | undefined {
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null) return parseNetEntry(text);
  const usual = url.protocol === "https:" ? "443" : "80";
  return parseNetEntry(`${url.hostname}:${url.port || usual}`);
}

function isGranted({ kind, value }: Want, grants: ResolvedGrants): boolean {
  if (kind === "read" || kind === "write" || kind === "ffi") {
    return grants[kind].some((grant) => contains(grant, value));
  }
  if (kind !== "net") return grants[kind].includes(value);
  const entry = parseNetEntry(value);
  return entry === undefined || grants.net.some((text) => {
    const granted = parseNetEntry(text);
    return granted !== undefined && (granted.port === undefined || granted.port === entry.port) &&
      intersectNet(entry, granted) !== undefined;
  });
}
