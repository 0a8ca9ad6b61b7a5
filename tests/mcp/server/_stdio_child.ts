/** A child that serves over its own stdin and stdout, as a program of somebody else would. */
import { serveMcpStdio } from "../../../mcp/server/serve_stdio.ts";
import { startTools } from "./_server.ts";

await using test = await startTools();
await serveMcpStdio(test.runtime, {
  readable: Deno.stdin.readable,
  writable: Deno.stdout.writable,
  version: "1.2.3",
});
