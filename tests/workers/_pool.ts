/** What the tests of workers share: a pool over real cells, and requests for fixture modules. */
import { fileURLToPath } from "node:url";
import { NO_GRANTS, type ResolvedGrants } from "../../core/permissions.ts";
import type { CellSettings } from "../../workers/cell_command.ts";
import { type Containment, probeContainment } from "../../workers/containment.ts";
import type { ExecutionRequest } from "../../workers/execution.ts";
import { areNamesSafe } from "../../workers/resolver_probe.ts";
import { type PoolOptions, WorkerPool } from "../../workers/worker_pool.ts";

const fixtures = new URL("../fixtures/modules/", import.meta.url);

/** A pool over real cells, with its temporary folder. */
export interface TestPool extends AsyncDisposable {
  readonly pool: WorkerPool;
  readonly folder: string;
  readonly logs: { level: string; message: string; cell: string }[];
  request(module: string, tool: string, more?: Partial<TestRequest>): ExecutionRequest;
}

/** What a test says of a request. */
export interface TestRequest extends Omit<ExecutionRequest, "grants" | "placement"> {
  readonly grants: Partial<ResolvedGrants>;
  readonly group: string;
  readonly memoryMb: number;
  readonly startsPrograms: boolean;
  readonly perCall: boolean;
  readonly shared: boolean;
  readonly inProcess: boolean;
}

/** The settings of test cells. */
export async function testSettings(
  folder: string,
  containment?: Containment,
): Promise<CellSettings> {
  const configPath = `${folder}/cell.json`;
  const tool = new URL("../../core/tool.ts", import.meta.url).href;
  await Deno.writeTextFile(
    configPath,
    JSON.stringify({ imports: { "@cloister/cloister/tool": tool } }),
  );
  const path = Deno.env.get("PATH") ?? "";
  const home = Deno.env.get("HOME") ?? folder;
  return {
    deno: "deno",
    path,
    denoDir: Deno.env.get("DENO_DIR") ?? `${home}/.cache/deno`,
    configPath,
    containment: () => containment ? Promise.resolve(containment) : probeContainment(path),
    namesSafe: () => areNamesSafe("deno", path),
  };
}

/** Starts a pool. */
export async function startPool(options: Omit<PoolOptions, "cells"> = {}): Promise<TestPool> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-pool-" }));
  const logs: TestPool["logs"] = [];
  const pool = new WorkerPool({
    cells: await testSettings(folder),
    onLog: (level, message, cell) => logs.push({ level, message, cell }),
    ...options,
  });
  return {
    pool,
    folder,
    logs,
    request: (module, tool, more = {}) => makeRequest(folder, module, tool, more),
    [Symbol.asyncDispose]: async () => {
      await pool.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function makeRequest(
  folder: string,
  module: string,
  tool: string,
  more: Partial<TestRequest>,
): ExecutionRequest {
  const url = new URL(module, fixtures);
  const grants: ResolvedGrants = { ...NO_GRANTS, ...more.grants };
  const file = fileURLToPath(url);
  return {
    tool,
    module: { url: url.href, integrity: "test", folder: file },
    grants,
    placement: {
      group: more.group ?? "test",
      cell: {
        grants: { ...grants, read: [...grants.read, fileURLToPath(fixtures)] },
        denyNet: [],
        denyWrite: [],
        memoryMb: more.memoryMb ?? 512,
        startsPrograms: more.startsPrograms ?? false,
        env: {},
      },
      perCall: more.perCall ?? false,
      shared: more.shared ?? !more.perCall,
      spare: true,
      inProcess: more.inProcess ?? false,
    },
    args: more.args ?? {},
    context: more.context ?? { callId: "c", workspace: folder, data: folder, env: [], config: {} },
    timeoutMs: more.timeoutMs ?? 10_000,
    signal: more.signal,
    repeatable: more.repeatable ?? false,
    onProgress: more.onProgress,
    onLog: more.onLog,
  };
}
