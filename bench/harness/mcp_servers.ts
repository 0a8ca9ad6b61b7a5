/**
 * The command lines of the MCP servers that rows compare.
 * @module
 */
import type { Command } from "./processes.ts";
import { projectPath } from "./temp.ts";

/** How a server is reached. */
export type Transport = "stdio" | "http";

const FLAGS: readonly string[] = ["run", "-A", "--quiet", "--no-prompt", "--cached-only"];

function run(script: string, ...args: string[]): Command {
  return { program: Deno.execPath(), args: [...FLAGS, projectPath(script), ...args] };
}

/**
 * The SDK's own server.
 *
 * @param transport How it is reached.
 * @param tools How many tools it has.
 * @returns Its command line.
 */
export function sdkServer(transport: Transport, tools = 1): Command {
  return run(`bench/peers/mcp_sdk_${transport}.ts`, String(tools));
}

/**
 * A program that serves a tool of its own.
 *
 * @param transport How it is reached.
 * @returns Its command line.
 */
export function inlineServer(transport: Transport): Command {
  return run("bench/subjects/mcp_inline.ts", transport);
}

/**
 * The command line `cloister`, as people start it, with the tool files of one folder and no others.
 *
 * @param transport How it is reached: `mcp`, or `serve`.
 * @param tools The folder with tool files of toolset `bench`.
 * @param folder For cache, configuration and workspace.
 * @returns The command line.
 */
export async function cloisterServer(
  transport: Transport,
  tools: string,
  folder: string,
): Promise<Command> {
  const config = `${folder}/cloister.json`;
  const workspace = `${folder}/workspace`;
  await Deno.mkdir(workspace, { recursive: true });
  await Deno.writeTextFile(config, JSON.stringify({ enabledToolsets: ["bench"] }));
  const words = transport === "stdio" ? ["mcp"] : ["serve", "--port", "0", "--json"];
  const common = ["--root", tools, "--config", config, "--workspace", workspace];
  const { program, args } = run("cli/main.ts", ...words, ...common);
  return { program: "env", args: [`CLOISTER_CACHE=${folder}/cache`, program, ...args] };
}
