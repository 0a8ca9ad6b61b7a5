/**
 * Checks the documentation: every `ts` snippet type-checks unless it is marked `ts ignore`, every local link
 * leads somewhere, every task that is named exists. Prints what is wrong and exits with 1. Run by
 * `deno task docs`.
 * @module
 */
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkPage, type DocContext, type DocFault } from "./doc_rules.ts";

/** What a checkout's documentation came to. */
export interface DocReport {
  /** The pages, relative to the root. */
  readonly pages: readonly string[];
  /** Links and tasks that lead nowhere. */
  readonly faults: readonly DocFault[];
}

/**
 * Checks links and tasks of every page of a checkout: the Markdown files at its top, and those of `docs/`.
 *
 * @param root The checkout's folder.
 * @returns The pages and their faults.
 */
export async function checkPages(root: string): Promise<DocReport> {
  const pages = [...await listPages(root, ""), ...await listPages(root, "docs")].sort();
  const context = contextOf(root);
  const faults = pages.flatMap((path) => checkPage(path, context.read(path) ?? "", context));
  return { pages, faults };
}

/**
 * Type-checks the `ts` snippets of pages, each as a module of its own.
 *
 * @param root The checkout's folder, whose configuration holds for the snippets.
 * @param pages The pages, relative to the root.
 * @returns What Deno found wrong; empty when nothing is.
 */
export async function checkSnippets(root: string, pages: readonly string[]): Promise<string> {
  const { success, stderr } = await new Deno.Command("deno", {
    args: ["check", "--quiet", "--no-lock", "--doc-only", "--config", "deno.json", ...pages],
    cwd: root,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  return success ? "" : new TextDecoder().decode(stderr).trim();
}

async function listPages(root: string, folder: string): Promise<string[]> {
  const pages: string[] = [];
  if (!exists(`${root}/${folder}`)) return pages;
  for await (const { name, isDirectory } of Deno.readDir(`${root}/${folder}`)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory && folder !== "") pages.push(...await listPages(root, path));
    else if (name.endsWith(".md")) pages.push(path);
  }
  return pages;
}

function contextOf(root: string): DocContext {
  const config = JSON.parse(readFileSync(`${root}/deno.json`, "utf8"));
  return {
    tasks: new Set(Object.keys(config.tasks ?? {})),
    exists: (path) => exists(`${root}/${path}`),
    read: (path) => path.endsWith(".md") ? readFileSync(`${root}/${path}`, "utf8") : undefined,
  };
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function main(): Promise<void> {
  const root = Deno.args[0] ?? fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
  const { pages, faults } = await checkPages(root);
  for (const { path, line, message } of faults) console.error(`${path}:${line}: ${message}`);
  const wrong = await checkSnippets(root, pages);
  if (wrong !== "") console.error(wrong);
  if (faults.length > 0 || wrong !== "") Deno.exit(1);
  console.log(`docs: ${pages.length} pages hold`);
}

if (import.meta.main) await main();
