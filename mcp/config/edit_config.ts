/**
 * Changing `mcpServers` in the configuration's file; everything else in it, comments too, stays as it is.
 * @module
 */
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import type { JsonObject } from "../../core/json.ts";
import { loadConfig } from "../../runtime/config.ts";
import { suggestNames } from "../../runtime/suggest.ts";
import { setMember } from "./edit_text.ts";
import { isObject } from "./entry_reader.ts";

const SECTION = "mcpServers";

/** The file as it is, and its servers. */
export interface ConfigFile {
  /** Where it is. */
  readonly path: string;
  /** Its text; absent when there is no file. */
  readonly text?: string;
  /** Its servers, as they are written. */
  readonly servers: { readonly [name: string]: unknown };
}

/**
 * Reads the file.
 *
 * @param path Where it is.
 * @returns The file.
 * @throws {Error} If it has faults: what is written into it could be lost.
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const { config, diagnostics } = await loadConfig(path, { optional: true });
  if (diagnostics.length > 0) {
    const lines = diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`);
    throw new Error(`Cannot change "${path}", it has faults:\n${lines.join("\n")}`);
  }
  const text = await readOrNothing(path);
  return { path, ...(text === undefined ? {} : { text }), servers: config.mcpServers ?? {} };
}

/**
 * Writes a server into the file, which is made when it is missing.
 *
 * @param file The file as it was read.
 * @param name The server.
 * @param entry Its entry.
 * @throws {Error} If the file was changed since it was read, would have faults, or cannot be written.
 */
export async function writeServer(
  file: ConfigFile,
  name: string,
  entry: JsonObject,
): Promise<void> {
  await edit(file, name, entry);
}

/**
 * Takes a server out of the file.
 *
 * @param file The file as it was read.
 * @param name The server.
 * @throws {Error} If there is no such server, or as for {@linkcode writeServer}.
 */
export async function deleteServer(file: ConfigFile, name: string): Promise<void> {
  if (!Object.hasOwn(file.servers, name)) {
    const [near] = suggestNames(name, Object.keys(file.servers));
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    throw new Error(
      `Cannot remove MCP server "${name}": "${file.path}" has none of that name${hint}`,
    );
  }
  await edit(file, name, undefined);
}

async function edit(file: ConfigFile, name: string, entry: JsonObject | undefined): Promise<void> {
  const { path, text = "{}\n" } = file;
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  const body = text.slice(bom.length);
  const changed = entry === undefined
    ? applyEdits(body, modify(body, [SECTION, name], undefined, {}))
    : setMember(body, [SECTION, name], entry);
  await check(path, changed, name, entry);
  if (await readOrNothing(path) !== file.text) {
    throw new Error(`Cannot change "${path}": somebody else changed it in the meantime; try again`);
  }
  await replaceFile(path, bom + (changed.endsWith("\n") ? changed : `${changed}\n`));
}

// What stands in the file afterwards must be what was meant.
async function check(
  path: string,
  text: string,
  name: string,
  entry: JsonObject | undefined,
): Promise<void> {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  const servers = isObject(value) && isObject(value[SECTION]) ? value[SECTION] : {};
  const written = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (errors.length > 0 || JSON.stringify(written) !== JSON.stringify(entry)) {
    throw new Error(`Cannot change "${path}": its text cannot be edited safely`);
  }
  const { diagnostics } = await loadConfig(value as JsonObject);
  if (diagnostics.length > 0) {
    throw new Error(
      `Cannot change "${path}": ${diagnostics.map((fault) => fault.message).join("; ")}`,
    );
  }
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

// A link stays a link, and whoever reads meanwhile sees the old text or the new one.
async function replaceFile(path: string, text: string): Promise<void> {
  const target = await Deno.realPath(path).catch(() => path);
  const mode = await Deno.stat(target).then(({ mode }) => mode ?? 0o600, () => 0o600);
  const draft = `${target}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(draft, text, { createNew: true, mode: mode & 0o777 });
    await Deno.rename(draft, target);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    throw new Error(`Cannot write "${path}": ${(error as Error).message}`, { cause: error });
  }
}
