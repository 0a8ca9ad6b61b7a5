/**
 * `cloister mcp config`: what to paste into the configuration of an MCP client.
 * @module
 */
import {
  type ClientConfig,
  clientConfig,
  type ServerAddress,
} from "../mcp/interop/client_config.ts";
import { CLIENT_NAMES, type ClientFile, type ClientName } from "../mcp/interop/client_names.ts";
import { launchCommand, type LaunchInput } from "../mcp/interop/launch_command.ts";
import { serverNeeds } from "../mcp/interop/server_needs.ts";
import { loadConfig } from "../runtime/config.ts";
import { dirname, fromFileUrl } from "../runtime/paths.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { neutraliseJson } from "../core/neutralise.ts";
import { openRuntime, runtimeOptions } from "./options.ts";
import { VERSION } from "./version.ts";

const TOKEN_VARIABLE = "CLOISTER_TOKEN";

/**
 * Prints what to paste to stdout, and where it goes to stderr.
 *
 * @param context What was typed, and where to print.
 * @param args What stands behind `config`.
 * @returns The exit code.
 * @throws {UsageError} If the client is unknown, or an option makes no sense.
 */
export async function runMcpConfig(
  context: CommandContext,
  args: readonly string[],
): Promise<number> {
  if (args.length > 0) {
    throw new UsageError(`Cannot run "mcp config" with "${args[0]}": it takes options only`);
  }
  const { options, output } = context;
  const client = readClient(options.text("client"));
  const found = makeConfig(client, options.text("name") ?? "cloister", await addressOf(context));
  if (output.json) output.value(found);
  else print(context, found);
  return EXIT.ok;
}

function readClient(text: string | undefined): ClientName {
  const client = CLIENT_NAMES.find((name) => name === text);
  if (client !== undefined) return client;
  const known = CLIENT_NAMES.join(", ");
  if (text === undefined) throw new UsageError(`Name a client with --client: one of ${known}`);
  throw new UsageError(`The client ${JSON.stringify(text)} is unknown: expected one of ${known}`);
}

function makeConfig(client: ClientName, name: string, address: ServerAddress): ClientConfig {
  try {
    return clientConfig(client, name, address);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

async function addressOf(context: CommandContext): Promise<ServerAddress> {
  const { options } = context;
  const http = options.text("http");
  if (http !== undefined) return httpAddress(http, options.flag("no-token"));
  if (options.flag("no-token")) throw new UsageError("--no-token means nothing without --http");
  return { kind: "stdio", launch: launchCommand(await launchInput(context)) };
}

function httpAddress(text: string, withoutToken: boolean): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UsageError(
      `The address ${JSON.stringify(text)} is not an http: or https: URL without a password in it`,
    );
  }
  if (url.pathname === "/") url.pathname = "/mcp";
  return {
    kind: "http",
    url: url.href,
    ...(withoutToken ? {} : { tokenVariable: TOKEN_VARIABLE }),
  };
}

async function launchInput(context: CommandContext): Promise<LaunchInput> {
  const { environment, options } = context;
  const used = runtimeOptions(context);
  const { mcpServers } = (await loadConfig(used.config ?? {})).config;
  const needs = serverNeeds(mcpServers);
  return {
    deno: options.text("deno") ?? "deno",
    main: ownModule(),
    workspace: used.workspace!,
    roots: (used.roots ?? []).filter((root) => typeof root === "string"),
    ...(typeof used.config === "string" ? { config: used.config } : {}),
    write: [
      ...folder(environment.cacheDir),
      ...folder(environment.userDir),
      ...folder(temporary(context)),
      ...(mcpServers === undefined ? [] : folder(lockFolder(used.config))),
    ],
    ...needs,
    variables: [...await toolVariables(context), ...needs.variables],
  };
}

// The definitions that were taken are kept beside the configuration.
function lockFolder(config: unknown): string | undefined {
  return typeof config === "string" ? dirname(config) : undefined;
}

function folder(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path];
}

function temporary({ environment }: CommandContext): string | undefined {
  return Deno.build.os === "windows" ? environment.read("TEMP") : "/tmp";
}

/** What tools may read of the environment; servers are not started for it. */
async function toolVariables(context: CommandContext): Promise<readonly string[]> {
  await using runtime = await openRuntime(context, { findings: "none", mcp: "off" });
  const prefix = "--allow-env=";
  const flag = runtime.permissionFlags().find((candidate) => candidate.startsWith(prefix));
  return flag?.slice(prefix.length).split(",") ?? [];
}

// From a checkout the module is a file; from JSR it has an address with the version in it.
function ownModule(): string {
  const main = new URL("./main.ts", import.meta.url);
  return main.protocol === "file:" ? fromFileUrl(main) : `jsr:@cloister/cloister@${VERSION}/cli`;
}

function print({ output }: CommandContext, { text, format, files, notes }: ClientConfig): void {
  output.info("Put this into one of these files, beside what is there already:");
  for (const line of fileLines(files)) output.info(`  ${line}`);
  for (const note of notes) output.info(note);
  output.info("");
  output.line((format === "json" ? neutraliseJson(text) : text).trimEnd());
}

function fileLines(files: readonly ClientFile[]): readonly string[] {
  const here = files.filter(({ os }) => os === undefined || os === Deno.build.os);
  return (here.length > 0 ? here : files).map(({ program, scope, path }) =>
    `${path}  (${program}, ${scope === "user" ? "all your projects" : "this project"})`
  );
}
