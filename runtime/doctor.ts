/**
 * Looks at what this machine and this version of Deno guarantee, by trying each thing.
 * @module
 */
import { fileURLToPath } from "node:url";
import { NO_GRANTS } from "../core/permissions.ts";
import type { CellSettings } from "../workers/cell_command.ts";
import type { ExecutionOutcome, ExecutionRequest } from "../workers/execution.ts";
import { NAMES_UNSAFE } from "../core/host_names.ts";
import { WorkerPool } from "../workers/worker_pool.ts";
import type { CommandMode } from "./container/command_container.ts";
import { checkProtectedPlace } from "./doctor_protected_place.ts";
import { DENY_NET } from "./grants/mod.ts";
import type { DoctorCheck, DoctorReport } from "./runtime_types.ts";
import { isAtLeast, VERSION_FLOOR } from "./version_floor.ts";

/** What the doctor looks at. */
export interface DoctorInput {
  /** What cells share; absent where none can be started. */
  readonly cells?: CellSettings;
  /** Where tools run here. */
  readonly isolation: DoctorReport["isolation"];
  /** Where the terminal's commands run. */
  readonly commands: () => Promise<CommandMode>;
  /** The cache folder. */
  readonly cacheDir: string;
  /** Leave out what takes over half a second. */
  readonly quick: boolean;
}

const PROBE = new URL("./doctor_probe.ts", import.meta.url).href;
const SPIN_MS = 300;
const PROBE_MEMORY_MB = 192;

type Verdict = Pick<DoctorCheck, "status" | "detail">;

/**
 * Runs every check.
 *
 * @param input What to look at.
 * @returns The report.
 */
export async function runDoctor(input: DoctorInput): Promise<DoctorReport> {
  const checks = [checkVersion(), checkCacheFolder(input.cacheDir)];
  checks.push(...await checkCells(input.cells, input.quick));
  checks.push(checkCommands(await input.commands()));
  return { deno: Deno.version.deno, isolation: input.isolation, checks };
}

function checkVersion(): DoctorCheck {
  const version = Deno.version.deno;
  const good = isAtLeast(version, VERSION_FLOOR);
  return {
    id: "deno-version",
    name: `Deno is at least ${VERSION_FLOOR}`,
    status: good ? "pass" : "fail",
    detail: good
      ? `It is ${version}`
      : `It is ${version}: permission bypasses are fixed only later`,
  };
}

function checkCacheFolder(dir: string): DoctorCheck {
  const check = { id: "cache-folder", name: "The cache folder can be written" };
  try {
    Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
    Deno.removeSync(Deno.makeTempDirSync({ dir }));
    return { ...check, status: "pass", detail: dir };
  } catch (error) {
    const detail = `${dir}: ${
      (error as Error).message
    }. Every start scans anew, results cannot spill`;
    return { ...check, status: "fail", detail };
  }
}

function checkCommands(mode: CommandMode): DoctorCheck {
  const check = { id: "commands-contained", name: "Commands of the terminal run in a container" };
  return mode.mode === "contained"
    ? { ...check, status: "pass", detail: "Tried: they reach the workspace, and nothing else" }
    : { ...check, status: "skip", detail: `A person is asked instead: ${mode.reason}` };
}

interface Probe {
  readonly id: string;
  readonly name: string;
  readonly tool: string;
  readonly args?: Record<string, string>;
  readonly timeoutMs?: number;
  readonly net?: readonly string[];
  /** Whether it takes over half a second. */
  readonly slow?: boolean;
  readonly judge: (outcome: ExecutionOutcome) => Verdict;
}

function expectCode(code: string, good: string): (outcome: ExecutionOutcome) => Verdict {
  return (outcome) =>
    !outcome.ok && outcome.code === code ? { status: "pass", detail: good } : {
      status: "fail",
      detail: `Expected ${code}, got ${outcome.ok ? "a result" : outcome.message}`,
    };
}

