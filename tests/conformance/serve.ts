/**
 * Serves the fixtures of the conformance suite as `cloister serve` serves tools: the same HTTP server, with its
 * checks of Host and Origin, and the same MCP server, mounted in the same way. Prints one line of JSON with the
 * address of `/mcp`, and serves until its stdin ends.
 * @module
 */
import { LazyMcpFace } from "../../cli/mcp_face.ts";
import { startHttpServer } from "../../edge/http_server.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import { FIXTURE_TOOLS } from "./_fixtures.ts";
import { registerFrontTools } from "./front_tools.ts";

const base = await Deno.makeTempDir({ prefix: "cloister-conformance-" });
await Deno.mkdir(`${base}/space`);
try {
  const registry = new ToolRegistry();
  const builtins = Deno.args.includes("--builtins");
  await using runtime = await createRuntime({
    registry,
    builtins,
    roots: builtins ? [] : [FIXTURE_TOOLS],
    workspace: `${base}/space`,
    cacheDir: `${base}/cache`,
    config: {},
    logger: { log: (level, message) => console.error(`${level}: ${message}`) },
  });
  if (!builtins) {
    // The suite gives some calls half a second, and the first call of a tool file starts a worker for it.
    await Promise.all(registry.snapshot().entries().map(({ name }) => runtime.dispatch(name, {})));
    registerFrontTools(registry);
  }
  await using server = startHttpServer(runtime, { port: 0, mcp: new LazyMcpFace(runtime) });
  console.log(JSON.stringify({ url: `${server.url}/mcp` }));
  for await (const _ of Deno.stdin.readable);
} finally {
  await Deno.remove(base, { recursive: true });
}
