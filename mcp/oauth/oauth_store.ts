/**
 * The file that keeps logins.
 * @module
 */
import { join } from "../../runtime/paths.ts";
import { withFileLock } from "./file_lock.ts";
import { emptyRecord, type OAuthRecord, parseRecord, type ServerLogin } from "./oauth_record.ts";

const FILE = "mcp-logins.json";
const OTHERS = 0o077;

/**
 * Logins at MCP servers, in one file that only its owner can read. Every read goes to the file: another process
 * may have signed in or renewed a token meanwhile.
 */
export class OAuthStore {
  readonly #folder: string;
  /** Where the file is. */
  readonly path: string;

  /**
   * Makes the store; nothing is read or written yet.
   *
   * @param folder The cache folder.
   */
  constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, FILE);
  }

  /**
   * Reads everything.
   *
   * @returns The record; an empty one when there is no file.
   * @throws {Error} If the file is damaged. The error tells nothing of what is in it.
   */
  async read(): Promise<OAuthRecord> {
    const text = await this.#text();
    if (text === undefined) return emptyRecord();
    const record = parseRecord(parseJson(text));
    if (record !== undefined) return record;
    throw new Error(
      `Cannot read the stored logins in ${JSON.stringify(this.path)}: expected the JSON that ` +
        `"cloister mcp login" writes; delete the file and sign in again`,
    );
  }

  /**
   * Reads the login at one server.
   *
   * @param serverUrl The server's URL.
   * @returns The login; an empty one when there is none.
   */
  async login(serverUrl: string): Promise<ServerLogin> {
    const { servers } = await this.read();
    const key = serverKey(serverUrl);
    return Object.hasOwn(servers, key) ? servers[key]! : {};
  }

  /**
   * Changes the login at one server.
   *
   * @param serverUrl The server's URL.
   * @param change Makes the new login of the old one; `undefined` takes it out.
   */
  async changeLogin(
    serverUrl: string,
    change: (login: ServerLogin) => ServerLogin | undefined,
  ): Promise<void> {
    const key = serverKey(serverUrl);
    await this.update((record) => {
      const { [key]: old = {}, ...others } = record.servers;
      const login = change(old);
      return { ...record, servers: login === undefined ? others : { ...others, [key]: login } };
    });
  }

  /**
   * Changes the record, one process at a time.
   *
   * @param change Makes the new record of the old one.
   */
  async update(change: (record: OAuthRecord) => OAuthRecord): Promise<void> {
    await this.exclusively("write", async () => {
      const record = change(await this.read());
      await replaceFile(this.path, JSON.stringify(record, undefined, 2) + "\n");
    });
  }

  /**
   * Runs a function that no other process runs meanwhile.
   *
   * @param purpose What it is for; different purposes do not wait for each other.
   * @param run What to do.
   * @returns What it returns.
   */
  async exclusively<T>(purpose: "write" | "refresh", run: () => Promise<T>): Promise<T> {
    await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return await withFileLock(`${this.path}.${purpose}.lock`, run);
  }

  async #text(): Promise<string | undefined> {
    try {
      const { mode } = await Deno.stat(this.path);
      // A copy or a backup may have widened it.
      if (mode !== null && (mode & OTHERS) !== 0 && Deno.build.os !== "windows") {
        await Deno.chmod(this.path, 0o600);
      }
      return await Deno.readTextFile(this.path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }
}

/**
 * The name under which the login at a server is kept.
 *
 * @param serverUrl The server's URL.
 * @returns The URL in its one spelling, without fragment.
 */
export function serverKey(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = "";
  return url.href;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.writeTextFile(temporary, text, { createNew: true, mode: 0o600 });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

// The parser's own message quotes the text, and the text holds tokens.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
