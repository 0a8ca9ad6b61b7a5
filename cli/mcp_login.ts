/**
 * `cloister mcp login` and `cloister mcp logout`.
 * @module
 */
import { readServers } from "../mcp/config/read_servers.ts";
import type { McpServerSpec } from "../mcp/config/server_config.ts";
import { OAuthStore } from "../mcp/oauth/oauth_store.ts";
import { loadConfig } from "../runtime/config.ts";
import { suggestNames } from "../runtime/suggest.ts";
import { openPage } from "./browser.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { watchInterrupt } from "./interrupt.ts";
import { runtimeOptions } from "./options.ts";
import type { Output } from "./output.ts";

type Remote = Extract<McpServerSpec["launch"], { readonly kind: "http" }>;

/**
 * Signs in to a remote server: prints the address of the login page, opens it where this process may start a
 * browser and a person is at the terminal, and waits until the browser comes back.
 *
 * @param context What was typed, and where to print.
 * @param args What stands behind `login`: the server's name.
 * @returns The exit code.
 * @throws {UsageError} If no remote server has the name.
 */
export async function runLogin(
  context: CommandContext,
  args: readonly string[],
): Promise<number> {
  const { output } = context;
  const { name, launch, store } = await readTarget(context, "login", args);
  using interrupt = watchInterrupt();
  const { login } = await import("../mcp/oauth/login.ts");
  try {
    const { issuer, scope, renewable } = await login({
      name,
      serverUrl: launch.url,
      store,
      ...(launch.oauth && { config: launch.oauth }),
      openBrowser: (url) => showPage(output, url),
      signal: interrupt.signal,
    });
    if (output.json) output.value({ server: name, issuer, scope, renewable });
    else output.foreign(`Signed in to "${name}" at ${issuer}${scope ? ` (${scope})` : ""}`);
    return EXIT.ok;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    output.error((error as Error).message);
    return EXIT.failed;
  }
}

/**
 * Signs out of a remote server.
 *
 * @param context What was typed, and where to print.
 * @param args What stands behind `logout`: the server's name.
 * @returns The exit code.
 * @throws {UsageError} If no remote server has the name.
 */
export async function runLogout(
  context: CommandContext,
  args: readonly string[],
): Promise<number> {
  const { output } = context;
  const { name, launch, store } = await readTarget(context, "logout", args);
  const { logout } = await import("../mcp/oauth/logout.ts");
  const { wasSignedIn, revoked } = await logout({
    serverUrl: launch.url,
    store,
    ...(launch.oauth && { config: launch.oauth }),
  });
  if (output.json) output.value({ server: name, wasSignedIn, revoked });
  else if (!wasSignedIn) output.line(`There was no login at "${name}"`);
  else output.line(`Signed out of "${name}"${revoked ? "; its tokens are revoked" : ""}`);
  return EXIT.ok;
}

async function readTarget(
  context: CommandContext,
  word: "login" | "logout",
  args: readonly string[],
): Promise<{ readonly name: string; readonly launch: Remote; readonly store: OAuthStore }> {
  const [name, ...more] = args;
  if (name === undefined || more.length > 0) {
    throw new UsageError(`"mcp ${word}" takes the name of one server`);
  }
  const { cacheDir } = context.environment;
  if (cacheDir === undefined) {
    throw new UsageError(
      `Cannot keep a login: no cache folder is known; set CLOISTER_CACHE to a folder`,
    );
  }
  return { name, launch: await findRemote(context, name), store: new OAuthStore(cacheDir) };
}

async function findRemote(context: CommandContext, name: string): Promise<Remote> {
  const { config } = await loadConfig(runtimeOptions(context).config ?? {});
  const { servers, faults } = readServers(config.mcpServers, {
    environment: context.environment.read,
    origin: "config",
  });
  const server = servers.find((one) => one.name === name);
  if (server?.launch.kind === "http") return server.launch;
  if (server !== undefined) {
    throw new UsageError(
      `MCP server ${
        JSON.stringify(name)
      } is a program of this machine: only remote servers have logins`,
    );
  }
  const fault = faults.find((one) => one.server === name && one.severity === "error");
  const near = suggestNames(name, servers.map((one) => one.name));
  throw new UsageError(
    `The configuration has no usable MCP server ${JSON.stringify(name)}` +
      (fault
        ? `: ${fault.message}`
        : near.length > 0
        ? `; did you mean ${near.join(" or ")}?`
        : ""),
  );
}

async function showPage(output: Output, url: URL): Promise<void> {
  // Also when quiet: without it nobody can sign in.
  output.ask(`Open this page to sign in:\n\n  ${url.href}\n\n`);
  if (output.interactive && await openPage(url)) output.info("It was opened in the browser");
  output.info("Waiting for the browser to come back; press Ctrl+C to give up");
}
