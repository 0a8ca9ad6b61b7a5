/**
 * Environment variables, for a runtime whose program hands it none: the PATH to start cells with, the variables
 * that tools were granted.
 * @module
 */

/** Reads an environment variable; `undefined` when it is not set or may not be read. */
export type HostEnvironment = (name: string) => string | undefined;

/**
 * Reads a variable of this process where that was granted; one that was not counts as unset, because asking for
 * it would stop at a prompt.
 *
 * @param name The variable's name.
 * @returns Its value.
 */
export function readHostEnvironment(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}
