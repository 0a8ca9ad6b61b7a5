/**
 * Putting variables of the environment into the values of a configuration.
 * @module
 */
import type { HostEnvironment } from "../../runtime/host_environment.ts";

const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** A text with what became of the variables in it. */
export interface Interpolated {
  /** The text. */
  readonly text: string;
  /** Variables that are not set: what names them stays as it is. */
  readonly unset: readonly string[];
}

/**
 * Replaces `${VAR}`, `${env:VAR}` and `${VAR:-what else}`. What a variable holds is not looked at again: it is not the
 * operator's writing.
 *
 * @param text The text.
 * @param environment Reads variables.
 * @returns The text with the variables put in.
 */
export function interpolate(text: string, environment: HostEnvironment): Interpolated {
  const unset: string[] = [];
  const replaced = text.replace(REFERENCE, (whole, name: string, otherwise?: string) => {
    const value = environment(name) ?? otherwise;
    if (value === undefined) unset.push(name);
    return value ?? whole;
  });
  return { text: replaced, unset };
}
