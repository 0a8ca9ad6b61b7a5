/**
 * Keeping a result within what the model can take.
 * @module
 */
export { budgetForContext, type ResultBudget } from "./results/context_budget.ts";
export { fitTurn, type FitTurnOptions } from "./results/fit_turn.ts";
export type { SpillReaders } from "./results/persisted_output.ts";
export { previewOf } from "./results/preview.ts";
export { createReadResultTool } from "./results/read_result.ts";
export { READ_RESULT } from "./results/read_result_name.ts";
export { resultLimitOf } from "./results/result_limit.ts";
export { type ShapedResult, type ShapeOptions, shapeResult } from "./results/shape_result.ts";
export { isUntrusted } from "./results/untrusted.ts";