const PROBES: readonly Probe[] = [
  {
    id: "cell-start",
    name: "A cell starts and a worker in it answers",
    tool: "answer",
    judge: (outcome) =>
      outcome.ok
        ? { status: "pass", detail: `In ${Math.round(outcome.timing.queuedMs)} ms` }
        : { status: "fail", detail: outcome.message },
  },
  {
    id: "read-denied",
    name: "A worker without grants cannot read a file",
    tool: "read_outside",
    judge: expectCode("permission_denied", "Reading /etc/hostname was denied"),
  },
  {
    id: "env-denied",
    name: "A worker without grants cannot read the environment",
    tool: "list_env",
    judge: expectCode("permission_denied", "Listing the environment was denied"),
  },
  {
    id: "loopback-denied",
    name: "A worker with a net grant cannot reach this machine's own services",
    tool: "reach_loopback",
    net: ["127.0.0.1:49151"],
    args: { url: "http://127.0.0.1:49151/" },
    judge: expectCode("permission_denied", "Connecting to 127.0.0.1 was denied"),
  },
  {
    id: "disk-limited",
    name: "A tool without a write grant cannot fill the disk with temporary files",
    tool: "fill_disk",
    judge: (outcome) =>
      outcome.ok
        ? { status: "fail", detail: "node:sqlite wrote 2 MB: grant --allow-run=sh" }
        : outcome.code === "tool_error"
        ? { status: "pass", detail: "node:sqlite could not write 2 MB" }
        : { status: "fail", detail: outcome.message },
  },
  {
    id: "exit-seen",
    name: "A tool that ends its own worker is seen",
    tool: "exit",
    slow: true,
    judge: expectCode("tool_exited", "The exit was seen"),
  },
  {
    id: "spin-stopped",
    name: "A tool that spins is stopped",
    tool: "spin",
    timeoutMs: SPIN_MS,
    slow: true,
    judge: (outcome) =>
      !outcome.ok && outcome.code === "timeout" && outcome.end === "stopped"
        ? {
          status: "pass",
          detail: `Its process was ended ${overtime(outcome)} ms after the deadline`,
        }
        : { status: "fail", detail: "It was not stopped" },
  },
  {
    id: "memory-watched",
    name: "A tool that fills memory outside the heap is stopped",
    tool: "fill_memory",
    slow: true,
    judge: expectCode("tool_out_of_memory", `It was stopped at ${PROBE_MEMORY_MB} MB`),
  },
];

function overtime(outcome: ExecutionOutcome): number {
  return Math.round(outcome.timing.queuedMs + outcome.timing.runMs - SPIN_MS);
}

async function checkCells(
  cells: CellSettings | undefined,
  quick: boolean,
): Promise<DoctorCheck[]> {
  const probes = PROBES.filter(({ slow }) => !quick || !slow);
  if (!cells) {
    const detail = "No process may be started here: grant --allow-run=deno";
    const skipped = probes.map(({ id, name }) => ({ id, name, status: "skip", detail } as const));
    return [...skipped, await checkProtectedPlace(undefined)];
  }
  await using pool = new WorkerPool({ cells });
  const checks: DoctorCheck[] = [];
  for (const probe of probes) {
    const outcome = await pool.run(requestOf(probe));
    checks.push({ id: probe.id, name: probe.name, ...probe.judge(outcome) });
  }
  return [
    ...checks,
    await checkProtectedPlace(pool),
    await checkContainment(cells),
    await checkNames(cells),
  ];
}

async function checkNames(cells: CellSettings): Promise<DoctorCheck> {
  const safe = await cells.namesSafe();
  return {
    id: "names-contained",
    name: "A granted name cannot lead to this machine by an IPv6 answer",
    status: safe ? "pass" : "fail",
    detail: safe ? 'The resolver of cells took RES_OPTIONS="no-aaaa"' : NAMES_UNSAFE,
  };
}

async function checkContainment(cells: CellSettings): Promise<DoctorCheck> {
  const containment = await cells.containment();
  const details = {
    namespace: "Each cell with programs is a process-id namespace: the kernel ends them all",
    group:
      "By process group: a program that starts a session of its own escapes (install util-linux " +
      "and allow unprivileged user namespaces, and grant --allow-run=unshare, for more)",
    none: "They go on: grant --allow-run=unshare or --allow-run=sh",
  };
  return {
    id: "programs-contained",
    name: "Programs that a tool started end with its cell",
    status: containment === "none" ? "fail" : "pass",
    detail: details[containment],
  };
}

function requestOf(probe: Probe): ExecutionRequest {
  const folder = PROBE.startsWith("file:") ? fileURLToPath(PROBE) : "/";
  const grants = { ...NO_GRANTS, net: probe.net ?? [] };
  return {
    tool: probe.tool,
    module: { url: PROBE, integrity: "doctor", folder },
    grants,
    placement: {
      group: `doctor:${probe.net?.length ?? 0}`,
      cell: {
        grants: { ...grants, read: [folder] },
        denyNet: DENY_NET,
        denyWrite: [],
        memoryMb: PROBE_MEMORY_MB,
        startsPrograms: false,
        env: {},
      },
      perCall: false,
      shared: false,
      spare: false,
      inProcess: false,
    },
    args: probe.args ?? {},
    context: { callId: "doctor", workspace: "/", data: "/", env: [], config: {} },
    timeoutMs: probe.timeoutMs ?? 10_000,
    repeatable: false,
  };
}
