/**
 * Whether tools can be used now, and why not.
 * @module
 */
export { AvailabilityProber } from "./availability/availability_prober.ts";
export { joinAvailability } from "./availability/join_availability.ts";
