/**
 * The file in which Deno writes down what a server touches.
 * @module
 */
import type { ResolvedGrants } from "../../core/permissions.ts";
import { contains, realPath } from "../../runtime/grants/paths.ts";
import { join } from "../../runtime/paths.ts";
import { type AuditRecord, AuditTrail } from "./audit.ts";

const CHUNK_BYTES = 65_536;
/** How much is read at a time; what a server asks for beyond that between two looks is not seen. */
const MAX_BYTES = 4 * 1_024 * 1_024;

/** A file that only Deno writes to. It is opened before the server starts, so that no other file takes its place. */
export class AuditFile implements AsyncDisposable {
  /** Where it is. */
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #folder: string | undefined;
  readonly #trail = new AuditTrail();
  readonly #decoder = new TextDecoder();
  #offset = 0;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  /**
   * Takes a file that is open.
   *
   * @param path Where it is.
   * @param file The file.
   * @param folder A folder that is deleted with it.
   */
  constructor(path: string, file: Deno.FsFile, folder?: string) {
    this.path = path;
    this.#file = file;
    this.#folder = folder;
  }

  /**
   * Makes a file where the server cannot write: in a folder, or, where a grant covers that, in a new one of the
   * system's folder for temporary files.
   *
   * @param folder The folder.
   * @param grants What the server gets.
   * @returns The file; `undefined` when the server could write to it in either, or starts programs or native code,
   * which nothing keeps from it.
   */
  static async create(folder: string, grants: ResolvedGrants): Promise<AuditFile | undefined> {
    if (grants.run.length > 0 || grants.ffi.length > 0) return undefined;
    const isCovered = (path: string) => grants.write.some((grant) => contains(grant, path));
    const real = realFolder(folder);
    if (real !== undefined && !isCovered(real)) return await open(real);
    const temporary = realPath(await Deno.makeTempDir({ prefix: "cloister-audit-" }));
    if (!isCovered(temporary)) return await open(temporary, temporary);
    await Deno.remove(temporary);
    return undefined;
  }

  /**
   * Reads what is new, and takes it out of the file: a server that asks without end must not fill the disk.
   *
   * @returns Everything that was asked for so far, each once.
   */
  async read(): Promise<readonly AuditRecord[]> {
    const next = this.#reading.then(() => this.#readNew());
    this.#reading = next.catch(() => {});
    await next;
    return this.#trail.records;
  }

  /** Closes the file and deletes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    await this.#reading;
    this.#isClosed = true;
    this.#file.close();
    await Deno.remove(this.path).catch(() => {});
    if (this.#folder !== undefined) await Deno.remove(this.#folder).catch(() => {});
  }

  // Deno writes on at its own place after the file was cut: what lies before becomes a hole without blocks (measured
  // on Deno 2.9.6), so reading goes on where it ended.
  async #readNew(): Promise<void> {
    if (this.#isClosed) return;
    const { size } = await this.#file.stat();
    if (size <= this.#offset) return;
    await this.#file.seek(this.#offset, Deno.SeekMode.Start);
    const end = Math.min(size, this.#offset + MAX_BYTES);
    const chunk = new Uint8Array(CHUNK_BYTES);
    let at = this.#offset;
    while (at < end) {
      const count = await this.#file.read(chunk.subarray(0, Math.min(CHUNK_BYTES, end - at)));
      if (count === null) break;
      at += count;
      this.#trail.take(this.#decoder.decode(chunk.subarray(0, count), { stream: true }));
    }
    this.#offset = size;
    await this.#file.truncate(0);
  }
}

async function open(folder: string, own?: string): Promise<AuditFile> {
  const path = join(folder, `${crypto.randomUUID()}.jsonl`);
  const file = await Deno.open(path, { createNew: true, read: true, write: true, mode: 0o600 });
  return new AuditFile(path, file, own);
}

function realFolder(path: string): string | undefined {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    return realPath(path);
  } catch {
    return undefined;
  }
}
