/**
 * The SDK's own server over HTTP; prints its address. Argument: how many tools.
 * @module
 */
import { createMcpHandler } from "npm:@modelcontextprotocol/server@2.4.0";
import { makeSdkServer } from "./mcp_sdk_tools.ts";

const { fetch } = createMcpHandler(() => makeSdkServer(Number(Deno.args[0])));
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`),
}, (request) => fetch(request));
