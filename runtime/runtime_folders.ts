/**
 * Where a runtime keeps what it writes.
 * @module
 */
import { safeFileStem } from "./file_stem.ts";
import { join } from "./paths.ts";
import type { Permissions } from "../core/permissions.ts";

/** The folders of a runtime. */
export class RuntimeFolders {
  /** The cache folder: manifest and store of discovery. */
  readonly cache: string;
  // Every call names its tool's folder.
  readonly #data = new Map<string, string>();

  /**
   * Names the folders; each is made when it is first needed.
   *
   * @param cache The cache folder, absolute.
   */
  constructor(cache: string) {
    this.cache = cache;
  }

  /** Results that were too long for the model. */
  get spill(): string {
    return join(this.cache, "spill");
  }

  /** Above the tools' own folders. */
  get dataRoot(): string {
    return join(this.cache, "data");
  }

  /** Above the folders of what tools need for a while. */
  get temporaryRoot(): string {
    return join(this.cache, "tmp");
  }

  /**
   * A tool's own folder, which outlives its calls.
   *
   * @param tool The tool's name.
   * @returns The folder.
   */
  data(tool: string): string {
    const known = this.#data.get(tool);
    if (known !== undefined) return known;
    const path = join(this.dataRoot, safeFileStem(tool));
    this.#data.set(tool, path);
    return path;
  }

  /**
   * A tool's folder for what it needs for a while.
   *
   * @param tool The tool's name.
   * @returns The folder.
   */
  temporary(tool: string): string {
    return join(this.temporaryRoot, safeFileStem(tool));
  }

  /**
   * Makes the folders that a tool's permissions name, so that grants can be resolved to real paths.
   *
   * @param tool The tool's name.
   * @param permissions What it declares.
   */
  prepare(tool: string, permissions: Permissions): void {
    const paths = [permissions.read, permissions.write].flatMap((list) => list || []);
    if (paths.some((path) => path.startsWith("$DATA"))) makeFolder(this.data(tool));
    if (paths.some((path) => path.startsWith("$TMP"))) makeFolder(this.temporary(tool));
  }
}

// A cache folder that cannot be written costs the tool its folder, and its grant then names nothing.
function makeFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
}

/**
 * Whether a path is a folder.
 *
 * @param path The path.
 * @returns False also when it does not exist or may not be looked at.
 */
export function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
