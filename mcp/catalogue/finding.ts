/**
 * What the look at a server's tools has to say.
 * @module
 */

/** One finding about a tool of a server. */
export interface ToolFinding {
  /** How bad it is; a tool that is left out is a warning. */
  readonly severity: "warning" | "info";
  /** A stable snake_case word for programs. */
  readonly code: string;
  /** The server's own name for the tool, hidden characters taken out. */
  readonly tool: string;
  /** What is the matter, for people. */
  readonly message: string;
}
