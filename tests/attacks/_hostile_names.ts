/** Runs where names have hostile answers: calls tools with them, and prints what was reached, as JSON. */
import type { JsonObject } from "../../core/json.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import { serveNames } from "../_dns_server.ts";
import { openArena } from "./_arena.ts";

const BYS = ["fetch", "Deno.connect", "node:net", "WebSocket"];

await using _names = await serveNames({
  "good.example": { A: ["93.184.216.34"] },
  "both.example": { A: ["93.184.216.34"], AAAA: ["::ffff:127.0.0.1"] },
  "mapped.example": { AAAA: ["::ffff:127.0.0.1"] },
  "compatible.example": { AAAA: ["::ffff:0:127.0.0.1", "64:ff9b::7f00:1"] },
  "unique-local.example": { AAAA: ["fd00::7"] },
  "loopback.example": { A: ["127.0.0.1"], AAAA: ["::1"] },
});
/** What was reached, and how. */
const reached: string[] = [];
await using server = Deno.serve({ hostname: "::", port: 0, onListen() {} }, (request) => {
  if (request.headers.get("upgrade") !== "websocket") return new Response("reached");
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onopen = () => socket.close();
  return response;
});
const { port } = server.addr;

await using arena = await openArena("a29", {
  config: { permissions: { tools: { reach_word: { allow: { net: ["127.0.0.1:9"] } } } } },
});
const PER_CALL = ["fetch", "node:net"];
for (const tool of ["reach_named", "reach_argument", "reach_word"]) {
  for (const host of Deno.args) {
    for (const by of tool === "reach_named" ? BYS : PER_CALL) {
      const args: JsonObject = tool === "reach_named"
        ? { host, port, by }
        : { url: `http://${host}:${port}/`, by };
      const result = await arena.call(tool, args);
      if (result.ok) reached.push(`${tool} ${host} by ${by}: ${result.content}`);
    }
  }
}

// The tool that comes with the package, which a model hands any URL.
await using runtime = await createRuntime({
  registry: new ToolRegistry(),
  roots: [],
  workspace: arena.workspace,
  cacheDir: `${arena.base}/cache-of-builtins`,
});
for (const host of Deno.args) {
  const result = await runtime.dispatch("web_extract", { url: `http://${host}:${port}/` });
  if (result.ok) reached.push(`web_extract ${host}: ${/^reached$/m.exec(result.content)}`);
}
console.log(JSON.stringify(reached));
