/**
 * The numbers that hold where neither a tool nor the operator says otherwise.
 * @module
 */

/** Deadline of a call in milliseconds (contract, section 2). */
export const DEFAULT_TIMEOUT_MS = 30_000;
/** Time between the abort signal and the end by force, in milliseconds. */
export const CANCEL_GRACE_MS = 250;
/** Longest result in characters before it is spilled. */
export const DEFAULT_RESULT_SIZE_CHARS = 100_000;
/** Characters of a spilled result that the model sees. */
export const PREVIEW_CHARS = 1_500;
/** Memory of a cell in megabytes. */
export const DEFAULT_MEMORY_MB = 512;
/** Largest tool file in bytes. */
export const MAX_MODULE_BYTES = 1_048_576;
/** The emoji of a tool that names none. */
export const DEFAULT_EMOJI = "⚡";
