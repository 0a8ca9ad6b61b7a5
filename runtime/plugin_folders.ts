/**
 * Plugins that are folders with a manifest, `plugins/<id>/plugin.json`.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { PluginConfig } from "./config.ts";
import { join } from "./paths.ts";

/** Name of a plugin's manifest. */
const MANIFEST = "plugin.json";
const ID = /^[a-z][a-z0-9-]*$/;
const KEYS: readonly string[] = ["$schema", "id", "description", "version", "tools"];

/** The plugins of a folder, and what is wrong with others in it. */
export interface PluginFolders {
  /** The plugins, sorted by id. */
  readonly plugins: readonly PluginConfig[];
  /** Faults of manifests; a plugin with one is left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds the plugins of a folder. A manifest says where the tools are; what they may do beyond other tools,
 * such as overriding, only the operator says, in the configuration.
 *
 * @param dir The folder, absolute; it need not exist.
 * @returns The plugins. Never throws for a bad manifest.
 */
export function findPluginFolders(dir: string): PluginFolders {
  const plugins: PluginConfig[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const id of listFolders(dir)) {
    const path = join(dir, id, MANIFEST);
    const text = readOrUndefined(path);
    if (text === undefined) continue;
    const plugin = readManifest(id, join(dir, id), text);
    if (typeof plugin === "string") diagnostics.push(faultOf(path, plugin));
    else plugins.push(plugin);
  }
  return { plugins, diagnostics };
}

/**
 * Joins the plugins of the configuration with those of a folder. The configuration's come first, and decide
 * about a plugin that both name.
 *
 * @param configured The configuration's.
 * @param found The folder's.
 * @returns All of them, each id once.
 */
export function joinPlugins(
  configured: readonly PluginConfig[],
  found: readonly PluginConfig[],
): readonly PluginConfig[] {
  const known = new Set(configured.map(({ id }) => id));
  return [...configured, ...found.filter(({ id }) => !known.has(id))];
}

function listFolders(dir: string): string[] {
  try {
    const entries = [...Deno.readDirSync(dir)];
    return entries.filter((entry) => entry.isDirectory).map(({ name }) => name).toSorted();
  } catch {
    return [];
  }
}

function readOrUndefined(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

function readManifest(id: string, folder: string, text: string): PluginConfig | string {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    return `Cannot read the manifest: ${(error as Error).message}`;
  }
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) {
    return "Cannot use the manifest: expected an object";
  }
  const { id: said, tools = "." } = manifest as { readonly id?: unknown; readonly tools?: unknown };
  const unknown = Object.keys(manifest).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    return `Cannot use the manifest: unknown key "${unknown}", expected ${
      KEYS.slice(1).join(", ")
    }`;
  }
  if (said !== id || !ID.test(id)) {
    return `Cannot use the manifest: "id" must be the folder's name, "${id}", in lower-case letters, digits and -`;
  }
  if (typeof tools !== "string" || tools.startsWith("/") || tools.split("/").includes("..")) {
    return 'Cannot use the manifest: "tools" must be a folder inside the plugin';
  }
  return { id, path: join(folder, tools) };
}

function faultOf(path: string, message: string): Diagnostic {
  return { severity: "error", code: "plugin_manifest", message, path, line: 1, column: 1 };
}
