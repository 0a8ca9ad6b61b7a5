/**
 * Gets the packages that tool files may import ready, before any tool runs: a cell downloads nothing.
 * @module
 */
import { join } from "./paths.ts";

/** How long a download may take, in milliseconds. */
const DOWNLOAD_MS = 120_000;

/** What {@linkcode preparePackages} needs. */
export interface PreparePackagesOptions {
  /** The command that starts Deno. */
  readonly deno: string;
  /** The cells' configuration file. */
  readonly configPath: string;
  /** The folder for the lock file. */
  readonly folder: string;
  /** What tool files may import. */
  readonly importMap: Readonly<Record<string, string>>;
  /** Whether packages are looked for although there is a lock file. @default {false} */
  readonly anew?: boolean;
}

/**
 * Downloads what is missing of the allowed packages and writes a lock file for cells. Nothing of a package is
 * run. Where the package of this program has a lock file of its own, the versions in it are taken.
 *
 * @param options What is allowed, and where to put the lock file.
 * @returns The lock file, or `undefined` when no package is allowed.
 * @throws {Error} If a package could not be got; the message holds what Deno said.
 */
export async function preparePackages(
  options: PreparePackagesOptions,
): Promise<string | undefined> {
  const names = Object.entries(options.importMap).filter(([, target]) => target.startsWith("npm:"))
    .map(([name]) => name).toSorted();
  if (names.length === 0) return undefined;
  const seed = ownLock();
  const key = await digest(JSON.stringify([Deno.version.deno, options.importMap, seed ?? ""]));
  const lock = join(options.folder, `cell-${key}.lock`);
  if (!options.anew && exists(lock)) return lock;
  await download(options, names, lock, seed);
  return lock;
}

async function download(
  { deno, configPath, folder }: PreparePackagesOptions,
  names: readonly string[],
  lock: string,
  seed: string | undefined,
): Promise<void> {
  const work = await Deno.makeTempDir({ dir: folder, prefix: "packages-" });
  try {
    const [entry, draft] = [join(work, "imports.ts"), join(work, "cell.lock")];
    await Deno.writeTextFile(
      entry,
      names.map((name) => `import ${JSON.stringify(name)};\n`).join(""),
    );
    if (seed !== undefined) await Deno.writeTextFile(draft, seed);
    // It inherits this program's environment: certificates and proxies for the registry are settings of the
    // operator's, and no tool code runs in it.
    const { success, stderr } = await new Deno.Command(deno, {
      args: [
        "cache",
        "--quiet",
        "--config",
        configPath,
        `--lock=${draft}`,
        "--frozen=false",
        entry,
      ],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      signal: AbortSignal.timeout(DOWNLOAD_MS),
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
    await Deno.rename(draft, lock);
  } catch (error) {
    throw new Error(
      `Cannot get the packages that tool files may import (${names.join(", ")}): ${
        (error as Error).message
      }`,
      { cause: error },
    );
  } finally {
    await Deno.remove(work, { recursive: true }).catch(() => {});
  }
}

// The section about the workspace is another configuration's.
function ownLock(): string | undefined {
  if (!import.meta.url.startsWith("file:")) return undefined;
  try {
    const { workspace: _, ...lock } = JSON.parse(
      Deno.readTextFileSync(new URL("../deno.lock", import.meta.url)),
    );
    return JSON.stringify(lock);
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex().slice(0, 16);
}
