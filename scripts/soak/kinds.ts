/**
 * The tools of the soak, and what a call of each must give.
 * @module
 */

/** One tool and how it is called. */
export interface Kind {
  readonly name: string;
  /** How often it is called, against the others. */
  readonly weight: number;
  readonly handler: string;
  /** More fields of its registration. */
  readonly fields?: string;
  /** What a call ends as. @default {"ok"} */
  readonly ends?: string;
  /** Whether it harms its own worker or cell, so that its calls may be lost through one another. */
  readonly harms?: boolean;
  /** @default {30_000} */
  readonly deadlineMs?: number;
}

/** A call that was answered, or given up by its client (`cancelled`). */
export interface AnsweredCall {
  readonly kind: Kind;
  readonly nonce: string;
  /** `ok`, an error code, or `cancelled`. */
  readonly code: string;
  readonly text: string;
  /** When it began and ended, in milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** What an answer is worth: `lost` through a neighbour, `killed` with a cell that the soak killed meanwhile. */
export type Verdict = "expected" | "lost" | "killed" | "crossed" | "wrong" | "late";

const READ_ONLY = "annotations: { readOnlyHint: true },";
const SCHEMA = `schema: { type: "object", required: ["nonce"], properties: {
    nonce: { type: "string" }, url: { type: "string" } } },`;
/** What marks a call. */
export const NONCES: RegExp = /N[0-9a-f]{12}Z/g;
const LOSSES = new Set(["tool_crashed", "tool_out_of_memory", "tool_exited"]);
/** The front hears of the end of a cell so much later. */
const NOTICE_MS = 1_000;

function kind(name: string, weight: number, handler: string, more: Partial<Kind> = {}): Kind {
  return { name, weight, handler, ...more, fields: `${SCHEMA} ${more.fields ?? ""}` };
}

const SLOW = `async ({ nonce }, { signal }) => {
    await new Promise((resolve, reject) => {
      setTimeout(resolve, 100 + Math.random() * 1_000);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return nonce;
  }`;
const STREAM = `async function* ({ nonce }, { progress }) {
    for (let step = 1; step <= 10; step++) {
      progress(step, 10, nonce);
      yield nonce + " ";
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }`;
const ALLOCATE = `async () => {
    for (const kept = [];; await new Promise((resolve) => setTimeout(resolve, 5))) {
      kept.push(new Uint8Array(4e6).fill(1));
    }
  }`;
const ECHO = "({ nonce }) => nonce";

/** The tools. */
export const KINDS: readonly Kind[] = Object.freeze([
  kind("fast", 20, "({ nonce }) => ({ nonce })"),
  kind("fast_read", 20, "({ nonce }) => ({ nonce })", { fields: READ_ONLY }),
  kind("slow", 6, SLOW),
  kind("slow_read", 6, SLOW, { fields: READ_ONLY }),
  kind("hang", 1, "() => new Promise(() => {})", {
    harms: true,
    ends: "timeout",
    deadlineMs: 1_500,
    fields: `timeoutMs: 1_500, ${READ_ONLY}`,
  }),
  kind("spin", 0.5, "() => { for (;;); }", {
    harms: true,
    ends: "timeout",
    deadlineMs: 1_000,
    fields: "timeoutMs: 1_000,",
  }),
  kind("exit", 1, "() => Deno.exit(3)", { harms: true, ends: "tool_exited" }),
  kind("allocate", 0.4, ALLOCATE, {
    harms: true,
    ends: "tool_out_of_memory",
    fields: "memoryMb: 160,",
  }),
  kind("throw", 3, "({ nonce }) => { throw new Error(nonce); }", {
    ends: "tool_error",
    fields: READ_ONLY,
  }),
  kind("stream", 3, STREAM),
  kind("stream_read", 3, STREAM, { fields: READ_ONLY }),
  kind("spill", 1, `({ nonce }) => (nonce + " ").repeat(15_000)`),
  kind("fetch", 1, "async ({ nonce, url }) => nonce + await (await fetch(url)).text()", {
    fields: `permissions: { net: ["$ARG.url"] }, ${READ_ONLY}`,
  }),
  kind("alone", 1, ECHO, { fields: `isolation: "process",` }),
  kind("checked", 3, ECHO, { fields: `checkFn: () => true, ${READ_ONLY}` }),
  kind("overridden", 3, ECHO, {
    fields: `dynamicSchemaOverrides: () => ({ description: "Told anew." }),`,
  }),
  {
    name: "zod",
    weight: 3,
    handler: ECHO,
    fields: `schema: z.object({ nonce: z.string().min(3) }), ${READ_ONLY}`,
  },
]);

/** A tool whose file is changed. */
export const EDITED: Kind = kind("edited", 0, ECHO);

/** The text of a tool's file; an edited one gives its version behind the nonce. */
export function fileText({ name, handler, fields }: Kind, version?: number): string {
  const edited = version === undefined ? handler : `${handler} + " version ${version};"`;
  return `import { registry } from "@cloister/cloister/tool";
${name === "zod" ? `import { z } from "zod";` : ""}
registry.register({
  name: "${name}",
  toolset: "soak",
  description: "Soaks.",
  ${fields}
  handler: ${edited},
});
`;
}

/** Judges an answer; `kills` is when the soak killed cells. */
export function judge(call: AnsweredCall, kills: readonly number[]): Verdict {
  const { kind: { ends = "ok", harms, deadlineMs = 30_000 }, nonce, code, text, from, to } = call;
  if (text.match(NONCES)?.some((found) => found !== nonce)) return "crossed";
  if (to - from > deadlineMs + 1_000) return "late";
  const carries = ends === "ok" || ends === "tool_error";
  if (code === ends) return carries && !text.includes(nonce) ? "wrong" : "expected";
  if (!LOSSES.has(code)) return "wrong";
  if (harms) return "expected";
  return kills.some((at) => at > from - NOTICE_MS && at < to) ? "killed" : "lost";
}
