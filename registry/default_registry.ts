/**
 * The table that programs and tool files use when they name none.
 * @module
 */
import { takeRegistrations } from "../core/pending.ts";
import type { RegisterOptions, RegisterOutcome, ToolRegistration } from "../core/registration.ts";
import { ToolRegistry } from "./tool_registry.ts";

/**
 * The default table. What tool files have registered through `@cloister/cloister/tool` before this module was
 * loaded is in it, as the program's own.
 *
 * @example Look at what is registered
 * ```ts
 * import { registry } from "@cloister/cloister";
 *
 * console.log(registry.getAllToolNames());
 * ```
 */
export const registry: ToolRegistry = new ToolRegistry();

takeWaiting();

function takeWaiting(): void {
  let waiting = true;
  takeRegistrations((registration, options) =>
    waiting ? registerWaiting(registration, options) : registry.register(registration, options)
  );
  waiting = false;
}

// Nobody can catch what a registration throws that has been waiting, so that it goes to the log.
function registerWaiting(
  registration: ToolRegistration,
  options: RegisterOptions,
): RegisterOutcome {
  try {
    return registry.register(registration, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    registry.report({ level: "error", message: `Tool registration REJECTED: ${reason}` });
    return { status: "rejected", reason, winner: "program" };
  }
}
