/**
 * Where the registrations of tool files go. The table (in the front) or the runner (in a worker) takes
 * this place over; until then they wait.
 * @module
 */
import type { RegisterOptions, RegisterOutcome, ToolRegistration } from "./registration.ts";

/** Receives registrations. */
export type RegistrationSink = (
  registration: ToolRegistration,
  options: RegisterOptions,
) => RegisterOutcome;

const waiting: [ToolRegistration, RegisterOptions][] = [];
let sink: RegistrationSink | undefined;

/**
 * Hands a registration to whoever took the sink's place.
 *
 * @param registration The tool.
 * @param options Whether it may override.
 * @returns What became of it; `registered` while nobody has taken the place.
 */
export function submitRegistration(
  registration: ToolRegistration,
  options: RegisterOptions,
): RegisterOutcome {
  if (sink) return sink(registration, options);
  waiting.push([registration, options]);
  return { status: "registered" };
}

/**
 * Takes the sink's place; what has been waiting is delivered first, in order.
 *
 * @param next Receives every registration from now on.
 */
export function takeRegistrations(next: RegistrationSink): void {
  sink = next;
  for (const [registration, options] of waiting.splice(0)) next(registration, options);
}
