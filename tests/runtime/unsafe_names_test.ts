import assert from "node:assert/strict";
import type { ToolResult } from "../../core/result.ts";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const CLI = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
const TOOLS = fileURLToPath(new URL("../fixtures/runtime/unsafe_names/", import.meta.url));

/** Calls a tool by the command line, with a Deno for cells whose resolver is not told to leave IPv6 answers out. */
async function callDeaf(folder: string, tool: string, url: string): Promise<ToolResult> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-read",
      `--allow-write=${folder}`,
      "--allow-run=deno",
      "--allow-sys=systemMemoryInfo",
      "--allow-env",
      CLI,
      "call",
      tool,
      JSON.stringify({ url }),
      "--json",
      "--root",
      TOOLS,
      "--workspace",
      folder,
      "--config",
      join(folder, "cloister.json"),
    ],
    env: { PATH: `${folder}:${Deno.env.get("PATH")}`, CLOISTER_CACHE: join(folder, "cache") },
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test({
  name: "hosts by name are unavailable where the resolver cannot be told, and addresses are not",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-names-" }));
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => new Response("reached"),
    );
    const host = `127.0.0.1:${server.addr.port}`;
    try {
      const deaf = `#!/bin/sh\nunset RES_OPTIONS\nexec '${Deno.execPath()}' "$@"\n`;
      await Deno.writeTextFile(join(folder, "deno"), deaf, { mode: 0o755 });
      const allow = { net: [host] };
      const tools = { by_argument: { allow }, by_address: { allow } };
      await Deno.writeTextFile(
        join(folder, "cloister.json"),
        JSON.stringify({ permissions: { tools } }),
      );
      const call = (tool: string, url: string) => callDeaf(folder, tool, url);
      const [named, argument, ...literal] = await Promise.all([
        call("by_name", "http://good.example/"),
        call("by_argument", "http://good.example/"),
        call("by_argument", `http://${host}/`),
        call("by_address", `http://${host}/`),
      ]);
      const why = /Hosts can be granted by address only here: .* RES_OPTIONS="no-aaaa"/;
      assert.equal(named.error?.code, "unavailable");
      assert.match(named.error!.message, why);
      assert.equal(argument.error?.code, "permission_denied");
      assert.match(argument.error!.message, why);
      assert.deepEqual(literal.map(({ content }) => content), ["reached", "reached"]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
