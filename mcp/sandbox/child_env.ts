/**
 * The environment of servers that nothing holds.
 * @module
 */
import type { HostEnvironment } from "../../runtime/host_environment.ts";

const UNIX: readonly string[] = [
  ..."PATH HOME USER LANG LC_ALL TERM SHELL TMPDIR".split(" "),
  ..."XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME"
    .split(" "),
];
const WINDOWS: readonly string[] = [
  ..."PATH PATHEXT USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA".split(
    " ",
  ),
  ..."PROGRAMDATA PROGRAMFILES SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP".split(" "),
];

/** The variables that every unsandboxed server gets when they are set. */
export const INHERITED_VARIABLES: readonly string[] = Object.freeze(
  Deno.build.os === "windows" ? [...UNIX, ...WINDOWS] : UNIX,
);

/**
 * The whole environment of a server: what programs need to run at all, and what is configured. No key or token of the
 * operator's is handed on unless the configuration names it.
 *
 * @param configured The variables of its entry.
 * @param environment Reads variables of the operator.
 * @returns The environment.
 */
export function childEnvironment(
  configured: Readonly<Record<string, string>>,
  environment: HostEnvironment,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const name of INHERITED_VARIABLES) {
    const value = environment(name);
    // A shell function that was exported is code, not a value.
    if (value !== undefined && !value.startsWith("() {")) env[name] = value;
  }
  return { ...env, ...configured };
}
