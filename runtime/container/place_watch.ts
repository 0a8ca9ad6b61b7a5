/**
 * Looking, after a command in a container, whether something appeared where it decides what runs outside.
 * @module
 */
import { dirname, join } from "../paths.ts";
import { gitPlaces, isPlainGitPlace, nestedRepositories } from "./git_places.ts";
import { runQuietly } from "./run_quietly.ts";

/** The protected places of a workspace, as they were at one moment. */
export class PlaceWatch {
  readonly #workspace: string;
  readonly #places: readonly string[];
  readonly #before = new Map<string, string | undefined>();
  readonly #nested: ReadonlySet<string>;

  /**
   * Looks at the places as they are.
   *
   * @param workspace The workspace.
   * @param places Its protected places, `.git` among them.
   */
  constructor(workspace: string, places: readonly string[]) {
    this.#workspace = workspace;
    this.#places = places;
    this.#nested = new Set(nestedRepositories(workspace) ?? []);
    for (const place of this.#deciding([...this.#nested])) {
      this.#before.set(place, identityOf(place));
    }
  }

  /** The places that exist and must not be written. */
  get existing(): readonly string[] {
    return [...this.#before].filter(([, identity]) => identity !== undefined).map(([place]) =>
      place
    );
  }

  /** The folders in the workspace that must not be moved, the outer ones first. */
  get pinned(): readonly string[] {
    return foldersAbove(this.#workspace, this.existing);
  }

  /**
   * Moves aside what appeared since, or took the place of something.
   *
   * @returns What happened, a sentence each.
   */
  async settle(): Promise<readonly string[]> {
    const told: string[] = [];
    const nested = nestedRepositories(this.#workspace);
    const appeared = this.#deciding(nested ?? []).filter((place) => {
      const before = this.#before.get(place);
      const now = identityOf(place);
      if (now === undefined || now === before) return false;
      // What existed could not be replaced from inside, unless it was a link; an editor outside does so.
      return before === undefined ? !isPlainGitPlace(place) : isLink(before);
    });
    for (const place of appeared) {
      // What is in a folder that was moved is gone with it.
      if (identityOf(place) !== undefined) told.push(await this.#moveAside(place));
    }
    if (nested === undefined) {
      told.push(await this.#moveAside(join(this.#workspace, ".git", "index")));
    }
    return told;
  }

  #deciding(repositories: readonly string[]): readonly string[] {
    const git = join(this.#workspace, ".git");
    const nested = repositories.flatMap((path) =>
      // A repository that was there is watched like the outer one; a new one starts nothing if it goes.
      this.#nested.has(path) ? gitPlaces(path) : [path]
    );
    const others = this.#places.filter((place) => place !== git);
    const all = [...others, ...gitPlaces(git), ...nested];
    return [...new Set(all)].filter((place) => place.startsWith(`${this.#workspace}/`));
  }

  async #moveAside(place: string): Promise<string> {
    const shown = place.slice(this.#workspace.length + 1);
    const aside = `${place}.aside-${crypto.randomUUID().slice(0, 8)}`;
    if (await move(place, aside)) {
      return `"${shown}" appeared: it decides what runs outside of the container, and was moved to ` +
        `"${aside.slice(this.#workspace.length + 1)}"`;
    }
    return `"${shown}" appeared: it decides what runs outside of the container, and could NOT be moved ` +
      "aside. Remove it before anything else is started in this workspace";
  }
}

// Another folder than the workspace is often outside of what this process may write; `sh` may.
async function move(from: string, to: string): Promise<boolean> {
  try {
    Deno.renameSync(from, to);
    return true;
  } catch {
    return (await runQuietly('mv -n -- "$1" "$2"', [from, to])).ok;
  }
}

// Which file it is, not only that there is one: a folder above it could have been moved.
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino, isSymlink } = Deno.lstatSync(path);
    return `${dev}:${ino}:${isSymlink}`;
  } catch {
    return undefined;
  }
}

function isLink(identity: string): boolean {
  return identity.endsWith(":true");
}

/**
 * The folders between the workspace and places in it. A folder that is a mount cannot be renamed; without that, one
 * above a protected place could be moved away, and another put there.
 *
 * @param workspace The workspace.
 * @param places Places in it.
 * @returns The folders, the outer ones first.
 */
function foldersAbove(workspace: string, places: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const place of places) {
    for (let at = dirname(place); at.length > workspace.length; at = dirname(at)) found.add(at);
  }
  return [...found].sort();
}
