/**
 * Evaluates modules whose declarations are not literal, each in a cell of its own and without permissions.
 * @module
 */
import { NO_GRANTS } from "../core/permissions.ts";
import type {
  AdmittedModule,
  DeclarationEvaluator,
  EvaluationOutcome,
} from "../registry/discovery_types.ts";
import type { CallPool } from "./lazy_pool.ts";

/** How long a module's top level may take, in milliseconds. */
const EVALUATION_MS = 2_000;
/** Memory of the cell that evaluates, in megabytes. */
const EVALUATION_MEMORY_MB = 256;

/**
 * Makes an evaluator over a pool.
 *
 * @param pool Runs the modules.
 * @param denyNet Addresses that stay closed.
 * @returns The evaluator.
 */
export function createEvaluator(
  pool: CallPool,
  denyNet: readonly string[],
): DeclarationEvaluator {
  return {
    async evaluate(module: AdmittedModule): Promise<EvaluationOutcome> {
      const { url, integrity, folder } = module;
      return await pool.describe(
        { url, integrity, folder },
        {
          group: `evaluate:${integrity}`,
          cell: {
            grants: { ...NO_GRANTS, read: [folder] },
            denyNet,
            denyWrite: [],
            memoryMb: EVALUATION_MEMORY_MB,
            startsPrograms: false,
            env: {},
          },
          perCall: true,
          shared: false,
          spare: false,
          inProcess: false,
        },
        EVALUATION_MS,
      );
    },
  };
}
