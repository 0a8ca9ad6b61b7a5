/**
 * Environment variables that no tool is granted.
 * @module
 */

// What the loader, the resolver, Deno and Cloister read in a cell before any permission counts: who may read one of
// them may set it as well, for the whole process.
const RESERVED = /^(?:RES_OPTIONS$|LOCALDOMAIN$|HOSTALIASES$|LD_|DENO_|NODE_|CLOISTER_)/i;

/**
 * Whether a variable steers the process that holds a tool's code.
 *
 * @param name The variable.
 * @returns True when no tool may have it.
 */
export function isReservedVariable(name: string): boolean {
  return RESERVED.test(name);
}
