/**
 * What is found in shell commands.
 * @module
 */

/** How bad a command is: `hardline` never runs, `dangerous` needs approval. */
export type DangerLevel = "hardline" | "dangerous";

/** One find. */
export interface DangerFinding {
  /** A stable snake_case word for it. */
  readonly id: string;
  /** How bad it is. */
  readonly level: DangerLevel;
  /** What it does, for a person. */
  readonly what: string;
}
