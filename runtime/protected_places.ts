/**
 * The places that decide what runs: no tool writes there unless the operator opens them.
 * @module
 */
import { basename, dirname, join, resolve } from "./paths.ts";
import { contains, realPath } from "./grants/paths.ts";

/** Files of a folder with a configuration: it, and the locks of what was taken. */
const SETTINGS: readonly string[] = ["cloister.json", "mcp.lock", "tools.lock"];

/** What is run of the package, below its folder. */
const PACKAGE: readonly string[] = [
  "cli",
  "core",
  "edge",
  "mcp",
  "registry",
  "runtime",
  "tools",
  "workers",
  "mod.ts",
  "deno.json",
  "deno.lock",
];

/** What programs start from, or take their settings from, below the home folder. */
const HOME_FILES: readonly string[] = [
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".cargo",
  ".config",
  ".deno",
  ".gitconfig",
  ".gnupg",
  ".local",
  ".netrc",
  ".npmrc",
  ".profile",
  ".ssh",
  ".vimrc",
  ".zlogin",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  "Library/LaunchAgents",
  "bin",
];

/** One place. */
export interface ProtectedPlace {
  /** Its absolute path; it need not exist. */
  readonly path: string;
  /** What it is, for messages. */
  readonly what: string;
  /** Whether tool files lie in it, so that the operator may open it. */
  readonly holdsTools: boolean;
}

/** Where the parts of a runtime are; every path is absolute. */
export interface PlaceSources {
  /** The workspace, a real path. */
  readonly workspace: string;
  /** Folders with tool files that people own. */
  readonly toolFolders: readonly string[];
  /** Files and folders of the operator: configuration, what stands beside it. */
  readonly settings: readonly string[];
  /** The package's own folder; absent when it came from a server. */
  readonly packageFolder?: string;
  /** The runtime's own folders: cache, keys, packages. */
  readonly own: readonly string[];
  /** The home folder. */
  readonly home?: string;
  /** Whether tools may write where tool files are. */
  readonly editTools: boolean;
}

/**
 * Names the files beside which a configuration stands.
 *
 * @param folders The folders.
 * @returns The paths, whether or not they exist.
 */
export function settingsIn(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => SETTINGS.map((name) => join(folder, name)));
}

/** The protected places of a runtime. */
export class ProtectedPlaces {
  readonly #sources: PlaceSources;
  #list: readonly ProtectedPlace[];

  /**
   * Lists them.
   *
   * @param sources Where the parts of the runtime are.
   */
  constructor(sources: PlaceSources) {
    this.#sources = sources;
    const { workspace, toolFolders, settings, packageFolder, own, home } = sources;
    const within = (folder: string | undefined, names: readonly string[]) =>
      folder === undefined ? [] : names.map((name) => join(folder, name));
    this.#list = [
      ...this.#toolPlaces(toolFolders),
      ...placesOf(settings, "a file that configures Cloister"),
      ...placesOf(
        [join(workspace, ".git")],
        "the repository, whose hooks and settings start programs",
      ),
      ...placesOf(own, "a folder of Cloister's or Deno's own"),
      ...placesOf(within(packageFolder, PACKAGE), "the code of Cloister"),
      // Who works in such a folder has chosen it.
      ...placesOf(within(home, HOME_FILES), "a place that programs start from")
        .filter(({ path }) => !contains(path, workspace)),
    ];
  }

  /** All of them, those with a link in their path under both names. */
  get list(): readonly ProtectedPlace[] {
    return this.#list;
  }

  /**
   * Adds folders with tool files.
   *
   * @param folders The folders, absolute.
   */
  addToolFolders(folders: readonly string[]): void {
    this.#list = [...this.#list, ...this.#toolPlaces(folders)];
  }

  // A folder that holds the workspace cannot be closed: the files in it are looked at instead.
  #toolPlaces(folders: readonly string[]): readonly ProtectedPlace[] {
    const { workspace, editTools } = this.#sources;
    return placesOf(editTools ? [] : folders, "a folder with tool files", true)
      .filter(({ path }) => !contains(path, workspace));
  }

  /**
   * The place that a path lies in.
   *
   * @param path An absolute real path.
   * @returns The place, or `undefined` when the path is in none.
   */
  holding(path: string): ProtectedPlace | undefined {
    return this.#list.find((place) => contains(place.path, path));
  }

  /**
   * What must be denied to whoever may write something. A place below the first component of a grant could be moved
   * away by the name of a folder above it (measured on Deno 2.9.6), so that this folder is denied whole; only where
   * tool files are, which are looked at before they are taken, the folder beside them stays open.
   *
   * @param write The folders and files that may be written, absolute real paths.
   * @returns Absolute paths for `--deny-write`, sorted; empty when no place lies in them.
   */
  denials(write: readonly string[]): readonly string[] {
    return [...new Set(this.#walls(write).map(({ path }) => path))].toSorted();
  }

  /**
   * Why a path that lies in a grant was denied all the same.
   *
   * @param path The path, absolute.
   * @param write The folders and files that were granted, absolute real paths.
   * @returns A sentence that says what to do; `undefined` when it was not for the sake of a protected place.
   */
  closedBecause(path: string, write: readonly string[]): string | undefined {
    const wall = this.#walls(write).find((wall) => contains(wall.path, path));
    if (wall === undefined) return undefined;
    const { place } = wall;
    return contains(place.path, path)
      ? `"${path}" is ${closed(place)}`
      : `"${path}" lies in "${wall.path}", which holds "${place.path}": that is ${closed(place)}`;
  }

  /**
   * Why a grant cannot be had.
   *
   * @param write The folders and files that a tool asks to write, absolute real paths.
   * @param own Its own folders, which lie among the runtime's.
   * @returns A sentence for each grant that is refused.
   */
  refusals(write: readonly string[], own: readonly string[]): readonly string[] {
    const walls = this.#walls(write);
    return write.flatMap((path) => {
      const place = own.some((folder) => contains(folder, path)) ? undefined : this.holding(path);
      if (place !== undefined) return [`write "${path}" is ${closed(place)}`];
      const wall = walls.find((wall) => contains(wall.path, path));
      if (wall === undefined) return [];
      return [
        `write "${path}" lies in "${wall.path}", which another grant of the tool holds and which is closed in it. ` +
        "Declare one of them, or move the cache folder out of the workspace (CLOISTER_CACHE)",
      ];
    });
  }

  #walls(write: readonly string[]): readonly { path: string; place: ProtectedPlace }[] {
    return write.flatMap((grant) =>
      this.#list.filter(({ path }) => contains(grant, path)).map((place) => ({
        path: place.holdsTools ? place.path : firstBelow(grant, place.path),
        place,
      }))
    );
  }
}

function placesOf(paths: readonly string[], what: string, holdsTools = false): ProtectedPlace[] {
  return paths.flatMap(namesOf).map((path) => ({ path, what, holdsTools }));
}

function closed({ what, holdsTools }: ProtectedPlace): string {
  const open = holdsTools
    ? `. To open it, add "tools" to permissions.allowWrite of the configuration, or use --edit-tools`
    : "";
  return `${what}, which no tool may change${open}`;
}

function firstBelow(folder: string, path: string): string {
  let at = path;
  while (at !== folder && dirname(at) !== folder && dirname(at) !== at) at = dirname(at);
  return at;
}

// Under the name it was given, a link can be replaced; under its real path, what it leads to be changed.
function namesOf(path: string): readonly string[] {
  const given = resolve(path);
  const names = [given, join(realOr(dirname(given)), basename(given)), realOr(given)];
  return [...new Set(names)];
}

function realOr(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path;
  }
}
