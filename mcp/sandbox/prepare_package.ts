/**
 * Getting a package of npm ready, so that it starts without the network. The only place where one is downloaded.
 * @module
 */
import { PACKAGE_PREFIX, type PackageSpec, parsePackage } from "../config/package_spec.ts";
import { runDeno } from "./run_deno.ts";
import { lockFile, type ServerPlaces } from "./server_places.ts";

const DOWNLOAD_MS = 120_000;
const INFO_MS = 30_000;
const MAX_BYTES = 8 * 1_024 * 1_024;

/** What preparing needs. */
export interface PreparePackageOptions {
  /** The command that starts Deno. */
  readonly deno: string;
  /** Folders of the server. */
  readonly places: Pick<ServerPlaces, "neutral" | "locks" | "deno">;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

/**
 * Downloads a package with everything that it needs into Deno's cache, and writes a lock file with the hash of each of
 * them. Nothing of it is run.
 *
 * @param text `npm:<package>`, with or without a version.
 * @param options Where things are.
 * @returns The package with its exact version, `name@1.2.3`.
 * @throws {Error} If the text names no package, or it could not be got.
 */
export async function preparePackage(
  text: string,
  options: PreparePackageOptions,
): Promise<string> {
  const spec = parsePackage(text);
  if (spec === undefined) {
    throw new Error(
      `Cannot prepare ${
        JSON.stringify(text)
      }: expected "npm:<package>" or "npm:<package>@<version>"`,
    );
  }
  try {
    const name = spec.isExact
      ? `${spec.name}@${spec.version}`
      : await resolveVersion(spec, options);
    await download(name, options);
    return name;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new Error(`Cannot get the package "${text}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Writes the lock file of a package again when it is gone, from what is in Deno's cache; the network is not asked.
 *
 * @param name The package with its exact version.
 * @param options Where things are.
 * @returns Whether it was gone and is there now. Never rejects: what is not in the cache is told by the start.
 */
export async function restoreLock(name: string, options: PreparePackageOptions): Promise<boolean> {
  try {
    await Deno.stat(lockFile(options.places, name));
    return false;
  } catch {
    // `deno cache` cannot be kept from the network (measured on Deno 2.9.6).
    const command = ["install", "--cached-only", "--entrypoint"];
    return await download(name, options, command).then(() => true, () => false);
  }
}

// What the registry says now; where it cannot be reached, what was downloaded before.
async function resolveVersion(spec: PackageSpec, options: PreparePackageOptions): Promise<string> {
  const specifier = PACKAGE_PREFIX + spec.name +
    (spec.version === undefined ? "" : `@${spec.version}`);
  const fresh = `--reload=${PACKAGE_PREFIX}${spec.name}`;
  try {
    await deno(
      ["cache", "--quiet", "--no-config", "--no-lock", fresh, specifier],
      DOWNLOAD_MS,
      options,
    );
  } catch (error) {
    options.signal?.throwIfAborted();
    const found = await findResolved(specifier, options).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
  return await findResolved(specifier, options);
}

async function findResolved(specifier: string, options: PreparePackageOptions): Promise<string> {
  const text = await deno(
    ["info", "--json", "--no-config", "--no-lock", specifier],
    INFO_MS,
    options,
  );
  const { redirects = {} } = JSON.parse(text) as { redirects?: Record<string, string> };
  const target = parsePackage(redirects[specifier] ?? specifier);
  if (target?.isExact !== true) throw new Error(`no version of it was found`);
  return `${target.name}@${target.version}`;
}

async function download(
  name: string,
  options: PreparePackageOptions,
  command: readonly string[] = ["cache"],
): Promise<void> {
  const lock = lockFile(options.places, name);
  const draft = `${lock}.${crypto.randomUUID()}`;
  const args = [...command, "--quiet", "--no-config", `--lock=${draft}`, "--frozen=false"];
  try {
    await deno([...args, PACKAGE_PREFIX + name], DOWNLOAD_MS, options);
    await Deno.rename(draft, lock);
  } finally {
    await Deno.remove(draft).catch(() => {});
  }
}

function deno(
  args: readonly string[],
  timeoutMs: number,
  { deno, places, signal }: PreparePackageOptions,
): Promise<string> {
  return runDeno({
    deno,
    args,
    cwd: places.neutral,
    ...(places.deno === undefined ? {} : { denoDir: places.deno }),
    timeoutMs,
    maxBytes: MAX_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
}
