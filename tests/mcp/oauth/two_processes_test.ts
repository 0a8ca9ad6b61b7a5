import { ok, strictEqual } from "node:assert/strict";
import { fromFileUrl } from "../../../runtime/paths.ts";
import { loginArena } from "./_login_arena.ts";

const SCRIPT = fromFileUrl(new URL("../../fixtures/mcp/uses_login.ts", import.meta.url));

async function* lines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    rest += text;
    const parts = rest.split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
}

Deno.test("createServerAuth() uses a refresh token once when two processes need it", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const stale = (await arena.store.login(arena.server.url)).tokens!.access_token;
  const children = ["one", "other"].map(() =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", SCRIPT, arena.folder, arena.server.url],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn()
  );
  const outputs = children.map(({ stdout }) => lines(stdout));
  for (const output of outputs) strictEqual((await output.next()).value, "ready");
  for (const child of children) {
    const writer = child.stdin.getWriter();
    await writer.write(new Uint8Array([10]));
    await writer.close();
  }
  const tokens = await Promise.all(outputs.map(async (output) => (await output.next()).value));
  for (const child of children) strictEqual((await child.status).code, 0);
  for (const output of outputs) await output.return(undefined);
  strictEqual(tokens[0], tokens[1]);
  ok(tokens[0] !== stale);
  const refreshes = arena.issuer.requests.filter(({ form }) =>
    form.get("grant_type") === "refresh_token"
  );
  strictEqual(refreshes.length, 1);
});
