/**
 * Where sandboxed servers may be and what is kept about them.
 * @module
 */
import { denoFolder } from "../../runtime/cells.ts";
import { safeFileStem } from "../../runtime/file_stem.ts";
import type { HostEnvironment } from "../../runtime/host_environment.ts";
import { join } from "../../runtime/paths.ts";

/** What the places of a server depend on. */
export interface PlacesOptions {
  /** The server's name. */
  readonly server: string;
  /** The folder for what is kept between runs, absolute. */
  readonly cacheDir: string;
  /** What `$WORKSPACE` stands for, absolute. */
  readonly workspace: string;
  /** Reads variables of the operator. */
  readonly environment: HostEnvironment;
}

/** Folders of one sandboxed server, absolute. */
export interface ServerPlaces {
  /** What `$WORKSPACE` stands for. */
  readonly workspace: string;
  /** What `$DATA` stands for: the server's own folder, kept between runs. */
  readonly data: string;
  /** What `$TMP` stands for. */
  readonly tmp: string;
  /** An empty folder that servers start in. */
  readonly neutral: string;
  /** Where Deno writes down what servers touched. */
  readonly audit: string;
  /** Lock files of packages. */
  readonly locks: string;
  /** Deno's own folder, where packages are. */
  readonly deno: string | undefined;
}

/**
 * Names the folders of a server and makes those that it starts with.
 *
 * @param options What they depend on.
 * @returns The folders.
 * @throws {Error} If one of them cannot be made.
 */
export function serverPlaces(options: PlacesOptions): ServerPlaces {
  const base = join(options.cacheDir, "mcp");
  const own = join(base, "servers", safeFileStem(options.server));
  const places: ServerPlaces = {
    workspace: options.workspace,
    data: join(own, "data"),
    tmp: join(own, "tmp"),
    neutral: join(base, "empty"),
    audit: join(base, "audit"),
    locks: join(base, "locks"),
    deno: denoFolder(options.environment),
  };
  for (const folder of [places.data, places.tmp, places.neutral, places.audit, places.locks]) {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  return places;
}

const VARIABLE = /^\$(WORKSPACE|DATA|TMP)(?=$|[/\\])/;

/**
 * Puts a place into a text that starts with its variable, as arguments and variables of a server may.
 *
 * @param text The text.
 * @param places The folders.
 * @returns The text with the folder in it.
 */
export function expandPlace(text: string, places: ServerPlaces): string {
  const folders = { WORKSPACE: places.workspace, DATA: places.data, TMP: places.tmp };
  return text.replace(VARIABLE, (_, name: keyof typeof folders) => folders[name]);
}

/**
 * Where the lock file of a package is.
 *
 * @param places The folders.
 * @param packageName The package with its version.
 * @returns The file; it may not exist.
 */
export function lockFile(places: Pick<ServerPlaces, "locks">, packageName: string): string {
  return join(places.locks, `${safeFileStem(`${packageName} ${Deno.version.deno}`)}.lock`);
}
