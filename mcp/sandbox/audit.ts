/**
 * Reading what Deno writes into the file of `DENO_AUDIT_PERMISSIONS`: one JSON object a line for each permission that a
 * program asked for, granted or not. Measured on Deno 2.9.6: `{"v":1,"datetime":"…","permission":"read","value":"/x"}`,
 * `value` is `null` for all of a kind, paths are as the program wrote them, and programs that it would start (`run`) are
 * not in it.
 * @module
 */

/** The kinds of permission in an audit file. */
export type AuditKind = "read" | "write" | "net" | "env" | "sys" | "ffi" | "run" | "import";

/** One permission that a program asked for. */
export interface AuditRecord {
  /** Its kind. */
  readonly kind: AuditKind;
  /** What for; absent for all of the kind. */
  readonly value?: string;
}

const KINDS: ReadonlySet<string> = new Set(
  ["read", "write", "net", "env", "sys", "ffi", "run", "import"] satisfies AuditKind[],
);
const MAX_VALUE_CHARS = 4_096;

/** How many different records are kept. */
export const MAX_RECORDS = 2_000;

/** Keeps what a program asked for, each once, in the order of the first time. */
export class AuditTrail {
  readonly #records = new Map<string, AuditRecord>();
  #rest = "";
  #isLost = false;

  /** What was asked for. */
  get records(): readonly AuditRecord[] {
    return [...this.#records.values()];
  }

  /** Whether there was more than is kept. */
  get isCut(): boolean {
    return this.#records.size >= MAX_RECORDS;
  }

  /**
   * Takes the next piece of the file. A line that is not whole yet waits for the rest; one that is no record is left
   * out.
   *
   * @param text The piece.
   */
  take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    if (this.#isLost && lines.length > 0) {
      // The end of a line whose beginning was given up.
      lines.shift();
      this.#isLost = false;
    }
    if (this.#rest.length > 4 * MAX_VALUE_CHARS) {
      this.#rest = "";
      this.#isLost = true;
    }
    for (const line of lines) this.#add(line);
  }

  #add(line: string): void {
    if (this.isCut) return;
    const record = parseRecord(line);
    if (record === undefined) return;
    const key = `${record.kind} ${record.value ?? ""}`;
    if (!this.#records.has(key)) this.#records.set(key, record);
  }
}

function parseRecord(line: string): AuditRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { v, permission, value: what } = value as Readonly<Record<string, unknown>>;
  if (v !== 1 || typeof permission !== "string" || !KINDS.has(permission)) return undefined;
  const kind = permission as AuditKind;
  if (what === null) return { kind };
  return typeof what === "string" && what.length <= MAX_VALUE_CHARS
    ? { kind, value: what }
    : undefined;
}
