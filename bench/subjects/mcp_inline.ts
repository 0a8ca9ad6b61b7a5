/**
 * Serves tools that the program itself brings, over stdin and stdout or over HTTP; prints its address there.
 *
 * Arguments: `stdio` or `http`.
 * @module
 */
import { z } from "zod";
import { startHttpServer } from "../../edge/http_server.ts";
import { createMcpHttpHandler } from "../../mcp/server/http_handler.ts";
import { serveMcpStdio } from "../../mcp/server/serve_stdio.ts";
import { openStandardStreams } from "../../mcp/server/standard_streams.ts";
import { openRuntime } from "../harness/runtime.ts";

const version = "1.0.0";
const { runtime } = await openRuntime({ roots: [] });
runtime.registry.register({
  name: "echo",
  toolset: "bench",
  description: "Gives the text back.",
  schema: z.object({ text: z.string() }),
  outputSchema: z.object({ text: z.string() }),
  handler: ({ text }) => ({ text }),
});

if (Deno.args[0] === "http") {
  const face = createMcpHttpHandler(runtime, { version });
  const server = startHttpServer(runtime, { port: 0, version, mcp: face });
  console.log(server.url);
} else {
  await serveMcpStdio(runtime, { ...await openStandardStreams(), version });
  Deno.exit(0);
}
