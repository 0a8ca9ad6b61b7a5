/**
 * Looks whether a hole in a write grant holds here: by it tools are kept from what decides what runs.
 * @module
 */
import { fileURLToPath } from "node:url";
import { NO_GRANTS } from "../core/permissions.ts";
import type { ExecutionOutcome, ExecutionRequest } from "../workers/execution.ts";
import type { WorkerPool } from "../workers/worker_pool.ts";
import { DENY_NET } from "./grants/mod.ts";
import type { DoctorCheck } from "./runtime_types.ts";

const PROBE = new URL("./doctor_probe.ts", import.meta.url).href;
const CHECK = {
  id: "protected-place",
  name: "A worker cannot write a protected place inside its grant",
} as const;

/**
 * Tries it, in a folder that is removed.
 *
 * @param pool Runs the probe; absent where no process may be started.
 * @returns The check.
 */
export async function checkProtectedPlace(pool: WorkerPool | undefined): Promise<DoctorCheck> {
  if (pool === undefined) {
    const detail = "No process may be started here: grant --allow-run=deno";
    return { ...CHECK, status: "skip", detail };
  }
  const dir = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-doctor-" }));
  try {
    const open = await pool.run(requestOf(dir, "open"));
    const closed = await pool.run(requestOf(dir, "closed"));
    return { ...CHECK, ...judge(open, closed) };
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
}

function judge(
  open: ExecutionOutcome,
  closed: ExecutionOutcome,
): Pick<DoctorCheck, "status" | "detail"> {
  if (!open.ok) {
    return { status: "fail", detail: `Beside it nothing could be written: ${open.message}` };
  }
  return !closed.ok && closed.code === "permission_denied"
    ? { status: "pass", detail: "Writing there was denied, and beside it was not" }
    : { status: "fail", detail: "It was written" };
}

function requestOf(dir: string, name: string): ExecutionRequest {
  const folder = PROBE.startsWith("file:") ? fileURLToPath(PROBE) : "/";
  const grants = { ...NO_GRANTS, write: [dir] };
  return {
    tool: "write_file",
    module: { url: PROBE, integrity: "doctor", folder },
    grants,
    placement: {
      group: "doctor:protected",
      cell: {
        grants: { ...grants, read: [folder] },
        denyNet: DENY_NET,
        denyWrite: [`${dir}/closed`],
        memoryMb: 192,
        startsPrograms: false,
        env: {},
      },
      perCall: false,
      shared: false,
      spare: false,
      inProcess: false,
    },
    args: { path: `${dir}/${name}` },
    context: { callId: "doctor", workspace: "/", data: "/", env: [], config: {} },
    timeoutMs: 10_000,
    repeatable: false,
  };
}
