/**
 * `mcp.lock`: the definitions of the tools of MCP servers that were seen and taken.
 * @module
 */
import { dirname } from "../../runtime/paths.ts";
import { type LockContent, parseLock, writeLock } from "./lock_format.ts";
import type { PinStore, ServerPins } from "./pins.ts";

/** The lock file's name. */
export const LOCK_FILE = "mcp.lock";

const EMPTY: LockContent = new Map();

/**
 * Keeps pins in a file. Writers replace it as a whole, so that nobody reads half of it; of two at once the last wins,
 * and each reads what the other wrote of other servers.
 */
export class LockFile implements PinStore {
  /** The file's path. */
  readonly path: string;
  #writing: Promise<unknown> = Promise.resolve();

  /**
   * Names the file, which need not exist.
   *
   * @param path The file's path.
   */
  constructor(path: string) {
    this.path = path;
  }

  /** Reads what is pinned of a server; see {@linkcode PinStore}. */
  async read(server: string): Promise<ServerPins | undefined> {
    return (await this.#load()).get(server);
  }

  /** Pins a server's tools; see {@linkcode PinStore}. */
  async write(server: string, pins: ServerPins): Promise<void> {
    await this.#inTurn(async () => {
      const content = new Map(await this.#load());
      content.set(server, pins);
      await this.#replace(writeLock(content));
    });
  }

  // Servers of one runtime list their tools at the same time.
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => {});
    return turn;
  }

  async #load(): Promise<LockContent> {
    let text: string;
    try {
      text = await Deno.readTextFile(this.path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return EMPTY;
      throw new Error(`Cannot read "${this.path}": ${(error as Error).message}`, { cause: error });
    }
    return await parseLock(text, this.path);
  }

  async #replace(text: string): Promise<void> {
    const draft = `${this.path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    try {
      // In the cache folder, which may be emptied at any time.
      await Deno.mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(draft, text);
      await Deno.rename(draft, this.path);
    } catch (error) {
      await Deno.remove(draft).catch(() => {});
      throw new Error(`Cannot write "${this.path}": ${(error as Error).message}`, { cause: error });
    }
  }
}
