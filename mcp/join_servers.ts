/**
 * Adds the MCP servers of a configuration to a runtime. Loaded only when there are some.
 * @module
 */
import manifest from "../deno.json" with { type: "json" };
import type { ExtensionHost } from "../runtime/extension.ts";
import { dirname, join } from "../runtime/paths.ts";
import { LOCK_FILE, LockFile } from "./catalogue/lock.ts";
import type { ConnectionServices, EraCache } from "./client/connection_services.ts";
import type { ConnectionListener } from "./client/connection_types.ts";
import { createMemoryEras } from "./client/memory_eras.ts";
import { openConnection } from "./client/open_connection.ts";
import { readServers } from "./config/read_servers.ts";
import type { McpServerSpec } from "./config/server_config.ts";
import { McpServers } from "./mcp_servers.ts";
import type { ServerLauncher } from "./sandbox/server_launcher.ts";
import { launcherOf, shownPermissions } from "./server_launch.ts";
import { noteServers } from "./servers_of.ts";

/** Outlives a runtime, so that a server that is used by a later one is not started twice to find out what it speaks. */
const ERAS: EraCache = createMemoryEras();
const CLIENT_INFO = Object.freeze({
  name: "cloister",
  title: "Cloister",
  version: manifest.version,
});

/**
 * Reads the configuration's servers, begins to reach them, and keeps their tools in the runtime's table.
 *
 * @param host What the runtime lends.
 * @param mode Whether to wait until they were reached.
 * @param waitMs How long to wait at most, in milliseconds. @default {120_000}
 * @returns What ends them.
 */
export async function joinServers(
  host: ExtensionHost,
  mode: "wait" | "background",
  waitMs?: number,
): Promise<AsyncDisposable> {
  const { config, environment, runtime } = host;
  const { servers: specs, faults } = readServers(config.mcpServers, {
    environment,
    origin: "config",
  });
  const launchers = new AsyncDisposableStack();
  const servers = new McpServers({
    host,
    specs,
    faults,
    ...(waitMs === undefined ? {} : { passMs: waitMs }),
    pins: new LockFile(lockPath(host)),
    permissions: (spec) => shownPermissions(spec, host),
    open: async (spec, listener) => {
      const launcher = launchers.use(
        launcherOf(spec, host, (level, message) => listener.onLog(level, message)),
      );
      return openConnection(spec, await servicesOf(spec, listener, host, launcher));
    },
  });
  noteServers(runtime, servers);
  if (mode === "wait") await servers.ready;
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      await servers[Symbol.asyncDispose]();
      // What a server asked for last is looked at when its process is gone.
      await launchers.disposeAsync();
    },
  };
}

// It belongs to the configuration that it speaks of, so that people can keep the two together.
function lockPath({ configPath, cacheDir }: ExtensionHost): string {
  return join(configPath === undefined ? cacheDir : dirname(configPath), LOCK_FILE);
}

async function servicesOf(
  spec: McpServerSpec,
  listener: ConnectionListener,
  host: ExtensionHost,
  launcher: ServerLauncher,
): Promise<ConnectionServices> {
  return {
    launch: () => launcher.launch(),
    listener,
    clock: host.clock,
    eras: ERAS,
    clientInfo: CLIENT_INFO,
    ...await loginOf(spec, host),
  };
}

// Loads the SDK, which a server that is started needs only when it is.
async function loginOf(
  spec: McpServerSpec,
  { cacheDir }: ExtensionHost,
): Promise<Pick<ConnectionServices, "authProvider">> {
  if (spec.launch.kind !== "http") return {};
  const { authOfServer } = await import("./oauth/auth_of_server.ts");
  const authProvider = authOfServer(spec, cacheDir);
  return authProvider === undefined ? {} : { authProvider };
}
