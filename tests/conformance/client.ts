/**
 * The client that the official conformance suite tests: a runtime with one configured MCP server, asked for what a
 * program would ask it for. The suite starts it once for each scenario, with the server's URL as its last argument.
 */
import { createRuntime } from "../../mcp/create_runtime.ts";
import { mcpServersOf } from "../../mcp/servers_of.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Runtime } from "../../runtime/runtime_types.ts";
import { argumentsFor } from "./client_calls.ts";
import { type Context, Person } from "./client_person.ts";

const NAME = "peer";

const url = Deno.args.at(-1)!;
const context: Context = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");
const scenario = Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "";
const folder = await Deno.makeTempDir({ prefix: "cloister-conformance-client-" });
const person = new Person({ name: NAME, url, folder, scenario, context });
try {
  await using runtime = await startRuntime();
  await reach(runtime);
  if (context.toolCalls) await callNamed(runtime, context.toolCalls);
  else await callEverything(runtime);
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function startRuntime(): Promise<Runtime> {
  const server = { url, ...(person.config && { auth: "oauth", oauth: person.config }) };
  return await createRuntime({
    config: { mcpServers: { [NAME]: server } },
    cacheDir: folder,
    workspace: folder,
    discover: false,
    // An answer that takes every default.
    input: { elicit: () => Promise.resolve({ action: "accept", content: {} }) },
    logger: { log: (level, message) => console.error(`${level}: ${message}`) },
  });
}

/** Reaches the server, and signs in where it says that a person must. */
async function reach(runtime: Runtime): Promise<void> {
  const hub = mcpServersOf(runtime)!;
  let [status] = hub.servers();
  while (status!.state !== "connected" || status!.error !== undefined) {
    await person.help(status!.error ?? `The server is ${status!.state}`);
    status = await hub.reconnect(NAME);
  }
}

async function callNamed(
  runtime: Runtime,
  calls: NonNullable<Context["toolCalls"]>,
): Promise<void> {
  for (const { name, arguments: args } of calls) await call(runtime, `mcp__${NAME}__${name}`, args);
}

async function callEverything(runtime: Runtime): Promise<void> {
  const { tools } = await runtime.getDefinitions({ toolsets: [`mcp-${NAME}`] }, { dialect: "mcp" });
  const results = new Map<string, ToolResult>();
  // Lists first: they name what can be asked for.
  const isList = ({ name }: { readonly name: string }) => name.includes("__list_");
  for (const tool of tools.toSorted((one, other) => +isList(other) - +isList(one))) {
    const args = argumentsFor(tool, tools, results);
    results.set(tool.name, await call(runtime, tool.name, args));
  }
}

/** Makes a call, and once more after each login that it needs. */
async function call(runtime: Runtime, name: string, args: JsonObject): Promise<ToolResult> {
  for (;;) {
    // In this dialect a model writes null for what it leaves out, and so does the suite.
    const result = await runtime.dispatch(name, args, { dialect: "openai-strict" });
    console.error(`${name}: ${result.content.slice(0, 300)}`);
    if (result.ok || !person.canHelp(result.content)) return result;
    await person.help(result.content);
    await reach(runtime);
  }
}
