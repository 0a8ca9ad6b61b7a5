/**
 * The SDK's own server on stdin and stdout. Argument: how many tools.
 * @module
 */
import { serveStdio } from "npm:@modelcontextprotocol/server@2.4.0/stdio";
import { makeSdkServer } from "./mcp_sdk_tools.ts";

serveStdio(() => makeSdkServer(Number(Deno.args[0])));
